import { type InputOf, merging } from '@dubplate/contract'
import { ask } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast, toastTrouble } from '../../ui/toast.ts'

/** A song that is another one now may stand in any list. */
const renewEverything = () => queryClient.invalidateQueries()

const named = ({ title, artist }: { title: string; artist: string }) => `${artist} – ${title}`

/** Throws what the server refuses. Answers the number of the song that stayed. */
export async function mergeSongs(wish: InputOf<typeof merging.mergeSongs>): Promise<number> {
  const done = await ask(merging.mergeSongs, wish)
  const [gone, ...more] = wish.entity_ids.map(Number).filter((id) => id !== done.entity_id)
  const undo = {
    label: 'Undo',
    run: () => void undoMerge(gone ?? 0).catch((error) => toastTrouble('Couldn’t undo', error)),
  }
  // More than one are taken out again one by one, on the page of the song.
  void toast({ message: `Merged into ${named(done)}`, ...(gone && more.length === 0 ? { action: undo } : {}) })
  await renewEverything()
  return done.entity_id
}

/** Throws what the server refuses. Answers the number of the new song. */
export async function splitSong(wish: InputOf<typeof merging.splitSong>): Promise<number> {
  const { entity_id } = await ask(merging.splitSong, wish)
  void toast({ message: `${named(wish)} is now a separate song` })
  await renewEverything()
  return entity_id
}

/** Throws what the server refuses. */
export async function undoMerge(entity_id: number): Promise<number> {
  await ask(merging.undoMerge, { entity_id })
  void toast({ message: 'Merge undone. Both songs are back.' })
  await renewEverything()
  return entity_id
}
