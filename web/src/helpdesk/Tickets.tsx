import { helpdesk } from '@dubplate/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Pagination } from '../ui/Pagination.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import css from './HelpDesk.module.css'
import { NoTickets } from './RecentTickets.tsx'
import { TicketCounts } from './TicketCounts.tsx'
import { TicketForm } from './TicketForm.tsx'
import { TicketRows, TicketSkeleton } from './TicketRows.tsx'
import * as texts from './texts.ts'

const TITLES = { all: texts.allTickets, open: texts.openTickets, close: texts.closedTickets }

/** The member's tickets of one status, with the ticket form next to them. */
export const Tickets = () => (
  <AccountPage title={texts.helpDesk} isWide="columns" skeleton={<ListRowSkeleton count={6} height_px={58} />}>
    {() => (
      <div className={css.columns}>
        <TicketList />
        <TicketForm />
      </div>
    )}
  </AccountPage>
)

const SKELETON_ROWS = 6

function TicketList() {
  const { status } = useParams({ from: '/tickets/$status' })
  const { page = 1 } = useSearch({ from: '/tickets/$status' })
  const input = { page, pageLimit: helpdesk.TICKETS_PER_PAGE, status }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(helpdesk.getTickets, input, { keepPrevious: true })
  const hasOthers = (data?.summary.total ?? 0) > 0
  return (
    <section className={css.column} aria-labelledby="tickets">
      <TicketCounts summary={data?.summary} />
      <div>
        <SectionHead id="tickets" title={TITLES[status]} />
        {error && !data && (
          <ErrorState error={error} title={texts.couldntLoadYourTickets} retry={() => void refetch()} />
        )}
        {!data && !error && <TicketSkeleton count={SKELETON_ROWS} />}
        {data?.tickets.length === 0 && <NoTickets>{hasOthers ? texts.noTicketsWithThisStatus : undefined}</NoTickets>}
        {data && data.tickets.length > 0 && (
          <>
            <TicketRows tickets={data.tickets} label={TITLES[status]} isStale={isPlaceholderData} />
            <Pagination pagination={data.pagination} />
          </>
        )}
      </div>
    </section>
  )
}
