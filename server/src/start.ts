import { openDemoPool } from './demo-pool/demo-pool.ts'
import { startWeb } from './listen.ts'
import { makeWorld, runProcess } from './process.ts'
import { startWork } from './work.ts'

/** Web and worker in one process, with the embedded database: what `npm start` runs. */
await runProcess(async ({ config, log, database, runs }) => {
  const demo = await openDemoPool(config, log, database)
  const world = makeWorld(config, log, database, demo?.music)
  runs(await startWeb(world, config))
  runs(await startWork(world, database.jobs))
  if (demo) runs(demo)
  log.info(`The pool is open at ${config.publicUrl}`)
})
