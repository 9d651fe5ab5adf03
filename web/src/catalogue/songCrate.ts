import type { catalogue } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { isInCrate, toggleCrate, useLibrary } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { isSignedIn } from '../platform/session.ts'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Adds the preferred version of a song to the crate, or removes all of its versions, with an undo. */
export async function toggleSongInCrate(song: catalogue.Song): Promise<void> {
  const { crateVersions } = useLibrary.getState()
  if (!isInCrate(song.entity_id)) return toggleCrate(song, preferredVersion(song))
  await toggleCrate(song)
  // The crate itself offers to restore a song that was removed from it.
  if (isInCrate(song.entity_id) || location.pathname === '/crate') return
  const { restoreSong } = await import('../library/crateChanges.ts')
  void toast({
    message: format(texts.removedFromYourCrate, { title: song.title }),
    action: { label: texts.undo, run: () => void restoreSong(song, crateVersions, undefined) },
  })
}

/** Adds the preferred version of a song to the crate, with an undo. */
export async function addSongToCrate(song: catalogue.Song): Promise<void> {
  if (isSignedIn() && isInCrate(song.entity_id)) return toast({ message: texts.alreadyInYourCrate })
  const version = preferredVersion(song)
  await toggleCrate(song, version)
  if (!isInCrate(song.entity_id)) return
  void toast({
    message: format(texts.addedToYourCrate, { title: song.title }),
    action: { label: texts.undo, run: () => void toggleCrate(song, version) },
  })
}
