import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import * as texts from './texts.ts'

type Moves = {
  /**
   * Shows a row at another place, both counted from 0 among the rows on screen; ±Infinity is the very end. Answers where
   * it stands then, or undefined when it is no longer on screen.
   */
  move: (from: number, to: number) => number | undefined
  /** A row was let go somewhere else, or a key has moved it. */
  settled: (at: number | undefined) => void
  /**
   * Alt and an arrow to the side, -1 the left one, 1 the right one, for rows that stand below others. Answers where the row
   * stands then, or undefined when it stays as it is.
   */
  aside?: (from: number, step: number) => number | undefined
  /** Space took a row up, to be moved by the arrows alone, or put it down. */
  taken?: (at: number, isUp: boolean) => void
  /** The arrows alone walk along the rows from any control; without it only from a handle. */
  walks?: boolean
}

/** What is said of a row that Space took up, after its name. */
export const TAKEN_UP = texts.pickedUpUseTheArrow

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }
const ASIDE: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }
const ENDS: Record<string, number> = { Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }

/**
 * Handlers that let the rows of a list be moved: by dragging the handle of a row, with Alt and an arrow anywhere in it,
 * or with the arrows, Home and End after Space was pressed on its handle; the arrows alone go to the same control of the
 * next row. A row is `[data-row]`, its handle `[data-handle]`.
 */
export function useReordering(
  list: RefObject<HTMLElement | null>,
  { move, aside, settled, taken, walks = false }: Moves,
) {
  const drag = useRef<{ at: number; from: number; y: number; frame: number }>(undefined)
  const up = useRef<{ handle: HTMLElement; from: number }>(undefined)
  const keepFocus = useFocusThatStays(list)
  const rows = () => rowsOf(list.current)
  const rowOf = (target: EventTarget) => rows().findIndex((row) => row.contains(target as Node))

  const follow = () => {
    const now = drag.current
    if (!now) return
    scrollAtEdge(list.current, now.y)
    const over = rowAt(rows(), now.y)
    if (over !== now.at) now.at = move(now.at, over) ?? now.at
    now.frame = requestAnimationFrame(follow)
  }
  const letGo = () => {
    const end = drag.current
    if (!end) return
    cancelAnimationFrame(end.frame)
    drag.current = undefined
    for (const row of rows()) delete row.dataset.dragged
    if (end.at !== end.from) settled(end.at)
  }
  useEffect(() => () => cancelAnimationFrame(drag.current?.frame ?? 0), [])

  const moveByKey = (from: number, to: number, control: HTMLElement) => {
    keepFocus(control, from)
    const at = move(from, to)
    if (at !== from) settled(at)
  }
  const moveAside = (from: number, step: number, control: HTMLElement) => {
    keepFocus(control, from)
    const at = aside?.(from, step)
    if (at !== undefined) settled(at)
  }
  const walk = (control: HTMLElement, from: number, to: number) => {
    const there = controlsOf(rows()[to])[placeInRow(control, rows()[from])]
    there?.focus()
    if (there) keepFocus(there, to)
  }
  const putDown = (isBack: boolean) => {
    const { handle, from } = up.current ?? {}
    if (!handle || from === undefined) return
    up.current = undefined
    handle.removeAttribute('aria-pressed')
    const at = rowOf(handle)
    if (isBack && at >= 0 && at !== from) moveByKey(at, from, handle)
    else taken?.(at, false)
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      const handle = (event.target as Element).closest('[data-handle]')
      if (!handle || event.button !== 0) return
      const from = rowOf(event.target)
      const row = rows()[from]
      if (!row) return
      row.dataset.dragged = ''
      drag.current = { at: from, from, y: event.clientY, frame: requestAnimationFrame(follow) }
      // The list keeps the pointer: the row itself is taken out and put back as it moves.
      list.current?.setPointerCapture(event.pointerId)
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (drag.current) drag.current.y = clientY
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
    onBlur: ({ target, relatedTarget }: { target: EventTarget; relatedTarget: EventTarget | null }) => {
      // A row that moves loses the focus for a moment, to nothing; a person takes it elsewhere.
      if (relatedTarget && up.current?.handle === target) putDown(false)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const from = rowOf(target)
      if (from < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
      const handle = target.closest<HTMLElement>('[data-handle]')
      const isUp = !!handle && up.current?.handle === handle
      const to = STEPS[event.key] ? from + (STEPS[event.key] ?? 0) : ENDS[event.key]
      const take = () => {
        if (isUp) return putDown(false)
        up.current = handle ? { handle, from } : undefined
        handle?.setAttribute('aria-pressed', 'true')
        taken?.(from, true)
      }
      const act = () => {
        if (handle && (event.key === ' ' || event.key === 'Enter')) return take
        if (isUp && event.key === 'Escape') return () => putDown(true)
        const step = ASIDE[event.key]
        if (aside && step && event.altKey) return () => moveAside(from, step, target)
        if (to === undefined) return
        if (event.altKey || isUp) return () => moveByKey(from, to, target)
        if (event.key in STEPS && (walks || handle)) return () => walk(target, from, to)
      }
      const does = act()
      if (!does) return
      event.preventDefault()
      does()
    },
  }
}

const rowsOf = (list: Element | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]

/** The row under a height on screen, or the nearest. */
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
 * Keeps the focus on the control that moved its row: the browser takes it away from what is taken out and put back. Of a
 * row that has left the screen it goes to the one that stands in its place.
 */
function useFocusThatStays(list: RefObject<HTMLElement | null>) {
  const kept = useRef<{ control: HTMLElement; row: number; place: number }>(undefined)
  useLayoutEffect(() => {
    const { control, row, place } = kept.current ?? {}
    if (!control || document.activeElement === control) return
    // The person went elsewhere meanwhile.
    if (document.activeElement && document.activeElement !== document.body) {
      kept.current = undefined
      return
    }
    const rows = rowsOf(list.current)
    const there = control.isConnected ? control : controlsOf(rows[Math.min(row ?? 0, rows.length - 1)])[place ?? 0]
    there?.focus({ preventScroll: true })
    there?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
  })
  return (control: HTMLElement, row: number) => {
    kept.current = { control, row, place: placeInRow(control, rowsOf(list.current)[row]) }
  }
}

const EDGE_PX = 48
const FASTEST_PX = 16

/** Scrolls what the list scrolls in while the pointer is near its upper or lower edge, faster the nearer it is. */
function scrollAtEdge(list: Element | null, y: number) {
  const { box, top, bottom } = scrollerOf(list)
  const beyond = y < top + EDGE_PX ? y - top - EDGE_PX : y > bottom - EDGE_PX ? y - bottom + EDGE_PX : 0
  if (beyond) box.scrollBy(0, Math.max(-1, Math.min(1, beyond / EDGE_PX)) * FASTEST_PX)
}

function scrollerOf(list: Element | null): { box: Element; top: number; bottom: number } {
  for (let box = list; box && box !== document.documentElement; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY)) continue
    const { top, bottom } = box.getBoundingClientRect()
    return { box, top, bottom }
  }
  // The page scrolls between the header and the player: its scroll padding says where they are.
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  const pad = (value: string) => Number.parseFloat(value) || 0
  return { box: document.documentElement, top: pad(scrollPaddingTop), bottom: innerHeight - pad(scrollPaddingBottom) }
}
