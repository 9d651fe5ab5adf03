import { ApiError } from './api-error.ts'

/** Lets so much heavy work through at once; the rest waits in the order it came. */
export type Limiter = {
  /** Answers what the work does. Refuses `service_unavailable` when too many wait already. */
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
    // Whoever leaves hands the place on, so that nobody slips in between.
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
