import { openDemoPool } from './demo-pool/demo-pool.ts'
import { fillUploads } from './demo-pool/fill-uploads.ts'
import { startWeb } from './listen.ts'
import { followSettings } from './platform/settings.ts'
import { makeWorld, runProcess } from './process.ts'
import { startWork } from './work.ts'
import { startWorkerHealth } from './worker-health.ts'

/** Web and worker in one process, with the embedded database: what `npm start` runs. */
await runProcess(async ({ config, log, database, runs }) => {
  const demo = await openDemoPool(config, log, database)
  const world = await makeWorld(config, log, { ...database, sql: database.webSql }, demo?.music)
  runs(followSettings(world.settings, log))
  runs(await startWeb(world, config))
  const work = await startWork({ ...world, sql: database.sql }, database.jobs)
  runs(work)
  runs(await startWorkerHealth(world, work))
  if (demo) {
    runs(demo)
    runs(fillUploads(world))
  }
  log.info(`Server running at ${config.publicUrl}`)
})
