/** So many may be busy at once; who comes later waits for a place. */
export type Places = { take(): Promise<void>; leave(): void }

export function makePlaces(count: number): Places {
  const waiting: (() => void)[] = []
  let free = count
  return {
    take: async () => {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    leave: () => {
      const next = waiting.shift()
      if (next) next()
      else free++
    },
  }
}
