import { closeDemo } from './demo-pool/demo-pool.ts'
import { startWeb } from './listen.ts'
import { makeWorld, runProcess } from './process.ts'

await runProcess(async ({ config, log, database, runs }) => {
  await closeDemo(config, log, database)
  runs(await startWeb(makeWorld(config, log, database), config))
  log.info(`The pool is open at ${config.publicUrl}`)
})
