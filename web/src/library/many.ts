import { type catalogue, library } from '@dubplate/contract'
import { openDialog } from '../platform/address.ts'
import { ask } from '../platform/api.ts'
import { plural } from '../platform/format.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { isFavourite, isInCrate, loadCrate, loadFavourites, useLibrary } from './library.ts'

type Songs = catalogue.Song[]

/** Calls that are under way at once, where each thing needs one of its own. */
const AT_ONCE = 6

/** Runs work for each item, a few at a time. Throws the first trouble after all that had begun are through. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const troubles: unknown[] = []
  const runner = async () => {
    for (let item = waiting.shift(); item !== undefined && troubles.length === 0; item = waiting.shift()) {
      await work(item).catch((error) => troubles.push(error))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runner))
  if (troubles.length) throw troubles[0]
}

type Kind = {
  isIn: (songId: number) => boolean
  toggle: (songId: number) => Promise<unknown>
  /** Shows songs as kept at once, before the server knows. */
  show: (songIds: number[]) => void
  /** What the server says. */
  load: () => Promise<unknown>
  page: string
  into: string
  outOf: string
}

const CRATE: Kind = {
  isIn: isInCrate,
  toggle: (songId) => ask(library.crateAddRemove, { songId }),
  show: (songIds) =>
    useLibrary.setState(({ crateSongs }) => ({
      crateSongs: new Set([...crateSongs, ...songIds]),
      crateCount: new Set([...crateSongs, ...songIds]).size,
    })),
  load: loadCrate,
  page: library.crateIndex.path,
  into: 'put in your crate',
  outOf: 'Not all songs are in your crate',
}

const FAVOURITES: Kind = {
  isIn: isFavourite,
  toggle: (songId) => ask(library.favouriteAddRemove, { songId }),
  show: (songIds) => useLibrary.setState(({ favourites }) => ({ favourites: new Set([...favourites, ...songIds]) })),
  load: loadFavourites,
  page: library.favouriteIndex.path,
  into: 'added to your favourites',
  outOf: 'Not all songs are among your favourites',
}

/** Puts what is not there yet, shows it at once, says what became of it and offers the way back. */
async function keep(songs: Songs, kind: Kind) {
  if (!isSignedIn()) return openDialog('sign-in')
  const ids = songs.map(({ entity_id }) => entity_id).filter((id) => !kind.isIn(id))
  if (ids.length === 0)
    return void toast({ message: songs.length === 1 ? 'It is there already.' : 'All of them are there already.' })
  kind.show(ids)
  try {
    await eachOf(ids, kind.toggle)
    void toast({
      message: `${plural(ids.length, 'song')} ${kind.into}.`,
      action: { label: 'Undo', run: () => void takeBack(ids, kind) },
    })
  } catch (error) {
    void toastTrouble(kind.outOf, error)
  }
  await renew(kind)
}

async function takeBack(ids: number[], kind: Kind) {
  try {
    // What was taken out meanwhile stays out: a toggle would bring it back.
    await eachOf(ids.filter(kind.isIn), kind.toggle)
  } catch (error) {
    void toastTrouble('Not all of it was undone', error)
  }
  await renew(kind)
}

const renew = (kind: Kind) =>
  Promise.allSettled([kind.load(), queryClient.invalidateQueries({ queryKey: [kind.page] })])

export const putInCrate = (songs: Songs) => keep(songs, CRATE)
export const addToFavourites = (songs: Songs) => keep(songs, FAVOURITES)
