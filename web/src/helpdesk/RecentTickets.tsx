import { helpdesk } from '@dubplate/contract'
import { IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Trouble } from '../platform/errors.tsx'
import { useAsk } from '../platform/queries.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { TicketBones, TicketRows } from './TicketRows.tsx'

export const RECENT = { page: 1, pageLimit: helpdesk.RECENT_TICKETS }

/** The tickets that changed last. */
export function RecentTickets() {
  const { data, error, refetch } = useAsk(helpdesk.getRecentTickets, RECENT)
  return (
    <section aria-labelledby="recent-tickets">
      <SectionHead id="recent-tickets" title="Recent tickets">
        {data && data.summary.total > data.tickets.length && (
          <Link to="/tickets/$status" params={{ status: 'all' }}>
            See all
          </Link>
        )}
      </SectionHead>
      {error && !data && <Trouble error={error} what="your tickets" retry={() => void refetch()} />}
      {!data && !error && <TicketBones count={3} />}
      {data?.tickets.length === 0 && <NoTickets />}
      {data && data.tickets.length > 0 && <TicketRows tickets={data.tickets} label="Recent tickets" />}
    </section>
  )
}

export const NoTickets = ({
  children = 'Your tickets and our replies will appear here. Submit a ticket to get help.',
}: {
  children?: string
}) => (
  <EmptyState icon={<IconMessage size={24} />} title="You have no tickets">
    {children}
  </EmptyState>
)
