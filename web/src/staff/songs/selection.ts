import { create } from 'zustand'
import type { Selection as TableSelection } from '../../admin/useSelection.ts'
import { cachedSong, type NamedSong, type Song } from './songActions.ts'

type Selection = {
  /** Revisions by entity_id, as of when the songs were selected. */
  songs: ReadonlyMap<number, number>
  /** Start of a range. */
  anchor: number | undefined
}

export const useSelection = create<Selection>(() => ({ songs: new Map(), anchor: undefined }))

/** The selected songs, with their latest known values. */
export const selectedSongs = (songs: Selection['songs']): NamedSong[] =>
  [...songs].map(([entity_id, revision]) => ({ entity_id, revision: cachedSong(entity_id)?.revision ?? revision }))

export const clearSelection = () => useSelection.setState({ songs: new Map(), anchor: undefined })

/** Adds these songs to the selection, or removes them from it. */
export const select = (songs: readonly NamedSong[], isOn: boolean, anchor?: number) =>
  useSelection.setState((was) => {
    const next = new Map(was.songs)
    for (const { entity_id, revision } of songs) {
      if (isOn) next.set(entity_id, revision)
      else next.delete(entity_id)
    }
    return { songs: next, anchor: anchor ?? was.anchor }
  })

/** Selects only these songs. */
export const selectOnly = (songs: readonly NamedSong[]) =>
  useSelection.setState({
    songs: new Map(songs.map(({ entity_id, revision }) => [entity_id, revision])),
    anchor: undefined,
  })

/** Toggles one row; with `isRange`, selects all rows from the last toggled one. */
export function selectRow(page: readonly NamedSong[], entityId: number, { isRange }: { isRange: boolean }): void {
  const { songs, anchor } = useSelection.getState()
  const indexOf = (id: number | undefined) => page.findIndex(({ entity_id }) => entity_id === id)
  const [at, from] = [indexOf(entityId), indexOf(anchor)]
  const own = page[at]
  if (!own) return
  if (!isRange || anchor === undefined) select([own], !songs.has(entityId), entityId)
  else select(from < 0 ? [own] : page.slice(Math.min(at, from), Math.max(at, from) + 1), true)
}

/** The selection as its table needs it. It is kept while the page, the filters and the screen change. */
export function useSongSelection(page: readonly Song[] = []): TableSelection<Song> {
  const songs = useSelection((selection) => selection.songs)
  const isSelected = ({ entity_id }: Song) => songs.has(entity_id)
  const selected = page.filter(isSelected)
  const isPageSelected = page.length > 0 && selected.length === page.length
  return {
    count: songs.size,
    ...{ selected, isSelected, isPageSelected },
    toggle: ({ entity_id }, isRange) => selectRow(page, entity_id, { isRange }),
    togglePage: () => select(page, !isPageSelected),
    clear: clearSelection,
  }
}
