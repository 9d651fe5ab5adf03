import { digging } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { decide, resetList, undoDecision } from './decisions.ts'
import { listDigSongs } from './dig-songs.ts'

export const diggingRoutes: Route[] = [
  on(digging.digSongs, async ({ input, member, ctx, sql }) =>
    listDigSongs({ sql, settings: ctx.settings }, member.customer_id, input.list),
  ),
  on(digging.digDecide, async ({ input, member, sql }) => {
    await decide(sql, member.customer_id, input)
    return {}
  }),
  on(digging.digUndo, async ({ input, member, sql }) => {
    await undoDecision(sql, member.customer_id, input)
    return {}
  }),
  on(digging.digReset, async ({ input, member, sql }) => ({
    forgotten: await resetList(sql, member.customer_id, input.list),
  })),
]
