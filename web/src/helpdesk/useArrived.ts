import type { helpdesk, Pagination } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'

type Reply = helpdesk.Reply
type Arrived = { ids: ReadonlySet<number>; words: string }

const NOBODY: Arrived = { ids: new Set(), words: '' }

/** The replies of others that came while the ticket was on screen, and a sentence for whoever cannot see them come. */
export function useArrived(
  ticketNumber: number,
  { totalCount }: Pagination,
  replies: readonly Reply[],
  isOwn: (reply: Reply) => boolean,
): Arrived {
  const [arrived, setArrived] = useState(NOBODY)
  const known = useRef<{ ticketNumber: number; totalCount: number; newest: number }>(undefined)
  useEffect(() => {
    const before = known.current
    const newest = Math.max(0, ...replies.map(({ id }) => id))
    if (before?.ticketNumber !== ticketNumber) {
      known.current = { ticketNumber, totalCount, newest }
      return setArrived(NOBODY)
    }
    known.current = { ticketNumber, totalCount, newest: Math.max(newest, before.newest) }
    // Another page of the same replies brings none that are new.
    if (totalCount <= before.totalCount) return
    const others = replies.filter((reply) => reply.id > before.newest && !isOwn(reply))
    if (others.length === 0) return
    setArrived(({ ids }) => ({
      ids: new Set([...ids, ...others.map(({ id }) => id)]),
      words: `New reply from ${others.map(({ author }) => author).join(', ')}.`,
    }))
  }, [ticketNumber, totalCount, replies, isOwn])
  return arrived
}
