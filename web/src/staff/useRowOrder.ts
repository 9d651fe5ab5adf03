import { type RefObject, useState } from 'react'
import { moveItem } from '../library/playlistOrder.ts'
import { format } from '../platform/message.ts'
import { PICKED_UP_MESSAGE, useReordering } from '../ui/useReordering.ts'
import * as texts from './texts.ts'

type Order<Row> = {
  /** As they stand on screen, the last move included. */
  rows: () => readonly Row[]
  /** Shows a row at another place, as near as it can stand there; answers where it stands then. */
  move: (from: number, to: number) => number
  /**
   * Alt and an arrow to the side, -1 the left one, 1 the right one, for rows that stand below others. Answers where the row
   * stands then, or in words why it stays as it is.
   */
  aside?: (from: number, step: number) => number | string
  nameOf: (row: Row) => string
  /** What is said of a row that was moved; its place among all, where nothing else is given. */
  saidOf?: (row: Row) => string
  /** Tells the server where a row stands now. */
  keep: (row: Row) => unknown
}

/** Handlers for a list whose rows staff put in order, and what is said of each move to whoever does not see it. */
export function useRowOrder<Row>(list: RefObject<HTMLElement | null>, order: Order<Row>) {
  const [said, setSaid] = useState('')
  const { rows, move, aside, nameOf, keep } = order
  const placeOf = (row: Row) =>
    format(texts.movedToOf, { nameOf: nameOf(row), indexOf: rows().indexOf(row) + 1, length: rows().length })
  const handlers = useReordering(list, {
    onMove: move,
    ...(aside && {
      moveSideways: (from, step) => {
        const at = aside(from, step)
        if (typeof at === 'number') return at
        setSaid(at)
      },
    }),
    onMoved: (at = 0) => {
      const row = rows()[at]
      if (row === undefined) return
      setSaid((order.saidOf ?? placeOf)(row))
      keep(row)
    },
    onPickedUp: (at, isUp) => {
      const row = rows()[at]
      if (row !== undefined) setSaid(`${nameOf(row)} ${isUp ? PICKED_UP_MESSAGE : 'dropped'}`)
    },
  })
  return { handlers, said }
}

/** Shows a row of a plain list at another place; answers where it stands then. */
export function moveAmong<Row>(rows: readonly Row[], from: number, to: number, show: (moved: Row[]) => void): number {
  const at = Math.max(0, Math.min(to, rows.length - 1))
  if (at !== from) show(moveItem(rows, from, at))
  return at
}
