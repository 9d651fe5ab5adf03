import { newsletter } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { followGenre, listFollowed } from './followed-genres.ts'
import {
  confirmSubscription,
  getMailingState,
  requestSubscription,
  resubscribe,
  saveMailingChoices,
  unsubscribe,
} from './subscribers.ts'

export const newsletterRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(
      newsletter.subscribe,
      async ({ input, request }) => {
        await requestSubscription(ctx, { email: input.email, ip: request.ip })
        return {}
      },
      { perMinute: 10 },
    ),
    on(newsletter.confirmSubscription, async ({ input }) => confirmSubscription(ctx, input.token), { perMinute: 30 }),
    on(newsletter.unsubscribe, async ({ input }) => unsubscribe(ctx, input.token), { perMinute: 30 }),
    on(newsletter.resubscribe, async ({ input }) => resubscribe(ctx, input.token), { perMinute: 30 }),
    on(newsletter.getMailing, async ({ member }) => ({
      state: await getMailingState(sql, member.customer_id),
      followed: await listFollowed(sql, member.customer_id),
    })),
    on(newsletter.saveMailing, async ({ input, member }) => ({
      state: await saveMailingChoices(sql, member.customer_id, input.subscribed),
    })),
    on(newsletter.followGenre, async ({ input, member }) => ({
      followed: await followGenre(sql, member.customer_id, input),
    })),
  ]
}
