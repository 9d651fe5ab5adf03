import { create } from 'zustand'
import { between } from './gridKeys.ts'
import { knownSong, type NamedSong } from './songDeeds.ts'

type Selection = {
  /** Revisions by entity_id, as they were when the songs were selected. */
  songs: ReadonlyMap<number, number>
  /** Where a range begins. */
  anchor: number | undefined
}

export const useSelection = create<Selection>(() => ({ songs: new Map(), anchor: undefined }))

/** The selected songs as they are known now. */
export const selectedSongs = (songs: Selection['songs']): NamedSong[] =>
  [...songs].map(([entity_id, revision]) => ({ entity_id, revision: knownSong(entity_id)?.revision ?? revision }))

export const clearSelection = () => useSelection.setState({ songs: new Map(), anchor: undefined })

/** Selects these beside what is selected, or lets them go. */
export const select = (songs: readonly NamedSong[], isOn: boolean, anchor?: number) =>
  useSelection.setState((was) => {
    const next = new Map(was.songs)
    for (const { entity_id, revision } of songs) {
      if (isOn) next.set(entity_id, revision)
      else next.delete(entity_id)
    }
    return { songs: next, anchor: anchor ?? was.anchor }
  })

/** Selects these alone. */
export const selectOnly = (songs: readonly NamedSong[]) =>
  useSelection.setState({
    songs: new Map(songs.map(({ entity_id, revision }) => [entity_id, revision])),
    anchor: undefined,
  })

/** One row more or less; with `isRange` all from where the last one was. */
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
