import { newsletter } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { followGenre, listFollowed } from './followed-genres.ts'
import {
  askForNewsletter,
  confirmSubscription,
  leaveNewsletter,
  mailingState,
  rejoinNewsletter,
  saveMailing,
} from './subscribers.ts'

export const newsletterRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(
      newsletter.subscribe,
      async ({ input, request }) => {
        await askForNewsletter(world, { email: input.email, ip: request.ip })
        return {}
      },
      { perMinute: 10 },
    ),
    on(newsletter.confirmSubscription, async ({ input }) => confirmSubscription(world, input.token), { perMinute: 30 }),
    on(newsletter.unsubscribe, async ({ input }) => leaveNewsletter(world, input.token), { perMinute: 30 }),
    on(newsletter.resubscribe, async ({ input }) => rejoinNewsletter(world, input.token), { perMinute: 30 }),
    on(newsletter.getMailing, async ({ member }) => ({
      state: await mailingState(sql, member.customer_id),
      followed: await listFollowed(sql, member.customer_id),
    })),
    on(newsletter.saveMailing, async ({ input, member }) => ({
      state: await saveMailing(sql, member.customer_id, input.subscribed),
    })),
    on(newsletter.followGenre, async ({ input, member }) => ({
      followed: await followGenre(sql, member.customer_id, input),
    })),
  ]
}
