import { closeDemo } from './demo-pool/demo-pool.ts'
import { makeWorld, runProcess } from './process.ts'
import { startWork } from './work.ts'

await runProcess(async ({ config, log, database, runs }) => {
  await closeDemo(config, log, database)
  runs(await startWork(makeWorld(config, log, database), database.jobs))
  log.info('The worker is at its queue.')
})
