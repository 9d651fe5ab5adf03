import { type catalogue, type Endpoint, type InputOf, library } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { toast, toastError } from '../ui/toast.ts'
import { isFavourite, isInCrate, loadCrate, loadFavourites, useLibrary } from './library.ts'
import * as texts from './texts.ts'

type CollectionChange = { song_ids: number[]; action: 'add' | 'remove' }

type Collection = {
  hasSong: (songId: number) => boolean
  change: (change: CollectionChange) => Promise<unknown>
  /** Shows songs as added before the server has replied. */
  showAdded: (songIds: number[]) => void
  /** Reloads the collection from the server. */
  load: () => Promise<unknown>
  listPath: string
  addedText: typeof texts.songsAddedToCrate | typeof texts.songsAddedToFavourites
  failedText: string
}

const createChange =
  <E extends Endpoint>(call: E) =>
  (change: CollectionChange) =>
    callApi(call, change as InputOf<E>)

const CRATE: Collection = {
  hasSong: isInCrate,
  change: createChange(library.crateChange),
  showAdded: (songIds) =>
    useLibrary.setState(({ crateSongs }) => ({
      crateSongs: new Set([...crateSongs, ...songIds]),
      crateCount: new Set([...crateSongs, ...songIds]).size,
    })),
  load: loadCrate,
  listPath: library.crateIndex.path,
  addedText: texts.songsAddedToCrate,
  failedText: texts.couldntAddToCrate,
}

const FAVOURITES: Collection = {
  hasSong: isFavourite,
  change: createChange(library.favouriteChange),
  showAdded: (songIds) =>
    useLibrary.setState(({ favourites }) => ({ favourites: new Set([...favourites, ...songIds]) })),
  load: loadFavourites,
  listPath: library.favouriteIndex.path,
  addedText: texts.songsAddedToFavourites,
  failedText: texts.couldntAddToFavourites,
}

/** Adds songs that are not in the collection yet: shows them at once, then shows the result with an undo. */
async function addAll(songs: catalogue.Song[], collection: Collection) {
  if (!isSignedIn()) return openDialog('sign-in')
  const song_ids = songs.map(({ entity_id }) => entity_id).filter((id) => !collection.hasSong(id))
  if (song_ids.length === 0)
    return void toast({ message: songs.length === 1 ? texts.thisSongIsAlreadyThere : texts.allSongsAreAlreadyThere })
  collection.showAdded(song_ids)
  try {
    await collection.change({ song_ids, action: 'add' })
    void toast({
      message: format(collection.addedText, { count: song_ids.length }),
      action: { label: texts.undo, run: () => void undoAdd(song_ids, collection) },
    })
  } catch (error) {
    void toastError(collection.failedText, error)
  }
  await refetchKind(collection)
}

async function undoAdd(song_ids: number[], collection: Collection) {
  try {
    await collection.change({ song_ids, action: 'remove' })
  } catch (error) {
    void toastError(texts.couldntUndo, error)
  }
  await refetchKind(collection)
}

const refetchKind = (collection: Collection) =>
  Promise.allSettled([collection.load(), queryClient.invalidateQueries({ queryKey: [collection.listPath] })])

export const addToCrate = (songs: catalogue.Song[]) => addAll(songs, CRATE)
export const addToFavourites = (songs: catalogue.Song[]) => addAll(songs, FAVOURITES)
