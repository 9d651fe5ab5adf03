import { closeDemo } from './demo-pool/demo-pool.ts'
import { startWeb } from './listen.ts'
import { followSettings } from './platform/settings.ts'
import { makeWorld, runProcess } from './process.ts'

await runProcess(async ({ config, log, database, runs }) => {
  await closeDemo(config, log, database)
  const world = await makeWorld(config, log, { ...database, sql: database.webSql })
  runs(followSettings(world.settings, log))
  runs(await startWeb(world, config))
  log.info(`Server running at ${config.publicUrl}`)
})
