import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps what has the focus where it is on screen when something comes or goes above it (`what` has changed then). */
export function useSteadyScroll(box: RefObject<HTMLElement | null>, content: unknown) {
  const before = useRef<number>(undefined)
  const isInUse = () => box.current?.contains(document.activeElement) ?? false
  // As it stands before what this drawing changes.
  before.current = isInUse() ? box.current?.getBoundingClientRect().top : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks again when that changes, and only then
  useLayoutEffect(() => {
    if (before.current === undefined || !box.current) return
    scrollBy({ top: box.current.getBoundingClientRect().top - before.current, behavior: 'instant' })
  }, [content])
}
