/** A little longer than the offer to undo it stands. */
const UNDO_MS = 10_000

type Removal = { /** True where it had not been done yet. */ undo(): boolean }

const waiting = new Set<() => void>()

/** Does something for good once nobody has undone it for a while, or when the page is left. */
export function takeAway(forGood: () => Promise<void>): Removal {
  const run = () => {
    if (!waiting.delete(run)) return
    clearTimeout(timer)
    void forGood()
  }
  const timer = setTimeout(run, UNDO_MS)
  waiting.add(run)
  return {
    undo: () => {
      clearTimeout(timer)
      return waiting.delete(run)
    },
  }
}

addEventListener('pagehide', () => {
  for (const run of [...waiting]) run()
})
