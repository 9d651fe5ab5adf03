import { startTransition, useEffect, useState } from 'react'

/** Calls back when the browser is idle; in Safari, which does not report that, a moment later. */
function runWhenIdle(callback: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 30)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(callback, { timeout: 500 })
  return () => cancelIdleCallback(handle)
}

/**
 * How many of `count` items to render: the first ones at once, the others a few at a time while the browser is idle, so
 * that content below the screen never delays a click. The caller reserves space for all of them.
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
