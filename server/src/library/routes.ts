import { library, playlists } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { changeCrate, clearCrate, getCratePage, listCrateIds, toggleCrate } from './crate.ts'
import { changeFavourites, getFavouritePage, listFavouriteIds, toggleFavourite } from './favourites.ts'
import { deletePlaylist, restorePlaylist, savePlaylist } from './own-playlists.ts'
import { changeSongs, moveSong } from './playlist-songs.ts'
import { getPlaylist, listPlaylists, listRecentlyPlayedPlaylists } from './playlists.ts'

export const libraryRoutes = ({ sql, settings }: AppContext): Call<Caller>[] => [
  on(library.crateAddRemove, async ({ input, member }) => toggleCrate(sql, member.customer_id, input)),
  on(library.crateChange, async ({ input, member }) => changeCrate(sql, member.customer_id, input)),
  on(library.getCrates, async ({ member }) => listCrateIds(sql, member.customer_id)),
  on(library.crateIndex, async ({ input, member }) =>
    getCratePage(sql, member.customer_id, input, settings.downloadLimit),
  ),
  on(library.clearCrates, async ({ member }) => ({ cleared: await clearCrate(sql, member.customer_id) })),
  on(library.favouriteAddRemove, async ({ input, member }) => ({
    favourite: await toggleFavourite(sql, member.customer_id, input.songId),
  })),
  on(library.favouriteChange, async ({ input, member }) => ({
    changed: await changeFavourites(sql, member.customer_id, input),
  })),
  on(library.favouriteIndex, async ({ input, member }) =>
    getFavouritePage(sql, member.customer_id, input.page, settings.downloadLimit),
  ),
  on(library.getFavouriteSongs, async ({ member }) => ({
    favouriteSongs: await listFavouriteIds(sql, member.customer_id),
  })),
  on(playlists.getPlaylists, async ({ member }) => listPlaylists(sql, member.customer_id)),
  on(playlists.viewPlaylist, async ({ input, member }) =>
    getPlaylist(sql, member.customer_id, input, settings.downloadLimit),
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
  on(playlists.playlistsJustPlayed, async () => ({ playlists: await listRecentlyPlayedPlaylists(sql) })),
]
