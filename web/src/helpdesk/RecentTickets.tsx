import { helpdesk } from '@dubplate/contract'
import { IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { TicketRows, TicketSkeleton } from './TicketRows.tsx'
import * as texts from './texts.ts'

export const RECENT = { page: 1, pageLimit: helpdesk.RECENT_TICKETS }

/** The most recently changed tickets. */
export function RecentTickets() {
  const { data, error, refetch } = useApiQuery(helpdesk.getRecentTickets, RECENT)
  return (
    <section aria-labelledby="recent-tickets">
      <SectionHead id="recent-tickets" title={texts.recentTickets}>
        {data && data.summary.total > data.tickets.length && (
          <Link to="/tickets/$status" params={{ status: 'all' }}>
            {texts.seeAll}
          </Link>
        )}
      </SectionHead>
      {error && !data && <ErrorState error={error} title={texts.couldntLoadYourTickets} retry={() => void refetch()} />}
      {!data && !error && <TicketSkeleton count={3} />}
      {data?.tickets.length === 0 && <NoTickets />}
      {data && data.tickets.length > 0 && <TicketRows tickets={data.tickets} label={texts.recentTickets} />}
    </section>
  )
}

export const NoTickets = ({ children = texts.yourTicketsAndOurReplies }: { children?: string }) => (
  <EmptyState icon={<IconMessage size={24} />} title={texts.youHaveNoTickets}>
    {children}
  </EmptyState>
)
