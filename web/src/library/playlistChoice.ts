import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import { askToSignIn } from '../membership/pendingAction.ts'
import { isSignedIn } from '../platform/session.ts'

/** The songs for which a playlist is being chosen. */
export const usePlaylistChoice = create<{ songs: catalogue.Song[] | undefined }>(() => ({ songs: undefined }))

/** Opens the dialog to choose a playlist for songs. Visitors are asked to sign in. */
export function choosePlaylist(songs: catalogue.Song[]) {
  if (!isSignedIn()) return askToSignIn('playlist', [songs], songs[0]?.title)
  if (songs.length) usePlaylistChoice.setState({ songs })
}

export const closePlaylistChoice = () => usePlaylistChoice.setState({ songs: undefined })
