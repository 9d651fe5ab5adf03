import type { notices, ReplyOf } from '@dubplate/contract'

export type Told = ReplyOf<typeof notices.getNotices>

/** A page of notices once these have been read, or all of them where none are named. */
export function withRead(told: Told, ids: readonly number[] | undefined): Told {
  const isRead = ({ is_read, notice_id }: notices.Notice) => is_read || !ids || ids.includes(notice_id)
  const fewer = told.notices.filter((notice) => !notice.is_read && isRead(notice)).length
  return {
    ...told,
    notices: told.notices.map((notice) => ({ ...notice, is_read: isRead(notice) })),
    unread: ids ? Math.max(0, told.unread - fewer) : 0,
  }
}
