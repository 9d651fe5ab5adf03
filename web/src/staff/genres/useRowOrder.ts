import { type RefObject, useState } from 'react'
import { format } from '../../platform/message.ts'
import { useReordering } from '../../ui/useReordering.ts'
import * as texts from './texts.ts'

type Order<Row> = {
  /** The rows as currently shown, including the last move. */
  rows: () => readonly Row[]
  /** Moves a row, as near to the requested index as possible. Returns its new index. */
  move: (from: number, to: number) => number
  /**
   * Alt and a side arrow, -1 for left and 1 for right, for rows in a tree. Returns the new index of the row, or a
   * message saying why it stays.
   */
  aside?: (from: number, step: number) => number | string
  nameOf: (row: Row) => string
  /** The announcement for a moved row; by default its position among all rows. */
  saidOf?: (row: Row) => string
  /** Saves the row's new position on the server. */
  keep: (row: Row) => unknown
}

/** Handlers for a list that staff reorder, with screen-reader announcements of each move. */
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
      if (row !== undefined) setSaid(format(isUp ? texts.rowPickedUp : texts.rowDropped, { name: nameOf(row) }))
    },
  })
  return { handlers, said }
}
