import { notices } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toastError } from '../ui/toast.ts'
import { markReadInReply, type NotificationsReply } from './markReadInReply.ts'
import * as texts from './texts.ts'
import { setUnread } from './unread.ts'

const queryKey = [notices.getNotices.path]

/** Marks notices as read on screen at once, and on the server; without ids all of them. */
export async function markRead(notice_ids?: number[]): Promise<void> {
  queryClient.setQueriesData<NotificationsReply>(
    { queryKey },
    (cached) => cached && markReadInReply(cached, notice_ids),
  )
  try {
    const { unread } = await callApi(notices.readNotices, notice_ids ? { notice_ids } : {})
    setUnread(unread)
  } catch (error) {
    // One that was opened is not to be waited for: it stays marked until the next time.
    if (!notice_ids) void toastError(texts.couldntMarkNotificationsAsRead, error)
    void queryClient.invalidateQueries({ queryKey })
  }
}
