import { closeDemo } from './demo-pool/demo-pool.ts'
import { startWeb } from './listen.ts'
import { followSettings } from './platform/settings.ts'
import { createAppContext, runProcess } from './process.ts'

await runProcess(async ({ config, log, database, register }) => {
  await closeDemo(config, log, database)
  const ctx = await createAppContext(config, log, { ...database, sql: database.webSql })
  register(followSettings(ctx.settings, log))
  register(await startWeb(ctx, config))
  log.info(`Server running at ${config.publicUrl}`)
})
