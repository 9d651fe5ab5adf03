import { player } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { countListen } from './listens.ts'

export const playerRoutes = ({ sql }: World): Call<Asker>[] => [
  on(player.songPlayed, async ({ input, member }) => ({ counted: await countListen(sql, member.customer_id, input) })),
]
