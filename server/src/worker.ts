import { makeWorld, runProcess } from './process.ts'
import { startWork } from './work.ts'

await runProcess(async (config, log, database) => {
  const work = await startWork(makeWorld(config, log, database), database.jobs)
  log.info('The worker is at its queue.')
  return [work]
})
