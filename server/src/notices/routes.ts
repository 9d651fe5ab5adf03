import { notices } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { getNotificationChoices, saveNotificationChoices } from './notification-choices.ts'
import { countUnreadNotifications, listNotifications, markNotificationsRead } from './notifications.ts'

export const notificationRoutes: Route[] = [
  on(notices.getNotices, async ({ input, member, sql }) => listNotifications(sql, member.customer_id, input.page)),
  on(notices.countUnread, async ({ member, sql }) => ({
    unread: await countUnreadNotifications(sql, member.customer_id),
  })),
  on(notices.readNotices, async ({ input, member, sql }) => ({
    unread: await markNotificationsRead(sql, member.customer_id, input.notification_ids),
  })),
  on(notices.getChoices, async ({ member, sql }) => ({
    by_email: await getNotificationChoices(sql, member.customer_id),
  })),
  on(notices.saveChoices, async ({ input, member, sql }) => ({
    by_email: await saveNotificationChoices(sql, member.customer_id, input.by_email),
  })),
]
