import { create } from 'zustand'

/** The columns that can be hidden. */
export const COLUMNS = ['wave', 'genre', 'bpm', 'key', 'date'] as const
export type Column = (typeof COLUMNS)[number]

const KEY = 'dubplate.columns'

/** Hidden columns are stored (separated by spaces), so that columns added by a release are shown to everyone. */
function readHidden(): Column[] {
  try {
    const storedColumns = localStorage.getItem(KEY)?.split(' ') ?? []
    return COLUMNS.filter((column) => storedColumns.includes(column))
  } catch {
    return []
  }
}

export const useColumns = create<{ hidden: Column[] }>(() => ({ hidden: readHidden() }))

export function toggleColumn(column: Column) {
  const { hidden } = useColumns.getState()
  const next = COLUMNS.filter((each) => hidden.includes(each) !== (each === column))
  useColumns.setState({ hidden: next })
  try {
    localStorage.setItem(KEY, next.join(' '))
  } catch {
    // Without storage (some private windows) a choice lasts until the page is reloaded.
  }
}

// A choice made in one tab applies in the others.
addEventListener('storage', ({ key }) => {
  if (key === KEY) useColumns.setState({ hidden: readHidden() })
})
