import { player } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { listJustPlayed } from './just-played.ts'
import { recordListen } from './listens.ts'
import { getRecentlyPlayed } from './recent-played.ts'

export const playerRoutes = ({ sql, settings }: AppContext): Call<Caller>[] => [
  on(player.songPlayed, async ({ input, member }) => ({ counted: await recordListen(sql, member.customer_id, input) })),
  on(player.recentPlayed, async ({ input, member }) =>
    getRecentlyPlayed(sql, member.customer_id, input.page, settings.downloadLimit),
  ),
  on(player.justPlayed, async () => ({ songs: await listJustPlayed(sql, settings.downloadLimit) })),
]
