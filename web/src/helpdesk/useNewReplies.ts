import type { helpdesk, Pagination } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { newRepliesMessage } from './tickets.ts'

type Reply = helpdesk.Reply
type NewReplies = { ids: ReadonlySet<number>; words: string }

const NO_NEW_REPLIES: NewReplies = { ids: new Set(), words: '' }

/** The replies of others that arrived while the ticket was open, and a sentence to announce them to screen readers. */
export function useNewReplies(
  ticketNumber: number,
  { totalCount }: Pagination,
  replies: readonly Reply[],
  isOwn: (reply: Reply) => boolean,
): NewReplies {
  const [newReplies, setNewReplies] = useState(NO_NEW_REPLIES)
  const lastSeen = useRef<{ ticketNumber: number; totalCount: number; newest: number }>(undefined)
  useEffect(() => {
    const before = lastSeen.current
    const newest = Math.max(0, ...replies.map(({ id }) => id))
    if (before?.ticketNumber !== ticketNumber) {
      lastSeen.current = { ticketNumber, totalCount, newest }
      return setNewReplies(NO_NEW_REPLIES)
    }
    lastSeen.current = { ticketNumber, totalCount, newest: Math.max(newest, before.newest) }
    // Another page of the same replies has no new ones.
    if (totalCount <= before.totalCount) return
    const others = replies.filter((reply) => reply.id > before.newest && !isOwn(reply))
    if (others.length === 0) return
    setNewReplies(({ ids }) => ({
      ids: new Set([...ids, ...others.map(({ id }) => id)]),
      words: newRepliesMessage(others),
    }))
  }, [ticketNumber, totalCount, replies, isOwn])
  return newReplies
}
