import { Refusal } from './refusal.ts'

/** Lets so much heavy work through at once; the rest waits in the order it came. */
export type Gate = {
  /** Answers what the work does. Refuses `service_unavailable` when too many wait already. */
  pass<T>(work: () => Promise<T>): Promise<T>
}

export function makeGate({ atOnce, mayWait }: { atOnce: number; mayWait: number }): Gate {
  const waiting: (() => void)[] = []
  let inside = 0
  const enter = async () => {
    if (inside < atOnce) {
      inside++
      return
    }
    if (waiting.length >= mayWait) {
      throw new Refusal('service_unavailable', 'The server is busy. Try again in a few seconds.')
    }
    // Whoever leaves hands the place on, so that nobody slips in between.
    await new Promise<void>((go) => waiting.push(go))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else inside--
  }
  return {
    pass: async (work) => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
