import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps the focused element at its position on screen when content above it changes (`content` has changed then). */
export function useSteadyScroll(box: RefObject<HTMLElement | null>, content: unknown) {
  const before = useRef<number>(undefined)
  const isInUse = () => box.current?.contains(document.activeElement) ?? false
  // The position before this render changes it.
  before.current = isInUse() ? box.current?.getBoundingClientRect().top : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the content changes, and only then
  useLayoutEffect(() => {
    if (before.current === undefined || !box.current) return
    scrollBy({ top: box.current.getBoundingClientRect().top - before.current, behavior: 'instant' })
  }, [content])
}
