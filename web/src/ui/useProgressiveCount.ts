import { startTransition, useEffect, useState } from 'react'

/** Calls back when the browser has nothing else to do; Safari, which does not say, a moment later. */
function runWhenIdle(callback: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 30)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: 500 })
  return () => cancelIdleCallback(handle)
}

/**
 * How many of `count` things to draw: the first ones at once, the others a few at a time while the browser is idle, so
 * that a press is never kept waiting by what is below the screen. The caller keeps room for all of them.
 */
export function useProgressiveCount(
  count: number,
  { initialCount, step }: { initialCount: number; step: number },
): number {
  const [renderedCount, setRenderedCount] = useState(initialCount)
  useEffect(() => {
    if (renderedCount >= count) return
    return runWhenIdle(() => startTransition(() => setRenderedCount(renderedCount + step)))
  }, [renderedCount, count, step])
  return Math.min(renderedCount, count)
}
