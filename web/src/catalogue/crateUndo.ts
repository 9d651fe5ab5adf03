import type { catalogue } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { restoreSong } from '../library/crateChanges.ts'
import { isInCrate, toggleCrate, useLibrary } from '../library/library.ts'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

type UndoText = typeof texts.addedToYourCrate | typeof texts.removedFromYourCrate

const offerUndo = (text: UndoText, { title }: catalogue.Song, run: () => void) =>
  toast({ message: format(text, { title }), action: { label: texts.undo, run } })

/** Removes a song from the crate. The crate itself offers to restore a song that was removed from it. */
export async function removeWithUndo(song: catalogue.Song) {
  const { crateVersions } = useLibrary.getState()
  await toggleCrate(song)
  if (isInCrate(song.entity_id) || location.pathname === '/crate') return
  void offerUndo(texts.removedFromYourCrate, song, () => void restoreSong(song, crateVersions, undefined))
}

/** Adds a song to the crate unless it is there already. */
export async function addWithUndo(song: catalogue.Song, add: (song: catalogue.Song) => Promise<void>) {
  if (isInCrate(song.entity_id)) return toast({ message: texts.alreadyInYourCrate })
  await add(song)
  if (isInCrate(song.entity_id)) void offerUndo(texts.addedToYourCrate, song, () => void toggleCrate(song))
}
