import { type catalogue, type Endpoint, type InputOf, library } from '@dubplate/contract'
import { openDialog } from '../platform/address.ts'
import { ask } from '../platform/api.ts'
import { plural } from '../platform/format.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { isFavourite, isInCrate, loadCrate, loadFavourites, useLibrary } from './library.ts'
import * as texts from './texts.ts'

type Change = { song_ids: number[]; action: 'add' | 'remove' }

type Kind = {
  isIn: (songId: number) => boolean
  change: (change: Change) => Promise<unknown>
  /** Shows songs as kept at once, before the server knows. */
  show: (songIds: number[]) => void
  /** What the server says. */
  load: () => Promise<unknown>
  page: string
  into: string
  outOf: string
}

const changeBy =
  <E extends Endpoint>(call: E) =>
  (change: Change) =>
    ask(call, change as InputOf<E>)

const CRATE: Kind = {
  isIn: isInCrate,
  change: changeBy(library.crateChange),
  show: (songIds) =>
    useLibrary.setState(({ crateSongs }) => ({
      crateSongs: new Set([...crateSongs, ...songIds]),
      crateCount: new Set([...crateSongs, ...songIds]).size,
    })),
  load: loadCrate,
  page: library.crateIndex.path,
  into: 'added to your crate',
  outOf: texts.couldntAddToCrate,
}

const FAVOURITES: Kind = {
  isIn: isFavourite,
  change: changeBy(library.favouriteChange),
  show: (songIds) => useLibrary.setState(({ favourites }) => ({ favourites: new Set([...favourites, ...songIds]) })),
  load: loadFavourites,
  page: library.favouriteIndex.path,
  into: 'added to your favourites',
  outOf: texts.couldntAddToFavourites,
}

/** Puts what is not there yet, shows it at once, says what became of it and offers the way back. */
async function keep(songs: catalogue.Song[], kind: Kind) {
  if (!isSignedIn()) return openDialog('sign-in')
  const song_ids = songs.map(({ entity_id }) => entity_id).filter((id) => !kind.isIn(id))
  if (song_ids.length === 0)
    return void toast({ message: songs.length === 1 ? texts.thisSongIsAlreadyThere : texts.allSongsAreAlreadyThere })
  kind.show(song_ids)
  try {
    await kind.change({ song_ids, action: 'add' })
    void toast({
      message: `${plural(song_ids.length, 'song')} ${kind.into}.`,
      action: { label: 'Undo', run: () => void takeBack(song_ids, kind) },
    })
  } catch (error) {
    void toastTrouble(kind.outOf, error)
  }
  await renew(kind)
}

async function takeBack(song_ids: number[], kind: Kind) {
  try {
    await kind.change({ song_ids, action: 'remove' })
  } catch (error) {
    void toastTrouble(texts.couldntUndo, error)
  }
  await renew(kind)
}

const renew = (kind: Kind) =>
  Promise.allSettled([kind.load(), queryClient.invalidateQueries({ queryKey: [kind.page] })])

export const putInCrate = (songs: catalogue.Song[]) => keep(songs, CRATE)
export const addToFavourites = (songs: catalogue.Song[]) => keep(songs, FAVOURITES)
