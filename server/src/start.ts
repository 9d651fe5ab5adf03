import { openDemoPool } from './demo-pool/demo-pool.ts'
import { startWeb } from './listen.ts'
import { makeWorld, runProcess } from './process.ts'
import { startWork } from './work.ts'

/** Web and worker in one process, with the embedded database: what `npm start` runs. */
await runProcess(async (config, log, database) => {
  const demo = await openDemoPool(config, log, database)
  const world = makeWorld(config, log, database, demo?.music)
  const work = await startWork(world, database.jobs)
  const web = await startWeb(world, config)
  log.info(`The pool is open at ${config.publicUrl}`)
  return [web, work, ...(demo ? [demo] : [])]
})
