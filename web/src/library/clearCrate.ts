import { type catalogue, library } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { plural } from '../platform/format.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { loadCrate, useLibrary } from './library.ts'
import { eachOf } from './many.ts'

const reload = () => Promise.all([loadCrate(), queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })])

type Held = { songId: number; versionId?: number }

/** The calls that put a song back as it was: the whole song where all of it was in, else each version that was. */
export function callsFor({ entity_id, version }: catalogue.Song, held: ReadonlySet<number>): Held[] {
  const ids = version.map(({ song_version_id }) => song_version_id).filter((id) => held.has(id))
  // Of a song that was put in just now the versions are not known: it went in whole.
  if (ids.length === 0 || ids.length === version.length) return [{ songId: entity_id }]
  return ids.map((versionId) => ({ songId: entity_id, versionId }))
}

const PAGE = 100

/** Everything in the crate as the calls that put it back. */
async function contents(): Promise<Held[]> {
  const { crateVersions, crateCount } = useLibrary.getState()
  const pages = Array.from({ length: Math.ceil(crateCount / PAGE) }, (_, n) =>
    ask(library.crateIndex, { page: n + 1, pageLimit: PAGE }),
  )
  return (await Promise.all(pages)).flatMap(({ songs }) => songs.flatMap((song) => callsFor(song, crateVersions)))
}

/** Puts back what was in the crate, a few calls at a time: a crate of 400 versions is some 80 songs, and as many calls. */
async function putBack(held: Held[]) {
  try {
    // The last one first: the crate shows what went in last at its head.
    await eachOf(held.toReversed(), (item) => ask(library.crateAddRemove, item))
    void toast({ message: 'Your crate is as it was.' })
  } catch (error) {
    void toastTrouble('Not everything is back in your crate', error)
  } finally {
    await reload()
  }
}

/** Empties the crate, and offers to put everything back. */
export async function clearCrate() {
  try {
    await loadCrate()
    const held = await contents()
    const { cleared } = await ask(library.clearCrates, {})
    await reload()
    void toast({
      title: 'Crate cleared',
      message: `${plural(cleared, 'version')} taken out.`,
      action: { label: 'Undo', run: () => void putBack(held) },
    })
  } catch (error) {
    void toastTrouble('Your crate was not cleared', error)
  }
}
