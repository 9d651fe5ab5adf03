import type { catalogue } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { isInCrate, toggleCrate } from '../library/library.ts'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Adds a song to the crate unless it is there already, with an undo. */
export async function addSongToCrate(song: catalogue.Song) {
  if (isInCrate(song.entity_id)) return toast({ message: texts.alreadyInYourCrate })
  await toggleCrate(song)
  if (!isInCrate(song.entity_id)) return
  void toast({
    message: format(texts.addedToYourCrate, { title: song.title }),
    action: { label: texts.undo, run: () => void toggleCrate(song) },
  })
}
