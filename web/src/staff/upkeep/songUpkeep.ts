import { type InputOf, merging } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

/** A song that is another one now may stand in any list. */
const renewEverything = () => queryClient.invalidateQueries()

const named = ({ title, artist }: { title: string; artist: string }) => `${artist} – ${title}`

/** Throws what the server refuses. Answers the number of the song that stayed. */
export async function mergeSongs(wish: InputOf<typeof merging.mergeSongs>): Promise<number> {
  const done = await callApi(merging.mergeSongs, wish)
  const [gone, ...more] = wish.entity_ids.map(Number).filter((id) => id !== done.entity_id)
  const undo = {
    label: texts.undo,
    run: () => void undoMerge(gone ?? 0).catch((error) => toastError(texts.couldntUndo, error)),
  }
  // More than one are taken out again one by one, on the page of the song.
  void toast({
    message: format(texts.songMergedInto, { named: named(done) }),
    ...(gone && more.length === 0 ? { action: undo } : {}),
  })
  await renewEverything()
  return done.entity_id
}

/** Throws what the server refuses. Answers the number of the new song. */
export async function splitSong(wish: InputOf<typeof merging.splitSong>): Promise<number> {
  const { entity_id } = await callApi(merging.splitSong, wish)
  void toast({ message: format(texts.isNowASeparateSong, { named: named(wish) }) })
  await renewEverything()
  return entity_id
}

/** Throws what the server refuses. */
export async function undoMerge(entity_id: number): Promise<number> {
  await callApi(merging.undoMerge, { entity_id })
  void toast({ message: texts.mergeUndoneBothSongsAre })
  await renewEverything()
  return entity_id
}
