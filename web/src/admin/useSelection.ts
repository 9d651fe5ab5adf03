import { useState } from 'react'

/** The selected rows of a table. Rows that have left the page are not selected. */
export function useSelection<Row>(rows: readonly Row[] = [], idOf: (row: Row) => string | number) {
  const [ids, setIds] = useState<ReadonlySet<string | number>>(new Set())
  const [lastToggled, setLastToggled] = useState<string | number>()
  const isSelected = (row: Row) => ids.has(idOf(row))
  const selected = rows.filter(isSelected)
  const isPageSelected = rows.length > 0 && selected.length === rows.length

  /** With `isRange`, all rows from the one toggled last to this one get its new state. */
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
  return { selected, isSelected, isPageSelected, toggle, togglePage, clear }
}
