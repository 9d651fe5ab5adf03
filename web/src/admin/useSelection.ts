import { useState } from 'react'

export type Selection<Row> = {
  /** The number of selected rows, also on other pages. */
  count: number
  /** The selected rows of this page. */
  selected: Row[]
  isSelected: (row: Row) => boolean
  isPageSelected: boolean
  /** With `isRange`, all rows from the one toggled last to this one get its new state. */
  toggle: (row: Row, isRange: boolean) => void
  togglePage: () => void
  clear: () => void
}

/** The selected rows of a table. Rows that have left the page are not selected. */
export function useSelection<Row>(rows: readonly Row[] = [], idOf: (row: Row) => string | number): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string | number>>(new Set())
  const [lastToggled, setLastToggled] = useState<string | number>()
  const isSelected = (row: Row) => ids.has(idOf(row))
  const selected = rows.filter(isSelected)
  const isPageSelected = rows.length > 0 && selected.length === rows.length

  const toggle = (row: Row, isRange: boolean) => {
    const to = rows.indexOf(row)
    const last = rows.findIndex((each) => idOf(each) === lastToggled)
    const from = isRange && last >= 0 ? last : to
    const isOn = !isSelected(row)
    const changed = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
    setIds((before) => {
      const after = new Set(before)
      for (const each of changed) {
        if (isOn) after.add(idOf(each))
        else after.delete(idOf(each))
      }
      return after
    })
    setLastToggled(idOf(row))
  }
  const clear = () => setIds(new Set())
  const togglePage = () => (isPageSelected ? clear() : setIds(new Set(rows.map(idOf))))
  return { count: selected.length, selected, isSelected, isPageSelected, toggle, togglePage, clear }
}
