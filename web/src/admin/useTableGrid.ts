import type { ComponentType, KeyboardEvent, MouseEvent, RefObject, TdHTMLAttributes } from 'react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { positionAfter } from './gridKeys.ts'
import type { Column } from './ResourceTable.tsx'

export type GridCell<Row> = {
  row: Row
  /** The id of its column; 'select' for the checkbox. */
  column: string
  element: HTMLElement
  /** Moves the focus by this many rows and columns. */
  move: (rows: number, columns: number) => void
}

export type GridCellProps<Row> = {
  row: Row
  column: Column<Row>
  /** The properties of its `td`. */
  cell: TdHTMLAttributes<HTMLTableCellElement>
}

/** What makes a table a grid, in which the keyboard moves between cells. */
export type TableGrid<Row> = {
  /** A cell, as a `td`. It can render itself again without its row. */
  Cell: ComponentType<GridCellProps<Row>>
  /** Handles a key in a cell before the keys that move; returns true if it has. */
  onKey: (event: KeyboardEvent, cell: GridCell<Row>) => boolean
  onClick: (event: MouseEvent, cell: GridCell<Row>) => void
  onDoubleClick: (event: MouseEvent, cell: GridCell<Row>) => void
}

type Id = string | number

type Options<Row> = {
  table: RefObject<HTMLTableElement | null>
  grid: TableGrid<Row> | undefined
  rows: readonly Row[] | undefined
  idOf: (row: Row) => Id
  columnIds: readonly string[]
}

/** Controls that keep the focus when they are clicked. */
const OWN_FOCUS = 'input:not([type=checkbox]), select'

/** Which cell of a grid Tab reaches, and the events of its table. */
export function useTableGrid<Row>({ table, grid, rows = [], idOf, columnIds }: Options<Row>) {
  const [focused, setFocused] = useState<{ id: Id; column: string }>()
  const focus = (id: Id, column: string) =>
    setFocused((was) => (was?.id === id && was.column === column ? was : { id, column }))

  const focusAt = (index: number, columnIndex: number) => {
    const [row, column] = [rows[index], columnIds[columnIndex]]
    if (!row || !column) return
    // Renders the row, if it was too far away.
    flushSync(() => focus(idOf(row), column))
    const cell = table.current?.querySelector<HTMLElement>(`[data-index="${index}"] > [data-column="${column}"]`)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const cellOf = (target: EventTarget): (GridCell<Row> & { index: number; columnIndex: number }) | undefined => {
    const element = (target as Element).closest<HTMLElement>('td[data-column]')
    const index = Number(element?.closest<HTMLElement>('[data-index]')?.dataset.index)
    const [row, column] = [rows[index], element?.dataset.column]
    if (!element || !row || !column) return undefined
    const columnIndex = columnIds.indexOf(column)
    const move = (down: number, right: number) =>
      focusAt(clamp(index + down, rows.length), clamp(columnIndex + right, columnIds.length))
    return { row, column, element, move, index, columnIndex }
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    const cell = cellOf(event.target)
    if (!grid || !cell || event.altKey) return
    if (!grid.onKey(event, cell)) {
      const size = { rows: rows.length, cols: columnIds.length }
      const position =
        event.target === cell.element && positionAfter({ row: cell.index, col: cell.columnIndex }, event, size)
      if (!position) return
      focusAt(position.row, position.col)
    }
    // The player's keys are the same.
    event.preventDefault()
    event.stopPropagation()
  }

  const handleClick = (event: MouseEvent) => {
    const cell = cellOf(event.target)
    if (!grid || !cell || (event.target as Element).closest(OWN_FOCUS)) return
    cell.element.focus({ preventScroll: true })
    grid.onClick(event, cell)
  }

  return {
    focused,
    tableProps: grid && {
      role: 'grid',
      'aria-multiselectable': true,
      'aria-rowcount': rows.length + 1,
      'aria-colcount': columnIds.length,
      onKeyDown: handleKeyDown,
      onClick: handleClick,
      onDoubleClick: (event: MouseEvent) => {
        const cell = cellOf(event.target)
        if (cell) grid.onDoubleClick(event, cell)
      },
      // Shift and a click select rows, not the text of the table.
      onMouseDown: (event: MouseEvent) => event.shiftKey && cellOf(event.target) && event.preventDefault(),
      onFocus: ({ target }: { target: EventTarget }) => {
        const cell = cellOf(target)
        if (cell?.element === target) focus(idOf(cell.row), cell.column)
      },
    },
  }
}

const clamp = (index: number, length: number) => Math.max(0, Math.min(index, length - 1))
