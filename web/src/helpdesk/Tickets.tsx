import '../styles/mantine-layout.css'
import { helpdesk } from '@dubplate/contract'
import { SimpleGrid, Stack } from '@mantine/core'
import { useParams, useSearch } from '@tanstack/react-router'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Mantine } from '../ui/Mantine.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { TicketForm } from './TicketForm.tsx'
import { NoTickets, TicketCounts, TicketRows, TicketSkeleton } from './TicketRows.tsx'
import * as texts from './texts.ts'

const TITLES = { all: texts.allTickets, open: texts.openTickets, close: texts.closedTickets }

const SKELETON_ROWS = 6

/** The member's tickets of one status, with the ticket form next to them. */
export const Tickets = () => (
  <Mantine>
    <AccountPage title={texts.helpDesk} isWide="columns" skeleton={<TicketSkeleton rows={SKELETON_ROWS} />}>
      {() => (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={40} verticalSpacing={32}>
          <TicketList />
          <TicketForm />
        </SimpleGrid>
      )}
    </AccountPage>
  </Mantine>
)

function TicketList() {
  const { status } = useParams({ from: '/tickets/$status' })
  const { page = 1 } = useSearch({ from: '/tickets/$status' })
  const input = { page, pageLimit: helpdesk.TICKETS_PER_PAGE, status }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(helpdesk.getTickets, input, { keepPrevious: true })
  const hasOthers = (data?.summary.total ?? 0) > 0
  return (
    <Stack component="section" gap={32} aria-labelledby="tickets">
      <TicketCounts summary={data?.summary} />
      <div>
        <SectionHead id="tickets" title={TITLES[status]} />
        {error && !data && (
          <ErrorState error={error} title={texts.couldntLoadYourTickets} retry={() => void refetch()} />
        )}
        {!data && !error && <TicketSkeleton rows={SKELETON_ROWS} />}
        {data?.tickets.length === 0 && <NoTickets>{hasOthers ? texts.noTicketsWithThisStatus : undefined}</NoTickets>}
        {data && data.tickets.length > 0 && (
          <>
            <TicketRows tickets={data.tickets} label={TITLES[status]} isStale={isPlaceholderData} />
            <Pagination pagination={data.pagination} />
          </>
        )}
      </div>
    </Stack>
  )
}
