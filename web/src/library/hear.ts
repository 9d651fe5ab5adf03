import type { playlists } from '@dubplate/contract'
import { format } from '../platform/message.ts'
import { entriesOf, mixed } from '../player/queue.ts'
import { type Entry, playerActions } from '../player/store.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { songsOfPlaylist } from './playlists.ts'
import * as texts from './texts.ts'

type Playlist = playlists.Playlist

/** A playlist may go on for pages: all its songs are fetched before it is heard. */
async function withAll({ playlist_id, title }: Playlist, hear: (entries: Entry[]) => void) {
  try {
    hear(entriesOf(await songsOfPlaylist(playlist_id), playlist_id))
  } catch (error) {
    void toastTrouble(format(texts.couldntLoad, { title }), error)
  }
}

export const playPlaylist = (playlist: Playlist) => withAll(playlist, playerActions.playAll)

export const shufflePlaylist = (playlist: Playlist) =>
  withAll(playlist, (entries) => playerActions.playAll(mixed(entries)))

export const enqueuePlaylist = (playlist: Playlist) => withAll(playlist, enqueue)

/** Puts entries at the end of the queue, and says so. */
export function enqueue(entries: Entry[]) {
  playerActions.enqueueAll(entries)
  void toast({ message: format(texts.songsAddedToQueue, { count: entries.length }) })
}
