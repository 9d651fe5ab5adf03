import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

type Moves = {
  /**
   * Shows a row at another index among the rows on screen; ±Infinity is the very end. Returns its new index, or
   * undefined if it is no longer on screen.
   */
  onMove: (from: number, to: number) => number | undefined
  /** Called when a row was dropped at a new index or moved with a key. */
  onMoved: (at: number | undefined) => void
  /**
   * Handles Alt with a left (-1) or right (1) arrow, for nested rows. Returns the row's new index, or undefined if it
   * does not move.
   */
  moveSideways?: (from: number, step: number) => number | undefined
  /** Called when Space picked up a row, to be moved with the arrow keys alone, or dropped it. */
  onPickedUp?: (at: number, isPickedUp: boolean) => void
  /** True if the arrow keys alone move the focus along the rows from any control; otherwise only from a handle. */
  arrowsMoveFocus?: boolean
}

/** Announced when Space picks up a row or drops it. */
export const pickedUpMessage = (title: string, isPickedUp: boolean): string =>
  format(isPickedUp ? texts.pickedUp : texts.dropped, { title })

/** The keys that move a row, for the tooltip of its handle. */
export const MOVE_SHORTCUT = texts.moveShortcut

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }
const SIDE_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }
const ENDS: Record<string, number> = { Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }

/**
 * Event handlers for reordering the rows of a list: by dragging the handle of a row, with Alt and an arrow key anywhere
 * in it, or with the arrow keys, Home and End after pressing Space on its handle; the arrow keys alone move the focus
 * to the same control of the next row. A row is `[data-row]`, its handle `[data-handle]`.
 */
export function useReordering(
  list: RefObject<HTMLElement | null>,
  { onMove, moveSideways, onMoved, onPickedUp, arrowsMoveFocus = false }: Moves,
) {
  const drag = useRef<{ at: number; from: number; y: number; frame: number }>(undefined)
  const pickedUp = useRef<{ handle: HTMLElement; from: number }>(undefined)
  const keepFocus = useFocusAfterMove(list)
  const rows = () => rowsOf(list.current)
  const rowOf = (target: EventTarget) => rows().findIndex((row) => row.contains(target as Node))

  const followPointer = () => {
    const now = drag.current
    if (!now) return
    scrollAtEdge(list.current, now.y)
    const overIndex = rowAt(rows(), now.y)
    if (overIndex !== now.at) now.at = onMove(now.at, overIndex) ?? now.at
    now.frame = requestAnimationFrame(followPointer)
  }
  const release = () => {
    const end = drag.current
    if (!end) return
    cancelAnimationFrame(end.frame)
    drag.current = undefined
    for (const row of rows()) delete row.dataset.dragged
    if (end.at !== end.from) onMoved(end.at)
  }
  useEffect(() => () => cancelAnimationFrame(drag.current?.frame ?? 0), [])

  const moveByKey = (from: number, to: number, control: HTMLElement) => {
    keepFocus(control, from)
    const at = onMove(from, to)
    if (at !== from) onMoved(at)
  }
  const moveAside = (from: number, step: number, control: HTMLElement) => {
    keepFocus(control, from)
    const at = moveSideways?.(from, step)
    if (at !== undefined) onMoved(at)
  }
  const walk = (control: HTMLElement, from: number, to: number) => {
    const nextControl = controlsOf(rows()[to])[placeInRow(control, rows()[from])]
    nextControl?.focus()
    if (nextControl) keepFocus(nextControl, to)
  }
  const drop = (isBack: boolean) => {
    const { handle, from } = pickedUp.current ?? {}
    if (!handle || from === undefined) return
    pickedUp.current = undefined
    handle.removeAttribute('aria-pressed')
    const at = rowOf(handle)
    if (isBack && at >= 0 && at !== from) moveByKey(at, from, handle)
    else onPickedUp?.(at, false)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      const handle = (event.target as Element).closest('[data-handle]')
      if (!handle || event.button !== 0) return
      const from = rowOf(event.target)
      const row = rows()[from]
      if (!row) return
      row.dataset.dragged = ''
      drag.current = { at: from, from, y: event.clientY, frame: requestAnimationFrame(followPointer) }
      // The list captures the pointer, because the row itself is removed and inserted again as it moves.
      list.current?.setPointerCapture(event.pointerId)
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (drag.current) drag.current.y = clientY
    },
    onPointerUp: release,
    onPointerCancel: release,
    onBlur: ({ target, relatedTarget }: { target: EventTarget; relatedTarget: EventTarget | null }) => {
      // A moving row loses the focus for a moment, without a new target; a user moves it to another element.
      if (relatedTarget && pickedUp.current?.handle === target) drop(false)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const from = rowOf(target)
      if (from < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
      const handle = target.closest<HTMLElement>('[data-handle]')
      const isPickedUp = !!handle && pickedUp.current?.handle === handle
      const to = STEPS[event.key] ? from + (STEPS[event.key] ?? 0) : ENDS[event.key]
      const take = () => {
        if (isPickedUp) return drop(false)
        pickedUp.current = handle ? { handle, from } : undefined
        handle?.setAttribute('aria-pressed', 'true')
        onPickedUp?.(from, true)
      }
      const act = () => {
        if (handle && (event.key === ' ' || event.key === 'Enter')) return take
        if (isPickedUp && event.key === 'Escape') return () => drop(true)
        const step = SIDE_STEPS[event.key]
        if (moveSideways && step && event.altKey) return () => moveAside(from, step, target)
        if (to === undefined) return
        if (event.altKey || isPickedUp) return () => moveByKey(from, to, target)
        if (event.key in STEPS && (arrowsMoveFocus || handle)) return () => walk(target, from, to)
      }
      const does = act()
      if (!does) return
      event.preventDefault()
      does()
    },
  }
}

const rowsOf = (list: Element | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]

/** The row at a vertical position on screen, or the nearest. */
const rowAt = (rows: HTMLElement[], clientY: number) => {
  const below = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom)
  return below < 0 ? rows.length - 1 : below
}

const controlsOf = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>('button, a') ?? [])]

const placeInRow = (target: Element, row: Element | undefined) =>
  Math.max(
    0,
    controlsOf(row).findIndex((control) => control.contains(target)),
  )

/**
 * Keeps the focus on the control that moved its row: the browser removes it when the row is removed and inserted again.
 * If the row has left the screen, the focus goes to the row in its place.
 */
function useFocusAfterMove(list: RefObject<HTMLElement | null>) {
  const focusedControl = useRef<{ control: HTMLElement; row: number; place: number }>(undefined)
  useLayoutEffect(() => {
    const { control, row, place } = focusedControl.current ?? {}
    if (!control || document.activeElement === control) return
    // The user has moved the focus.
    if (document.activeElement && document.activeElement !== document.body) {
      focusedControl.current = undefined
      return
    }
    const rows = rowsOf(list.current)
    const nextControl = control.isConnected
      ? control
      : controlsOf(rows[Math.min(row ?? 0, rows.length - 1)])[place ?? 0]
    nextControl?.focus({ preventScroll: true })
    nextControl?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
  })
  return (control: HTMLElement, row: number) => {
    focusedControl.current = { control, row, place: placeInRow(control, rowsOf(list.current)[row]) }
  }
}

const SCROLL_EDGE_PX = 48
const MAX_SCROLL_PX = 16

/** Scrolls the list's container while the pointer is near its upper or lower edge, faster the closer it is. */
function scrollAtEdge(list: Element | null, y: number) {
  const { container, top, bottom } = scrollerOf(list)
  const beyond =
    y < top + SCROLL_EDGE_PX ? y - top - SCROLL_EDGE_PX : y > bottom - SCROLL_EDGE_PX ? y - bottom + SCROLL_EDGE_PX : 0
  if (beyond) container.scrollBy(0, Math.max(-1, Math.min(1, beyond / SCROLL_EDGE_PX)) * MAX_SCROLL_PX)
}

function scrollerOf(list: Element | null): { container: Element; top: number; bottom: number } {
  for (let container = list; container && container !== document.documentElement; container = container.parentElement) {
    if (container.scrollHeight <= container.clientHeight || !/auto|scroll/.test(getComputedStyle(container).overflowY))
      continue
    const { top, bottom } = container.getBoundingClientRect()
    return { container, top, bottom }
  }
  // The page scrolls between the header and the player: its scroll padding gives their heights.
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  const parsePixels = (value: string) => Number.parseFloat(value) || 0
  return {
    container: document.documentElement,
    top: parsePixels(scrollPaddingTop),
    bottom: innerHeight - parsePixels(scrollPaddingBottom),
  }
}
