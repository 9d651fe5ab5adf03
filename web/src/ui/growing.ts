import { startTransition, useEffect, useState } from 'react'

/** Calls back when the browser has nothing else to do; Safari, which does not say, a moment later. */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 30)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 500 })
  return () => cancelIdleCallback(handle)
}

/**
 * How many of `count` things to draw: the first ones at once, the others a few at a time while the browser is idle, so
 * that a press is never kept waiting by what is below the screen. The caller keeps room for all of them.
 */
export function useGrowing(count: number, { first, step }: { first: number; step: number }): number {
  const [drawn, setDrawn] = useState(first)
  useEffect(() => {
    if (drawn >= count) return
    return whenIdle(() => startTransition(() => setDrawn(drawn + step)))
  }, [drawn, count, step])
  return Math.min(drawn, count)
}
