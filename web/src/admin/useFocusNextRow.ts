import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * When the focused row of a table disappears, for example because it was decided, the focus moves to the row that takes
 * its place, so that its keys keep working.
 */
export function useFocusNextRow(table: RefObject<HTMLElement | null>, rows: unknown) {
  const focused = useRef<{ row: Element; index: number; column: string | undefined }>(undefined)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const row = (target as Element).closest('[data-row]')
      const column = (target as Element).closest<HTMLElement>('[data-column]')?.dataset.column
      focused.current = row?.parentElement
        ? { row, index: [...row.parentElement.children].indexOf(row), column }
        : undefined
    }
    const element = table.current
    element?.addEventListener('focusin', remember)
    return () => element?.removeEventListener('focusin', remember)
  }, [table])
  // The rows on screen have changed.
  useLayoutEffect(() => {
    if (!focused.current || focused.current.row.isConnected || document.activeElement !== document.body) return
    const left = table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    const { index, column } = focused.current
    const next = left[Math.min(index, left.length - 1)]
    const cell = column && next?.querySelector<HTMLElement>(`[data-column="${column}"]`)
    ;(cell || next)?.focus({ preventScroll: true })
  }, [rows, table])
}
