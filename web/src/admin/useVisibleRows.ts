import { type RefObject, useEffect, useState } from 'react'

/** The height of a row in px, as in ResourceTable.module.css. */
export const ROW_HEIGHT = 44
/** Shorter tables are rendered as a whole. */
const MIN_ROWS = 100
/** Rows above and below the visible ones: they are ready when someone scrolls. */
const OVERSCAN = 6
/** The rows are rendered again whenever this many have been scrolled. */
const STEP = 4

/**
 * The indexes of the rows of a long table that are rendered: those on screen and a few around them. `always` are the
 * indexes of rows that stay, such as the one with the focus.
 */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, count: number, always: readonly number[]) {
  const isLong = count > MIN_ROWS
  const [first, setFirst] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element || !isLong) return
    const update = () => setFirst(Math.floor(element.scrollTop / ROW_HEIGHT / STEP) * STEP)
    update()
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [scroller, isLong])
  if (!isLong) return Array.from({ length: count }, (_, index) => index)
  const onScreen = Math.ceil((scroller.current?.clientHeight ?? innerHeight) / ROW_HEIGHT) + STEP
  const from = Math.max(0, Math.min(first, count - onScreen) - OVERSCAN)
  const to = Math.min(count, first + onScreen + OVERSCAN)
  const window = Array.from({ length: to - from }, (_, n) => from + n)
  const others = always.filter((index) => index >= 0 && (index < from || index >= to))
  return [...new Set([...window, ...others])].sort((a, b) => a - b)
}
