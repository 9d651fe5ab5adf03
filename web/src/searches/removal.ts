/** A little longer than the offer to undo it stands. */
const UNDO_MS = 10_000

type PendingRemoval = { /** True where it had not been done yet. */ undo(): boolean }

const pendingRemovals = new Set<() => void>()

/** Does something for good once nobody has undone it for a while, or when the page is left. */
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
