import { startWorker } from './background-worker.ts'
import { openDemoPool } from './demo-pool/demo-pool.ts'
import { fillUploads } from './demo-pool/fill-uploads.ts'
import { startWeb } from './listen.ts'
import { followSettings } from './platform/settings.ts'
import { createAppContext, runProcess } from './process.ts'
import { startWorkerHealth } from './worker-health.ts'

/** Web and worker in one process, with the embedded database: what `npm start` runs. */
await runProcess(async ({ config, log, database, register }) => {
  const demo = await openDemoPool(config, log, database)
  const ctx = await createAppContext(config, log, { ...database, sql: database.webSql }, demo?.music)
  register(followSettings(ctx.settings, log))
  register(await startWeb(ctx, config))
  const worker = await startWorker({ ...ctx, sql: database.sql }, database.jobs)
  register(worker)
  register(await startWorkerHealth(ctx, worker))
  if (demo) {
    register(demo)
    register(fillUploads(ctx))
  }
  log.info(`Server running at ${config.publicUrl}`)
})
