import type { support } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Status } from '../../helpdesk/Status.tsx'
import { formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { useSession } from '../../platform/session.ts'
import { useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import css from './TicketQueue.module.css'
import * as texts from './texts.ts'
import { changeTicket } from './tickets.ts'
import { waitsInWords } from './ticketWaits.ts'

export function TicketCard({ ticket }: { ticket: support.QueuedTicket }) {
  const { ticket_number, subject, status, department, priority, customer, assigned_to, waiting_since, is_overdue } =
    ticket
  const now = useCurrentMinute()
  return (
    <li
      className={css.card}
      data-item
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the queue move the focus between cards
      tabIndex={0}
      data-late={is_overdue || undefined}
      aria-label={`${ticket_number}: ${subject}`}
    >
      <div className={css.what}>
        <h2>
          <Link to="/staff/tickets/$ticketNumber" params={{ ticketNumber: ticket_number }} data-key="Enter">
            <bdi>{subject}</bdi>
          </Link>
        </h2>
        <p className={css.about}>
          <span className="num">#{ticket_number}</span>
          <span>{customer.dj_name}</span>
          <span>{customer.payment_profile_status === 'paid' ? texts.paid : texts.unpaid}</span>
          <span>{department}</span>
          <span>{priority}</span>
          {assigned_to && <span>{format(texts.assignedToMember, { dj_name: assigned_to.dj_name })}</span>}
        </p>
      </div>
      <div className={css.wait}>
        <Status status={status} />
        <time dateTime={waiting_since} title={formatExactDate(waiting_since)}>
          {is_overdue
            ? rich(texts.overdueWaiting, { waits: waitsInWords(ticket, now), b: (inside) => <b>{inside}</b> })
            : waitsInWords(ticket, now)}
        </time>
      </div>
      {status === 'open' && <TakeIt ticket={ticket} />}
    </li>
  )
}

function TakeIt({ ticket: { ticket_number, assigned_to } }: { ticket: support.QueuedTicket }) {
  const [isBusy, setBusy] = useState(false)
  const me = useSession(({ profile }) => profile?.customer_id)
  const isMine = assigned_to?.customer_id === me
  const take = async () => {
    setBusy(true)
    await changeTicket(ticket_number, { assigned_to: isMine ? 0 : (me ?? 0) })
    setBusy(false)
  }
  return (
    <Button
      className={css.take}
      data-key="m"
      busy={isBusy}
      aria-label={format(isMine ? texts.unassignTicketLabel : texts.assignTicketToMeLabel, { ticket_number })}
      onClick={() => void take()}
    >
      {isMine ? texts.unassign : texts.assignToMe}
    </Button>
  )
}
