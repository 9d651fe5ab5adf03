import type { helpdesk } from '@dubplate/contract'
import css from './Status.module.css'
import { STATUS_WORDS } from './ticketTexts.ts'

/** The status of a ticket: open or closed. */
export const Status = ({ status }: { status: helpdesk.Ticket['status'] }) => (
  <span className={`status-${status} ${css.status}`} data-status={status}>
    {STATUS_WORDS[status]}
  </span>
)
