import { type COLUMNS, columnsToText, isColumnOn, KEYS, type ListView, useListView } from './listView.ts'

function change(view: Partial<ListView>) {
  useListView.setState(view)
  const { chosen, density } = useListView.getState()
  try {
    localStorage.setItem(KEYS.chosen, columnsToText(chosen))
    localStorage.setItem(KEYS.density, density)
  } catch {
    // Without storage (some private windows) a choice lasts until the page is reloaded.
  }
}

/** Switches a column of a list of this width on or off, in all lists. */
export function toggleColumn(column: (typeof COLUMNS)[number], width: number) {
  const { chosen } = useListView.getState()
  change({ chosen: { ...chosen, [column.name]: !isColumnOn(column, chosen, width) } })
}

export const toggleDensity = () =>
  change({ density: useListView.getState().density === 'compact' ? 'comfortable' : 'compact' })
