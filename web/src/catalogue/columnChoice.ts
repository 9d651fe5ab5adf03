import { COLUMNS, type Column, KEYS, type ListView, useListView } from './listView.ts'

function change(view: Partial<ListView>) {
  useListView.setState(view)
  const { toggled, density } = useListView.getState()
  try {
    localStorage.setItem(KEYS.toggled, toggled.join(' '))
    localStorage.setItem(KEYS.density, density)
  } catch {
    // Without storage (some private windows) a choice lasts until the page is reloaded.
  }
}

export function toggleColumn(column: Column) {
  const { toggled } = useListView.getState()
  change({
    toggled: COLUMNS.map(({ name }) => name).filter((name) => toggled.includes(name) !== (name === column)),
  })
}

export const toggleDensity = () =>
  change({ density: useListView.getState().density === 'compact' ? 'comfortable' : 'compact' })
