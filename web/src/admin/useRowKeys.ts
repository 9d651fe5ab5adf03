import type { KeyboardEvent } from 'react'
import type { TableProps } from './ResourceTable.tsx'
import { actionsFor } from './RowMenu.tsx'

/** Whether an event belongs to a link, button or field in the row, and not to the row itself. */
export const isInControl = (target: EventTarget) =>
  (target as Element).closest('a, button, input, label, [role=menuitem]') !== null

/** j and k move between rows, x selects, Enter opens; then the keys of the table's own actions. */
export function useRowKeys<Row>(
  { onOpen, rowActions = [], bulkActions }: TableProps<Row>,
  toggle: (row: Row, isRange: boolean) => void,
) {
  return (event: KeyboardEvent<HTMLElement>, row: Row) => {
    const { currentTarget, target, key, shiftKey, ctrlKey, metaKey, altKey } = event
    // Controls in the row use the keys themselves.
    if (target !== currentTarget || ctrlKey || metaKey || altKey) return
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    if (step) focusRowBeside(currentTarget, step)
    else if (key.toLowerCase() === 'x' && bulkActions) toggle(row, shiftKey)
    else if (key === 'Enter' && onOpen) onOpen(row)
    else {
      const action = actionsFor(row, rowActions).find((each) => each.key === key.toLowerCase())
      if (!action || event.repeat) return
      action.run(row)
    }
    event.preventDefault()
  }
}

function focusRowBeside(row: HTMLElement, step: number) {
  const beside = step > 0 ? row.nextElementSibling : row.previousElementSibling
  if (!(beside instanceof HTMLElement) || !beside.matches('[data-row]')) return
  beside.focus({ preventScroll: true })
  beside.scrollIntoView({ block: 'nearest' })
}
