import { playlists } from '@dubplate/contract'
import { type CollectionSource, enqueueCollection, playCollection } from '../catalogue/collectionActions.ts'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { type Entry, playerActions } from '../player/store.ts'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

type Playlist = playlists.Playlist

export const playlistSource = ({ playlist_id, title }: Pick<Playlist, 'playlist_id' | 'title'>): CollectionSource => ({
  ...{ playlist_id, title },
  loadPage: (page) => callApi(playlists.viewPlaylist, { playlist_id, page }),
})

export const playPlaylist = (playlist: Playlist) => playCollection(playlistSource(playlist))
export const enqueuePlaylist = (playlist: Playlist) => enqueueCollection(playlistSource(playlist))

/** Adds entries at the end of the queue, and confirms it. */
export function enqueue(entries: Entry[]) {
  playerActions.enqueueAll(entries)
  void toast({ message: format(texts.songsAddedToQueue, { count: entries.length }) })
}
