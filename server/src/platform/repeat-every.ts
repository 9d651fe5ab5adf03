import { isDatabaseFull, isDatabaseUnavailable } from './db.ts'
import type { Log } from './log.ts'
import { outages } from './outage.ts'

/** Runs a function repeatedly with a pause in between, never twice at once; errors are logged. */
export function repeatEvery(every_ms: number, log: Log, run: () => Promise<void>): { stop(): Promise<void> } {
  let stopped = false
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const turn = () => {
    running = run()
      .catch((error) => {
        if (isDatabaseUnavailable(error)) outages.database.failed(log, error)
        else if (isDatabaseFull(error)) outages.disk.failed(log, error)
        else log.warn(error, 'Scheduled task failed; will retry')
      })
      .then(() => {
        if (!stopped) timer = setTimeout(turn, every_ms)
      })
  }
  timer = setTimeout(turn, every_ms)
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
