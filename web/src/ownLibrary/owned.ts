import { create } from 'zustand'
import { useSession } from '../platform/session.ts'

/** What a member owns: the songs and versions of their DJ library, and the songs they have downloaded. */
export type Owned = {
  /** Empty without a DJ library. */
  songs: ReadonlySet<number>
  versions: ReadonlySet<number>
  downloadedSongs: ReadonlySet<number>
  /** Of the ids, so that they are only sent again if they have changed. */
  revision: string
}

const NOTHING: Owned = { songs: new Set(), versions: new Set(), downloadedSongs: new Set(), revision: '' }

export const useOwned = create<Owned>(() => NOTHING)

export const hasDjLibrary = ({ songs }: Owned) => songs.size > 0

/** Loads what the member owns, or clears it when the member is signed out. Without it, lists only lack their marks. */
export function loadOwned(): Promise<void> {
  lastRequest = request()
  return lastRequest
}

let lastRequest = Promise.resolve()

async function request(): Promise<void> {
  if (useSession.getState().token === null) return useOwned.setState(NOTHING)
  await import('./requestOwned.ts').then(({ requestOwned }) => requestOwned()).catch(() => undefined)
}

/** Resolves once the last request has ended: a download right after the page has loaded is then compared too. */
export const waitForOwned = () => lastRequest

useSession.subscribe((now, before) => {
  if (now.token === before.token) return
  useOwned.setState(NOTHING)
  void loadOwned()
})
