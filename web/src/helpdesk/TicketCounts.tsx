import type { helpdesk } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { count } from '../platform/format.ts'
import css from './TicketCounts.module.css'
import * as texts from './texts.ts'

const COUNT_LINKS = [
  { status: 'all', counted: 'total', text: texts.total },
  { status: 'open', counted: 'open', text: texts.open },
  { status: 'close', counted: 'close', text: texts.closedStatus },
] as const

/** The numbers of the member's tickets; each links to its list. */
export const TicketCounts = ({ summary }: { summary: helpdesk.TicketSummary | undefined }) => (
  <nav className={css.counts} aria-label={texts.yourTickets}>
    {COUNT_LINKS.map(({ status, counted: countKey, text }) => (
      <Link key={status} to="/tickets/$status" params={{ status }} className={css.count}>
        <b className="num">{summary ? count(summary[countKey]) : '–'}</b> {text}
      </Link>
    ))}
  </nav>
)
