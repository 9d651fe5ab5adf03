import { closeDemo } from './demo-pool/demo-pool.ts'
import { followSettings } from './platform/settings.ts'
import { makeWorld, runProcess } from './process.ts'
import { startWork } from './work.ts'
import { startWorkerHealth } from './worker-health.ts'

await runProcess(async ({ config, log, database, runs }) => {
  await closeDemo(config, log, database)
  const world = await makeWorld(config, log, database)
  runs(followSettings(world.settings, log))
  const work = await startWork(world, database.jobs)
  runs(work)
  runs(await startWorkerHealth(world, work))
  log.info('Worker started')
})
