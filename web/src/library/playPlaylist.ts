import type { playlists } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { shuffleEntries, toQueueEntries } from '../player/queue.ts'
import { type Entry, playerActions } from '../player/store.ts'
import { toast, toastError } from '../ui/toast.ts'
import { songsOfPlaylist } from './playlists.ts'
import * as texts from './texts.ts'

type Playlist = playlists.Playlist

/** A playlist may have several pages: all its songs are loaded before it is played. */
async function withAllSongs({ playlist_id, title }: Playlist, hear: (entries: Entry[]) => void) {
  try {
    hear(toQueueEntries(await songsOfPlaylist(playlist_id), playlist_id))
  } catch (error) {
    void toastError(format(texts.couldntLoad, { title }), error)
  }
}

export const playPlaylist = (playlist: Playlist) =>
  withAllSongs(playlist, (entries) => playerActions.playAll(entries, playlist.title))

export const shufflePlaylist = (playlist: Playlist) =>
  withAllSongs(playlist, (entries) => playerActions.playAll(shuffleEntries(entries), playlist.title))

export const enqueuePlaylist = (playlist: Playlist) => withAllSongs(playlist, enqueue)

/** Adds entries at the end of the queue, and confirms it. */
export function enqueue(entries: Entry[]) {
  playerActions.enqueueAll(entries)
  void toast({ message: format(texts.songsAddedToQueue, { count: entries.length }) })
}
