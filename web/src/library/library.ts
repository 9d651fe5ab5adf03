import { library } from '@dubplate/contract'
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
  /** Ids of the songs that have anything in the crate. */
  crateSongs: Set<number>
  crateVersions: Set<number>
  /** Songs in the crate, as the header shows them. */
  crateCount: number
  /** Songs taken out just now; a crate on screen has them until it is asked for anew. */
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

/** Fetches what the member keeps, or forgets it when nobody is signed in. */
export async function loadLibrary() {
  if (!isSignedIn()) return useLibrary.setState(empty())
  // Without it the hearts stay empty and every toggle still works: the page is not stopped for it.
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

/** One change at a time for each thing: two quick presses reach the server in the order they were made. */
export function runExclusive(key: string, task: () => Promise<void>): Promise<void> {
  const pending = (pendingTasks.get(key) ?? Promise.resolve()).then(task)
  pendingTasks.set(key, pending)
  return pending.finally(() => pendingTasks.get(key) === pending && pendingTasks.delete(key))
}

const setFavourite = (songId: number, on: boolean) =>
  useLibrary.setState(({ favourites }) => ({ favourites: withMember(favourites, songId, on) }))

/** Marks or unmarks a favourite at once, and undoes it with a sentence when the server refuses. A visitor is asked to sign in. */
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

function setCrate(songId: number, versionId: number | undefined, on: boolean) {
  useLibrary.setState(({ crateSongs, crateVersions, removedSongs }) => ({
    crateSongs: versionId && !on ? crateSongs : withMember(crateSongs, songId, on),
    removedSongs: versionId && !on ? removedSongs : withMember(removedSongs, songId, !on),
    crateVersions: versionId ? withMember(crateVersions, versionId, on) : crateVersions,
  }))
}

/** Puts a version (or, without one, the whole song) into the crate or takes it out; undone with a sentence when refused. */
export async function toggleCrate(songId: number, versionId?: number): Promise<void> {
  if (!isSignedIn()) return openDialog('sign-in')
  const on = versionId ? !useLibrary.getState().crateVersions.has(versionId) : !isInCrate(songId)
  setCrate(songId, versionId, on)
  await runExclusive(`crate ${songId}`, async () => {
    try {
      const { count } = await callApi(library.crateAddRemove, { songId, versionId })
      useLibrary.setState({ crateCount: count })
      void queryClient.invalidateQueries({ queryKey: [library.crateIndex.path] })
    } catch (error) {
      setCrate(songId, versionId, !on)
      void toastError(on ? texts.couldntAddToCrate : texts.couldntRemoveFromCrate, error)
    }
  })
}
