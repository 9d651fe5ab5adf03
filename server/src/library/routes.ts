import { digging, library, playlists } from '@dubplate/contract'
import { keepMatching } from '../catalogue/song-filtering.ts'
import { on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import { changeCrate, clearCrate, getCratePage, listCrateIds, listVersionKinds, toggleCrate } from './crate.ts'
import { arrangeCrate, listCrateTempos, moveInCrate, orderCrate } from './crate-order.ts'
import { changeFavourites, getFavouritePage, listFavouriteIds, toggleFavourite } from './favourites.ts'
import { changeMutes, listMutes } from './mutes.ts'
import { deletePlaylist, restorePlaylist, savePlaylist } from './own-playlists.ts'
import { listPlaylists } from './playlist-lists.ts'
import { changeSongs, moveSong } from './playlist-songs.ts'
import { getPlaylist } from './playlists.ts'

export const libraryRoutes = ({ songFiltering }: ModuleHooks): Route[] => [
  on(library.crateAddRemove, async ({ input, member, sql }) => toggleCrate(sql, member.customer_id, input)),
  on(library.crateChange, async ({ input, member, sql }) => changeCrate(sql, member.customer_id, input)),
  on(library.getCrates, async ({ member, sql }) => listCrateIds(sql, member.customer_id)),
  on(library.crateIndex, async ({ input, member, ctx, sql }) =>
    getCratePage(
      sql,
      member.customer_id,
      input,
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller: member }),
    ),
  ),
  on(library.moveInCrate, async ({ input, member, sql }) => moveInCrate(sql, member.customer_id, input)),
  on(library.arrangeCrate, async ({ input, member, sql }) => arrangeCrate(sql, member.customer_id, input)),
  on(library.orderCrate, async ({ input, member, sql }) => orderCrate(sql, member.customer_id, input)),
  on(library.crateTempos, async ({ member, sql }) => ({ songs: await listCrateTempos(sql, member.customer_id) })),
  on(library.clearCrates, async ({ member, sql }) => ({ cleared: await clearCrate(sql, member.customer_id) })),
  on(library.getVersionKinds, async ({ sql }) => listVersionKinds(sql)),
  on(library.favouriteAddRemove, async ({ input, member, sql }) => ({
    favourite: await toggleFavourite(sql, member.customer_id, input.songId),
  })),
  on(library.favouriteChange, async ({ input, member, sql }) => ({
    changed: await changeFavourites(sql, member.customer_id, input),
  })),
  on(library.favouriteIndex, async ({ input, member, ctx, sql }) =>
    getFavouritePage(
      sql,
      member.customer_id,
      input.page,
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller: member }),
    ),
  ),
  on(library.getFavouriteSongs, async ({ member, sql }) => ({
    favouriteSongs: await listFavouriteIds(sql, member.customer_id),
  })),
  on(digging.getMutes, async ({ member, sql }) => ({ mutes: await listMutes(sql, member.customer_id) })),
  on(digging.changeMutes, async ({ input, member, sql }) => ({
    mutes: await changeMutes(sql, member.customer_id, input),
  })),
  on(playlists.getPlaylists, async ({ input, member, sql }) => listPlaylists(sql, member.customer_id, input)),
  on(playlists.viewPlaylist, async ({ input, member, ctx, sql }) =>
    getPlaylist(
      sql,
      member.customer_id,
      input,
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller: member }),
    ),
  ),
  on(playlists.savePlaylist, async ({ input, member, sql }) => ({ playlist: await savePlaylist(sql, member, input) })),
  on(playlists.deletePlaylist, async ({ input, member, sql }) => {
    await deletePlaylist(sql, member.customer_id, input.playlist_id)
    return {}
  }),
  on(playlists.restorePlaylist, async ({ input, member, sql }) => ({
    playlist: await restorePlaylist(sql, member.customer_id, input.playlist_id),
  })),
  on(playlists.changePlaylistSongs, async ({ input, member, sql }) => changeSongs(sql, member.customer_id, input)),
  on(playlists.reorderPlaylist, async ({ input, member, sql }) => moveSong(sql, member.customer_id, input)),
]
