import type { downloads, InputOf } from '@dubplate/contract'
import { create } from 'zustand'
import { askToSignIn } from '../../membership/pendingAction.ts'
import { isSignedIn } from '../../platform/session.ts'

export type KitSource = InputOf<typeof downloads.downloadBoothKit>['source']

/** The songs of a kit. */
export type KitSongs = {
  title: string
  source: KitSource
  /** The dialog suggests the library file alone, because the member has the files. */
  isOwned?: boolean
}

/** The songs for which a kit is being chosen. */
export const useKitChoice = create<{ songs: KitSongs | undefined }>(() => ({ songs: undefined }))

/** Opens the dialog to download songs for DJ software. Visitors are asked to sign in. */
export function chooseKit(songs: KitSongs) {
  if (!isSignedIn()) return askToSignIn('kit', [songs], songs.title)
  useKitChoice.setState({ songs })
}

export const closeKitChoice = () => useKitChoice.setState({ songs: undefined })
