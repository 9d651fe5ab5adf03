import { type catalogue, type Endpoint, type InputOf, library } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { askToSignIn, type PendingActionKind } from '../membership/pendingAction.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { toast, toastError } from '../ui/toast.ts'
import { invalidateCrate, showInCrate } from './crateChanges.ts'
import { isFavourite, isInCrate, loadCrate, loadFavourites, useLibrary } from './library.ts'
import { preferredVersions } from './preferredVersion.ts'
import * as texts from './texts.ts'

type CollectionChange = { song_ids: number[]; action: 'add' | 'remove' }

type Collection = {
  action: PendingActionKind
  hasSong: (songId: number) => boolean
  change: (change: CollectionChange) => Promise<unknown>
  /** Shows songs as added before the server has replied. */
  showAdded: (songs: catalogue.Song[]) => void
  /** Reloads the collection from the server. */
  reload: () => Promise<unknown>
  addedText: typeof texts.songsAddedToCrate | typeof texts.songsAddedToFavourites
  failedText: string
}

const createChange =
  <E extends Endpoint>(call: E) =>
  (change: CollectionChange) =>
    callApi(call, change as InputOf<E>)

const CRATE: Collection = {
  action: 'crateSongs',
  hasSong: isInCrate,
  change: createChange(library.crateChange),
  showAdded: (songs) =>
    showInCrate(
      songs.map((song) => ({
        song,
        versionIds: preferredVersions(song).map(({ song_version_id }) => song_version_id),
      })),
      true,
    ),
  reload: () => Promise.allSettled([loadCrate(), invalidateCrate()]),
  addedText: texts.songsAddedToCrate,
  failedText: texts.couldntAddToCrate,
}

const FAVOURITES: Collection = {
  action: 'favouriteSongs',
  hasSong: isFavourite,
  change: createChange(library.favouriteChange),
  showAdded: (songs) =>
    useLibrary.setState(({ favourites }) => ({
      favourites: new Set([...favourites, ...songs.map(({ entity_id }) => entity_id)]),
    })),
  reload: () =>
    Promise.allSettled([loadFavourites(), queryClient.invalidateQueries({ queryKey: [library.favouriteIndex.path] })]),
  addedText: texts.songsAddedToFavourites,
  failedText: texts.couldntAddToFavourites,
}

/** Adds songs that are not in the collection yet: shows them at once, then shows the result with an undo. */
async function addAll(songs: catalogue.Song[], collection: Collection) {
  if (!isSignedIn()) return askToSignIn(collection.action, [songs], songs[0]?.title)
  const added = songs.filter(({ entity_id }) => !collection.hasSong(entity_id))
  const song_ids = added.map(({ entity_id }) => entity_id)
  if (song_ids.length === 0)
    return void toast({ message: songs.length === 1 ? texts.thisSongIsAlreadyThere : texts.allSongsAreAlreadyThere })
  collection.showAdded(added)
  try {
    await collection.change({ song_ids, action: 'add' })
    void toast({
      message: format(collection.addedText, { count: song_ids.length }),
      action: { label: texts.undo, run: () => void undoAdd(song_ids, collection) },
    })
  } catch (error) {
    void toastError(collection.failedText, error)
  }
  await collection.reload()
}

async function undoAdd(song_ids: number[], collection: Collection) {
  try {
    await collection.change({ song_ids, action: 'remove' })
  } catch (error) {
    void toastError(texts.couldntUndo, error)
  }
  await collection.reload()
}

export const addToCrate = (songs: catalogue.Song[]) => addAll(songs, CRATE)
export const addToFavourites = (songs: catalogue.Song[]) => addAll(songs, FAVOURITES)
