/** Limits how many operations run at once; others wait in order. */
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
