import { notices, type ReplyOf } from '@dubplate/contract'
import { useEffect } from 'react'
import { queryClient } from '../platform/queries.ts'

const queryKey = [notices.countUnread.path]

/**
 * Refetches the number of unread notifications when content is shown, because the server marks its notifications as
 * read.
 */
export function useMarkSeen(visibleNotifications: unknown) {
  useEffect(() => {
    const reply = queryClient.getQueryData<ReplyOf<typeof notices.countUnread>>([...queryKey, {}])
    if (visibleNotifications && reply?.unread) void queryClient.invalidateQueries({ queryKey })
  }, [visibleNotifications])
}
