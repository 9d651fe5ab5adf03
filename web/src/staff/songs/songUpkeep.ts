import { type InputOf, merging } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

/** A merged or split song may be in any list. */
const renewEverything = () => queryClient.invalidateQueries()

const named = ({ title, artist }: { title: string; artist: string }) => `${artist} – ${title}`

/** Returns the id of the remaining song. Throws an `ApiError` when the server rejects the change. */
export async function mergeSongs(wish: InputOf<typeof merging.mergeSongs>): Promise<number> {
  const done = await callApi(merging.mergeSongs, wish)
  const [gone, ...more] = wish.entity_ids.map(Number).filter((id) => id !== done.entity_id)
  const undo = {
    label: texts.undo,
    run: () => void undoMerge(gone ?? 0).catch((error) => toastError(texts.couldntUndo, error)),
  }
  // Several merged songs are split again one by one, on the song's page.
  void toast({
    message: format(texts.songMergedInto, { named: named(done) }),
    ...(gone && more.length === 0 ? { action: undo } : {}),
  })
  await renewEverything()
  return done.entity_id
}

/** Returns the id of the new song. Throws an `ApiError` when the server rejects the change. */
export async function splitSong(wish: InputOf<typeof merging.splitSong>): Promise<number> {
  const { entity_id } = await callApi(merging.splitSong, wish)
  void toast({ message: format(texts.isNowASeparateSong, { named: named(wish) }) })
  await renewEverything()
  return entity_id
}

/** Throws an `ApiError` when the server rejects the change. */
export async function undoMerge(entity_id: number): Promise<number> {
  await callApi(merging.undoMerge, { entity_id })
  void toast({ message: texts.mergeUndoneBothSongsAre })
  await renewEverything()
  return entity_id
}
