import { type catalogue, downloads, library } from '@dubplate/contract'
import { create } from 'zustand'
import { openDialog } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import { toastError } from '../ui/toast.ts'
import { preferredVersions } from './preferredVersion.ts'
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

const idsOf = (versions: readonly catalogue.Version[]) => versions.map(({ song_version_id }) => song_version_id)

/** Shows versions of songs as added to the crate or removed, before the server has replied. */
export function showInCrate(changes: { song: catalogue.Song; versionIds: number[] }[], on: boolean) {
  useLibrary.setState(({ crateSongs, crateVersions }) => {
    const versions = new Set(crateVersions)
    const songs = new Set(crateSongs)
    for (const { song, versionIds } of changes) {
      for (const id of versionIds) on ? versions.add(id) : versions.delete(id)
      if (on || idsOf(song.version).some((id) => versions.has(id))) songs.add(song.entity_id)
      else songs.delete(song.entity_id)
    }
    return { crateVersions: versions, crateSongs: songs, crateCount: songs.size }
  })
}

const setRemoved = (songId: number, isRemoved: boolean) =>
  useLibrary.setState(({ removedSongs }) => ({ removedSongs: withMember(removedSongs, songId, isRemoved) }))

export const invalidateCrate = () => {
  void queryClient.invalidateQueries({ queryKey: [downloads.crateSummary.path] })
  return queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })
}

/** Offline, its code cannot be loaded: the song is removed without a message. */
const offerUndo = (song: catalogue.Song, versionIds: number[]) =>
  import('./crateChanges.ts').then(
    (code) => code.offerUndo(song, versionIds),
    () => undefined,
  )

/**
 * Adds a version to the crate or removes it; without a version, adds the preferred versions of the song or removes all
 * of its versions. Reverted with an error message if the request fails.
 */
export async function toggleCrate(song: catalogue.Song, version?: catalogue.Version): Promise<void> {
  if (!isSignedIn()) return openDialog('sign-in')
  const { crateVersions } = useLibrary.getState()
  const songId = song.entity_id
  const versionId = version?.song_version_id
  const on = versionId ? !crateVersions.has(versionId) : !isInCrate(songId)
  const named = version ? [version] : on ? preferredVersions(song) : song.version
  const versionIds = idsOf(named).filter((id) => crateVersions.has(id) !== on)
  const show = (on: boolean) => {
    // The crate on screen keeps a song whose last version was switched off.
    if (!version) setRemoved(songId, !on)
    showInCrate([{ song, versionIds }], on)
  }
  show(on)
  await runExclusive(`crate ${songId}`, async () => {
    try {
      const { count } = await callApi(library.crateAddRemove, { songId, versionId })
      useLibrary.setState({ crateCount: count })
      if (!on && !version) await offerUndo(song, versionIds)
      void invalidateCrate()
    } catch (error) {
      show(!on)
      void toastError(on ? texts.couldntAddToCrate : texts.couldntRemoveFromCrate, error)
    }
  })
}
