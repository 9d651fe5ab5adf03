import { notices, type ReplyOf } from '@dubplate/contract'
import { useEffect } from 'react'
import { queryClient } from '../platform/queries.ts'

const queryKey = [notices.countUnread.path]

/** What is shown has been seen: the server takes the notice of it as read, and the bell asks how many are left. */
export function useMarkSeen(visibleNotifications: unknown) {
  useEffect(() => {
    const reply = queryClient.getQueryData<ReplyOf<typeof notices.countUnread>>([...queryKey, {}])
    if (visibleNotifications && reply?.unread) void queryClient.invalidateQueries({ queryKey })
  }, [visibleNotifications])
}
