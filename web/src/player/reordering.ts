import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react'
import { flushSync } from 'react-dom'
import { playerActions } from './store.ts'

/**
 * Handlers that let the rows of a list be moved: by dragging the handle of a row, or with Alt and an arrow anywhere in
 * it. A row is `[data-row]`, its handle `[data-handle]`. `onMoved` is told the new place, counted from 0.
 */
export const useReordering = (list: RefObject<HTMLElement | null>, onMoved: (to: number) => void) => {
  const dragged = useRef<number>(undefined)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const rowOf = (target: EventTarget) => rows().findIndex((row) => row.contains(target as Node))

  const move = (from: number, to: number) => {
    if (from === to || !rows()[to]) return false
    playerActions.move(from, to)
    rows()[to]?.scrollIntoView({ block: 'nearest' })
    onMoved(to)
    return true
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      const onHandle = (event.target as Element).closest('[data-handle]')
      if (!onHandle || event.button !== 0) return
      dragged.current = rowOf(event.target)
      // The list keeps the pointer: the row itself is taken out and put back as it moves.
      list.current?.setPointerCapture(event.pointerId)
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (dragged.current === undefined) return
      const over = rowAt(rows(), clientY)
      if (move(dragged.current, over)) dragged.current = over
    },
    onPointerUp: () => {
      dragged.current = undefined
    },
    onPointerCancel: () => {
      dragged.current = undefined
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      const from = rowOf(event.target)
      if (!step || from < 0) return
      event.preventDefault()
      if (!event.altKey) return focusSame(event.target as Element, rows(), from, from + step)
      const place = placeInRow(event.target as Element, rows()[from])
      let done = false
      flushSync(() => {
        done = move(from, from + step)
      })
      if (done) controlsOf(rows()[from + step])[place]?.focus()
    },
  }
}

/** The row under a height on screen, or the nearest. */
const rowAt = (rows: HTMLElement[], clientY: number) => {
  const below = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom)
  return below < 0 ? rows.length - 1 : below
}

const controlsOf = (row: Element | undefined) => [...(row?.querySelectorAll<HTMLElement>('button') ?? [])]

const placeInRow = (target: Element, row: Element | undefined) =>
  Math.max(
    0,
    controlsOf(row).findIndex((control) => control.contains(target)),
  )

/** Moves the focus to the same control of another row. */
const focusSame = (target: Element, rows: HTMLElement[], from: number, to: number) =>
  controlsOf(rows[to])[placeInRow(target, rows[from])]?.focus()
