/** So many may be busy at once; who comes later waits for a place. */
export type Semaphore = { acquire(): Promise<void>; release(): void }

export function createSemaphore(count: number): Semaphore {
  const waiting: (() => void)[] = []
  let available = count
  return {
    acquire: async () => {
      if (available > 0) available--
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    release: () => {
      const next = waiting.shift()
      if (next) next()
      else available++
    },
  }
}
