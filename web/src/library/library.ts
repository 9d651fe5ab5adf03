import { type catalogue, library } from '@dubplate/contract'
import { create } from 'zustand'
import { openDialog } from '../platform/address.ts'
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
  await Promise.allSettled([loadCrate(), loadFavourites()])
}

useSession.subscribe((now, before) => {
  if (now.token !== before.token) void loadLibrary()
})

function withMember(ids: Set<number>, id: number, on: boolean): Set<number> {
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
export async function toggleFavourite(songId: number): Promise<void> {
  if (!isSignedIn()) return openDialog('sign-in')
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

function setCrate({ entity_id, version }: catalogue.Song, versionId: number | undefined, on: boolean) {
  useLibrary.setState(({ crateSongs, crateVersions, removedSongs }) => {
    const versionsBefore = version.filter(({ song_version_id }) => crateVersions.has(song_version_id))
    // Which versions a whole song is added with is up to the server.
    const changed = versionId ? [versionId] : on ? [] : versionsBefore.map(({ song_version_id }) => song_version_id)
    const nextVersions = changed.reduce((ids, id) => withMember(ids, id, on), crateVersions)
    const isLeft = on || version.some(({ song_version_id }) => nextVersions.has(song_version_id))
    return {
      crateSongs: withMember(crateSongs, entity_id, isLeft),
      removedSongs: withMember(removedSongs, entity_id, !isLeft),
      crateVersions: nextVersions,
    }
  })
}

/**
 * Adds a version (or, without one, the whole song) to the crate or removes it; reverted with an error message if the
 * request fails.
 */
export async function toggleCrate(song: catalogue.Song, version?: catalogue.Version): Promise<void> {
  if (!isSignedIn()) return openDialog('sign-in')
  const songId = song.entity_id
  const versionId = version?.song_version_id
  const on = versionId ? !useLibrary.getState().crateVersions.has(versionId) : !isInCrate(songId)
  setCrate(song, versionId, on)
  await runExclusive(`crate ${songId}`, async () => {
    try {
      const { count } = await callApi(library.crateAddRemove, { songId, versionId })
      useLibrary.setState({ crateCount: count })
      void queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })
    } catch (error) {
      setCrate(song, versionId, !on)
      void toastError(on ? texts.couldntAddToCrate : texts.couldntRemoveFromCrate, error)
    }
  })
}
