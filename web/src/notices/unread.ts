import { notices } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'

const REFETCH_MS = 60_000

/** How many notices are not read: asked once it is known who is signed in, and every minute while the page is looked at. */
export function useUnread(): number {
  const hasProfile = useSession(({ profile }) => profile !== null)
  const { data } = useQuery({
    ...apiQuery(notices.countUnread, {}),
    enabled: hasProfile,
    refetchInterval: REFETCH_MS,
    // What was read in another tab is known here as soon as one looks.
    refetchOnWindowFocus: 'always',
  })
  return hasProfile ? (data?.unread ?? 0) : 0
}

export const setUnread = (unread: number) => queryClient.setQueryData([notices.countUnread.path, {}], { unread })
