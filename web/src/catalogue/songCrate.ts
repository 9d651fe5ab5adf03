import type { catalogue } from '@dubplate/contract'
import { isInCrate, toggleCrate } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'

const addPreferred = (song: catalogue.Song) => toggleCrate(song, preferredVersion(song))

/** Adds the preferred version of a song to the crate, or removes all of its versions, with an undo. */
export function toggleSongInCrate(song: catalogue.Song): void {
  if (!isInCrate(song.entity_id)) return void addPreferred(song)
  // Without that code (offline) nothing could be removed either.
  import('./crateUndo.ts').then(
    ({ removeWithUndo }) => removeWithUndo(song),
    () => undefined,
  )
}

/** Adds the preferred version of a song to the crate, with an undo. */
export function addSongToCrate(song: catalogue.Song): void {
  import('./crateUndo.ts').then(
    ({ addWithUndo }) => addWithUndo(song, addPreferred),
    () => undefined,
  )
}
