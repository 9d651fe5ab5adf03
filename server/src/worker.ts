import { startWorker } from './background-worker.ts'
import { closeDemo } from './demo-pool/demo-pool.ts'
import { followSettings } from './platform/settings.ts'
import { createAppContext, runProcess } from './process.ts'
import { startWorkerHealth } from './worker-health.ts'

await runProcess(async ({ config, log, database, register }) => {
  await closeDemo(config, log, database)
  const ctx = await createAppContext(config, log, database)
  register(followSettings(ctx.settings, log))
  const worker = await startWorker(ctx, database.jobs)
  register(worker)
  register(await startWorkerHealth(ctx, worker))
  log.info('Worker started')
})
