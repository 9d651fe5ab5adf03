import { player, playlists } from '@dubplate/contract'
import { keepMatching } from '../catalogue/song-filtering.ts'
import { on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import { findBeatGrid } from './beat-grid.ts'
import { listJustPlayed, listRecentlyPlayedPlaylists } from './just-played.ts'
import { recordListen } from './listens.ts'
import { getRecentlyPlayed } from './recent-played.ts'

export const playerRoutes = ({ songFiltering }: ModuleHooks): Route[] => [
  on(player.songPlayed, async ({ input, member, sql }) => ({
    counted: await recordListen(sql, member.customer_id, input),
  })),
  on(player.recentPlayed, async ({ input, member, ctx, sql }) =>
    getRecentlyPlayed(
      sql,
      member.customer_id,
      input.page,
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller: member }),
    ),
  ),
  on(player.justPlayed, async ({ ctx, sql }) => ({ songs: await listJustPlayed(sql, ctx.settings.downloadLimit) })),
  on(player.getBeatGrid, async ({ input, sql }) => ({ grid: await findBeatGrid(sql, input.song_version_id) })),
  on(playlists.playlistsJustPlayed, async ({ sql }) => ({ playlists: await listRecentlyPlayedPlaylists(sql) })),
]
