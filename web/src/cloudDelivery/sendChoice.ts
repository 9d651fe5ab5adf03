import { create } from 'zustand'
import type { KitSource } from '../booth/kits/kitChoice.ts'
import { askToSignIn } from '../membership/pendingAction.ts'
import { isSignedIn } from '../platform/session.ts'

/** Songs that are sent to cloud storage. */
export type SentSongs = { title: string; source: KitSource }

/** The songs for which the dialog is open. */
export const useSendChoice = create<{ songs: SentSongs | undefined }>(() => ({ songs: undefined }))

/** Opens the dialog to send songs to cloud storage. Visitors are asked to sign in. */
export function chooseSend(songs: SentSongs) {
  if (!isSignedIn()) return askToSignIn('send', [songs], songs.title)
  useSendChoice.setState({ songs })
}

export const closeSendChoice = () => useSendChoice.setState({ songs: undefined })
