import { create } from 'zustand'
import { between } from './gridKeys.ts'
import { knownSong, type NamedSong } from './songDeeds.ts'

type Selection = {
  /** Revisions by entity_id, as of when the songs were selected. */
  songs: ReadonlyMap<number, number>
  /** Start of a range. */
  anchor: number | undefined
}

export const useSelection = create<Selection>(() => ({ songs: new Map(), anchor: undefined }))

/** The selected songs, with their latest known values. */
export const selectedSongs = (songs: Selection['songs']): NamedSong[] =>
  [...songs].map(([entity_id, revision]) => ({ entity_id, revision: knownSong(entity_id)?.revision ?? revision }))

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
  const byId = new Map(page.map((song) => [song.entity_id, song]))
  const own = byId.get(entityId)
  if (!own) return
  if (!isRange || anchor === undefined) {
    select([own], !songs.has(entityId), entityId)
    return
  }
  const ids = between([...byId.keys()], anchor, entityId)
  select(
    ids.flatMap((id) => byId.get(id) ?? []),
    true,
  )
}
