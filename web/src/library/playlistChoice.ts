import type { catalogue } from '@dubplate/contract'
import { create } from 'zustand'
import { openDialog } from '../platform/address.ts'
import { isSignedIn } from '../platform/session.ts'

/** The songs for which a playlist is being chosen. */
export const usePlaylistChoice = create<{ songs: catalogue.Song[] | undefined }>(() => ({ songs: undefined }))

/** Opens the dialog to choose a playlist for songs. Visitors are asked to sign in. */
export function choosePlaylist(songs: catalogue.Song[]) {
  if (!isSignedIn()) return openDialog('sign-in')
  if (songs.length) usePlaylistChoice.setState({ songs })
}

export const closePlaylistChoice = () => usePlaylistChoice.setState({ songs: undefined })
