import type { notices, ReplyOf } from '@dubplate/contract'

type NotificationsReply = ReplyOf<typeof notices.getNotices>

/** A page of notifications after these have been read, or all of them without ids. */
export function markReadInReply(reply: NotificationsReply, ids: readonly number[] | undefined): NotificationsReply {
  const isRead = ({ is_read, notification_id }: notices.Notice) => is_read || !ids || ids.includes(notification_id)
  const newlyRead = reply.notices.filter((notification) => !notification.is_read && isRead(notification)).length
  return {
    ...reply,
    notices: reply.notices.map((notification) => ({ ...notification, is_read: isRead(notification) })),
    unread: ids ? Math.max(0, reply.unread - newlyRead) : 0,
  }
}
