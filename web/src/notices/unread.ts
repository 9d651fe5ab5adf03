import { notices } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'

const REFETCH_MS = 60_000

/**
 * The number of unread notifications: requested once the current user is known, and every minute while the page is
 * visible.
 */
export function useUnread(): number {
  const hasProfile = useSession(({ profile }) => profile !== null)
  const { data } = useQuery({
    ...apiQuery(notices.countUnread, {}),
    enabled: hasProfile,
    refetchInterval: REFETCH_MS,
    // Updates the count after notifications were read in another tab.
    refetchOnWindowFocus: 'always',
  })
  return hasProfile ? (data?.unread ?? 0) : 0
}

export const setUnread = (unread: number) => queryClient.setQueryData([notices.countUnread.path, {}], { unread })
