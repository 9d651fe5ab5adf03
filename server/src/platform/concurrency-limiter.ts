import { ApiError } from './api-error.ts'

/** Runs a limited number of heavy tasks at once and queues the others in order. */
export type Limiter = {
  /** Returns the task's result. Throws `service_unavailable` if too many tasks are queued already. */
  pass<T>(task: () => Promise<T>): Promise<T>
}

export function createLimiter({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  const acquire = async () => {
    if (running < concurrency) {
      running++
      return
    }
    if (waiting.length >= maxWaiting) {
      throw new ApiError('service_unavailable', 'The server is busy. Try again in a few seconds.')
    }
    // The finished task passes its slot on directly, so that no other task can take it in between.
    await new Promise<void>((go) => waiting.push(go))
  }
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return {
    pass: async (task) => {
      await acquire()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
