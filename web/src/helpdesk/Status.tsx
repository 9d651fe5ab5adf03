import type { helpdesk } from '@dubplate/contract'
import css from './Status.module.css'
import { STATUS_WORDS } from './ticketTexts.ts'

/** Whether a ticket is open. */
export const Status = ({ status }: { status: helpdesk.Ticket['status'] }) => (
  <span className={`status-${status} ${css.status}`} data-status={status}>
    {STATUS_WORDS[status]}
  </span>
)
