import { helpdesk } from '@dubplate/contract'
import { formatList } from '../format/formatList.ts'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/** The calls whose replies change with a ticket: the lists of tickets. */
export const TICKET_LISTS = [helpdesk.getRecentTickets, helpdesk.getTickets]

export const STATUS_WORDS: Record<helpdesk.Ticket['status'], string> = { open: texts.open, close: texts.closedStatus }

/** Who has to reply next, from the member's point of view; '' for a closed ticket. */
export const waitingText = ({
  status,
  awaiting_reply_from,
}: Pick<helpdesk.Ticket, 'status' | 'awaiting_reply_from'>): string => {
  if (status === 'close') return ''
  return awaiting_reply_from === 'staff' ? texts.awaitingOurReply : texts.replied
}

/** Announces replies that arrived while the ticket was open. */
export const newRepliesMessage = (replies: readonly Pick<helpdesk.Reply, 'author'>[]): string =>
  format(texts.newRepliesFrom, {
    count: replies.length,
    authors: formatList([...new Set(replies.map(({ author }) => author))], 'conjunction'),
  })
