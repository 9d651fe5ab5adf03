/** A little longer than the undo button is shown. */
const UNDO_MS = 10_000

type PendingRemoval = { /** Returns true if the removal had not happened yet. */ undo(): boolean }

const pendingRemovals = new Set<() => void>()

/** Runs `commit` after the time to undo, or when the page is left. */
export function scheduleRemoval(commit: () => Promise<void>): PendingRemoval {
  const commitNow = () => {
    if (!pendingRemovals.delete(commitNow)) return
    clearTimeout(timer)
    void commit()
  }
  const timer = setTimeout(commitNow, UNDO_MS)
  pendingRemovals.add(commitNow)
  return {
    undo: () => {
      clearTimeout(timer)
      return pendingRemovals.delete(commitNow)
    },
  }
}

addEventListener('pagehide', () => {
  for (const commitNow of [...pendingRemovals]) commitNow()
})
