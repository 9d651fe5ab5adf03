import type { helpdesk } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { formatExactDate } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { Status } from './Status.tsx'
import css from './TicketRows.module.css'
import * as texts from './texts.ts'
import { waitingText } from './ticketTexts.ts'

type Props = { tickets: readonly helpdesk.Ticket[]; label: string; isStale?: boolean }

/** Tickets, one per row; each row links to its ticket. */
export function TicketRows({ tickets, label, isStale = false }: Props) {
  return (
    <ol className={css.list} aria-label={label} aria-busy={isStale || undefined}>
      {tickets.map((ticket) => (
        <TicketRow key={ticket.ticket_number} ticket={ticket} />
      ))}
    </ol>
  )
}

function TicketRow({ ticket }: { ticket: helpdesk.Ticket }) {
  const now = useCurrentMinute()
  const { ticket_number, subject, status, department, priority, modified_at, unread } = ticket
  const waiting = waitingText(ticket)
  return (
    <li className={css.row} data-unread={unread > 0 || undefined}>
      <h3 className={css.subject} title={subject}>
        <bdi>{subject}</bdi>
      </h3>
      <Status status={status} />
      <p className={css.about}>
        <span className="num">#{ticket_number}</span>
        <span>{department}</span>
        <span>{priority}</span>
        {waiting && <span>{waiting}</span>}
        <time dateTime={modified_at} title={formatExactDate(modified_at)}>
          {formatTimeAgo(modified_at, now)}
        </time>
        {unread > 0 && <b className={css.unread}>{format(texts.newReplies, { count: unread })}</b>}
      </p>
      <Link
        to="/ticket/details/$ticketNumber"
        params={{ ticketNumber: ticket_number }}
        className={css.view}
        aria-label={format(texts.viewTicketLabel, { ticket_number, subject })}
      >
        {texts.view}
      </Link>
    </li>
  )
}

/** Placeholder rows while tickets load. */
export const TicketSkeleton = ({ count }: { count: number }) => (
  <ol className={css.list} aria-busy aria-label={texts.loadingTickets}>
    {Array.from({ length: count }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the items are all alike
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
