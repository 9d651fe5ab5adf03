import { notices } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toastError } from '../ui/toast.ts'
import { markReadInReply, type NotificationsReply } from './markReadInReply.ts'
import * as texts from './texts.ts'
import { setUnread } from './unread.ts'

const queryKey = [notices.getNotices.path]

/** Marks notifications as read, on screen at once and on the server; all of them without ids. */
export async function markRead(notification_ids?: number[]): Promise<void> {
  queryClient.setQueriesData<NotificationsReply>(
    { queryKey },
    (cached) => cached && markReadInReply(cached, notification_ids),
  )
  try {
    const { unread } = await callApi(notices.readNotices, notification_ids ? { notification_ids } : {})
    setUnread(unread)
  } catch (error) {
    // Marking a single one may fail silently: it becomes unread again with the next request.
    if (!notification_ids) void toastError(texts.couldntMarkNotificationsAsRead, error)
    void queryClient.invalidateQueries({ queryKey })
  }
}
