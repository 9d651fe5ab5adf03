import { player } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { songsJustPlayed } from './just-played.ts'
import { countListen } from './listens.ts'
import { recentPlayed } from './recent-played.ts'

export const playerRoutes = ({ sql, settings }: World): Call<Asker>[] => [
  on(player.songPlayed, async ({ input, member }) => ({ counted: await countListen(sql, member.customer_id, input) })),
  on(player.recentPlayed, async ({ input, member }) =>
    recentPlayed(sql, member.customer_id, input.page, settings.downloadLimit),
  ),
  on(player.justPlayed, async () => ({ songs: await songsJustPlayed(sql, settings.downloadLimit) })),
]
