import { startWeb } from './listen.ts'
import { makeWorld, runProcess } from './process.ts'

await runProcess(async (config, log, database) => {
  const web = await startWeb(makeWorld(config, log, database), config)
  log.info(`The pool is open at ${config.publicUrl}`)
  return [web]
})
