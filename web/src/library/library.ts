import { type catalogue, library } from '@dubplate/contract'
import { create } from 'zustand'
import { askToSignIn } from '../membership/pendingAction.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import { toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

type Library = {
  /** Ids of songs. */
  favourites: Set<number>
  /** Ids of the songs with at least one version in the crate. */
  crateSongs: Set<number>
  crateVersions: Set<number>
  /** The number of songs in the crate, shown in the header. */
  crateCount: number
  /** Ids of songs that were just removed; a crate on screen still contains them until it is refetched. */
  removedSongs: Set<number>
}

const empty = (): Library => ({
  favourites: new Set(),
  crateSongs: new Set(),
  crateVersions: new Set(),
  crateCount: 0,
  removedSongs: new Set(),
})

export const useLibrary = create<Library>(empty)

export const isFavourite = (songId: number) => useLibrary.getState().favourites.has(songId)
export const isInCrate = (songId: number) => useLibrary.getState().crateSongs.has(songId)

export async function loadCrate() {
  const crate = await callApi(library.getCrates, {})
  useLibrary.setState({
    crateSongs: new Set(crate.crates),
    crateVersions: new Set(crate.version),
    crateCount: crate.count,
    removedSongs: new Set(),
  })
}

export async function loadFavourites() {
  const { favouriteSongs } = await callApi(library.getFavouriteSongs, {})
  useLibrary.setState({ favourites: new Set(favouriteSongs) })
}

/** Loads the member's favourites and crate, or clears them when nobody is signed in. */
export async function loadLibrary() {
  if (!isSignedIn()) return useLibrary.setState(empty())
  // If this fails, the hearts stay empty and the buttons still work, so the error is ignored.
  await Promise.allSettled([loadCrate(), loadFavourites(), loadChanges()])
}

useSession.subscribe((now, before) => {
  if (now.token !== before.token) void loadLibrary()
})

export function withMember(ids: Set<number>, id: number, on: boolean): Set<number> {
  const next = new Set(ids)
  if (on) next.add(id)
  else next.delete(id)
  return next
}

const pendingTasks = new Map<string, Promise<void>>()

/** Runs the changes of one key one after the other: two quick clicks reach the server in order. */
export function runExclusive(key: string, task: () => Promise<void>): Promise<void> {
  const pending = (pendingTasks.get(key) ?? Promise.resolve()).then(task)
  pendingTasks.set(key, pending)
  return pending.finally(() => pendingTasks.get(key) === pending && pendingTasks.delete(key))
}

const setFavourite = (songId: number, on: boolean) =>
  useLibrary.setState(({ favourites }) => ({ favourites: withMember(favourites, songId, on) }))

/**
 * Adds or removes a favourite at once, and reverts it with an error message if the request fails. Visitors are asked to
 * sign in.
 */
export async function toggleFavourite(songId: number, title?: string): Promise<void> {
  if (!isSignedIn()) return askToSignIn('favourite', [songId], title)
  const on = !isFavourite(songId)
  setFavourite(songId, on)
  await runExclusive(`favourite ${songId}`, async () => {
    try {
      await callApi(library.favouriteAddRemove, { songId })
      void queryClient.invalidateQueries({ queryKey: [library.favouriteIndex.path], refetchType: 'none' })
    } catch (error) {
      setFavourite(songId, !on)
      void toastError(on ? texts.couldntAddToFavourites : texts.couldntRemoveFromFavourites, error)
    }
  })
}

/** Its code is loaded with the member's library, so that the first click does not wait for it. */
const loadChanges = () => import('./crateChanges.ts')

/**
 * Adds a version to the crate or removes it; without a version, adds the preferred versions of the song or removes all
 * of its versions.
 */
export async function toggleCrate(song: catalogue.Song, version?: catalogue.Version): Promise<void> {
  if (!isSignedIn()) return askToSignIn('crate', [song, version], song.title, version?.version_label)
  const code = await loadChanges().catch((error) => void toastError(texts.couldntChangeYourCrate, error))
  await code?.toggleInCrate(song, version)
}
