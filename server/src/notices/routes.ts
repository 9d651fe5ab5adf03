import { notices } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { getNotificationChoices, saveNotificationChoices } from './notification-choices.ts'
import { countUnreadNotifications, listNotifications, markNotificationsRead } from './notifications.ts'

export const notificationRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(notices.getNotices, async ({ input, member }) => listNotifications(sql, member.customer_id, input.page)),
  on(notices.countUnread, async ({ member }) => ({ unread: await countUnreadNotifications(sql, member.customer_id) })),
  on(notices.readNotices, async ({ input, member }) => ({
    unread: await markNotificationsRead(sql, member.customer_id, input.notification_ids),
  })),
  on(notices.getChoices, async ({ member }) => ({ by_email: await getNotificationChoices(sql, member.customer_id) })),
  on(notices.saveChoices, async ({ input, member }) => ({
    by_email: await saveNotificationChoices(sql, member.customer_id, input.by_email),
  })),
]
