import { newsletter } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { followGenre, listFollowed } from './followed-genres.ts'
import { followList, listFollowedLists, markListOpened } from './followed-lists.ts'
import { followName, listFollowedNames } from './followed-names.ts'
import {
  confirmSubscription,
  getMailingState,
  requestSubscription,
  resubscribe,
  saveMailingChoices,
  unsubscribe,
} from './subscribers.ts'

export const newsletterRoutes: Route[] = [
  on(
    newsletter.subscribe,
    async ({ input, request, ctx }) => {
      await requestSubscription(ctx, { email: input.email, ip: request.ip })
      return {}
    },
    { perMinute: 10 },
  ),
  on(newsletter.confirmSubscription, async ({ input, ctx }) => confirmSubscription(ctx, input.token), {
    perMinute: 30,
  }),
  on(newsletter.unsubscribe, async ({ input, ctx }) => unsubscribe(ctx, input.token), { perMinute: 30 }),
  on(newsletter.resubscribe, async ({ input, ctx }) => resubscribe(ctx, input.token), { perMinute: 30 }),
  on(newsletter.getMailing, async ({ member, sql, ctx }) => ({
    state: await getMailingState(sql, member.customer_id),
    followed: await listFollowed(sql, member.customer_id),
    followed_names: await listFollowedNames(sql, member.customer_id),
    followed_lists: await listFollowedLists(ctx, member.customer_id),
  })),
  on(newsletter.saveMailing, async ({ input, member, sql }) => ({
    state: await saveMailingChoices(sql, member.customer_id, input.subscribed),
  })),
  on(newsletter.followGenre, async ({ input, member, sql }) => ({
    followed: await followGenre(sql, member.customer_id, input),
  })),
  on(newsletter.followName, async ({ input, member, sql }) => ({
    followed_names: await followName(sql, member.customer_id, input),
  })),
  on(newsletter.followList, async ({ input, member, ctx }) => ({
    followed_lists: await followList(ctx, member.customer_id, input),
  })),
  on(newsletter.openFollowedList, async ({ input, member, sql }) => {
    await markListOpened(sql, member.customer_id, input)
    return {}
  }),
]
