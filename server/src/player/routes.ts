import { player, playlists } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { listJustPlayed, listRecentlyPlayedPlaylists } from './just-played.ts'
import { recordListen } from './listens.ts'
import { getRecentlyPlayed } from './recent-played.ts'

export const playerRoutes: Route[] = [
  on(player.songPlayed, async ({ input, member, sql }) => ({
    counted: await recordListen(sql, member.customer_id, input),
  })),
  on(player.recentPlayed, async ({ input, member, ctx, sql }) =>
    getRecentlyPlayed(sql, member.customer_id, input.page, ctx.settings.downloadLimit),
  ),
  on(player.justPlayed, async ({ ctx, sql }) => ({ songs: await listJustPlayed(sql, ctx.settings.downloadLimit) })),
  on(playlists.playlistsJustPlayed, async ({ sql }) => ({ playlists: await listRecentlyPlayedPlaylists(sql) })),
]
