import { library, playlists } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { changeCrate, clearCrate, crateIds, cratePage, toggleCrate } from './crate.ts'
import { changeFavourites, favouriteIds, favouritePage, toggleFavourite } from './favourites.ts'
import { deletePlaylist, restorePlaylist, savePlaylist } from './own-playlists.ts'
import { changeSongs, moveSong } from './playlist-songs.ts'
import { listPlaylists, playlistsLastHeard, viewPlaylist } from './playlists.ts'

export const libraryRoutes = ({ sql, settings }: World): Call<Asker>[] => [
  on(library.crateAddRemove, async ({ input, member }) => toggleCrate(sql, member.customer_id, input)),
  on(library.crateChange, async ({ input, member }) => changeCrate(sql, member.customer_id, input)),
  on(library.getCrates, async ({ member }) => crateIds(sql, member.customer_id)),
  on(library.crateIndex, async ({ input, member }) =>
    cratePage(sql, member.customer_id, input, settings.downloadLimit),
  ),
  on(library.clearCrates, async ({ member }) => ({ cleared: await clearCrate(sql, member.customer_id) })),
  on(library.favouriteAddRemove, async ({ input, member }) => ({
    favourite: await toggleFavourite(sql, member.customer_id, input.songId),
  })),
  on(library.favouriteChange, async ({ input, member }) => ({
    changed: await changeFavourites(sql, member.customer_id, input),
  })),
  on(library.favouriteIndex, async ({ input, member }) =>
    favouritePage(sql, member.customer_id, input.page, settings.downloadLimit),
  ),
  on(library.getFavouriteSongs, async ({ member }) => ({
    favouriteSongs: await favouriteIds(sql, member.customer_id),
  })),
  on(playlists.getPlaylists, async ({ member }) => listPlaylists(sql, member.customer_id)),
  on(playlists.viewPlaylist, async ({ input, member }) =>
    viewPlaylist(sql, member.customer_id, input, settings.downloadLimit),
  ),
  on(playlists.savePlaylist, async ({ input, member }) => ({ playlist: await savePlaylist(sql, member, input) })),
  on(playlists.deletePlaylist, async ({ input, member }) => {
    await deletePlaylist(sql, member.customer_id, input.playlist_id)
    return {}
  }),
  on(playlists.restorePlaylist, async ({ input, member }) => ({
    playlist: await restorePlaylist(sql, member.customer_id, input.playlist_id),
  })),
  on(playlists.changePlaylistSongs, async ({ input, member }) => changeSongs(sql, member.customer_id, input)),
  on(playlists.reorderPlaylist, async ({ input, member }) => moveSong(sql, member.customer_id, input)),
  on(playlists.playlistsJustPlayed, async () => ({ playlists: await playlistsLastHeard(sql) })),
]
