import '../styles/mantine-layout.css'
import { helpdesk } from '@dubplate/contract'
import { SimpleGrid, Stack } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Mantine } from '../ui/Mantine.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { Faqs } from './Faqs.tsx'
import { TicketForm } from './TicketForm.tsx'
import { NoTickets, TicketCounts, TicketRows, TicketSkeleton } from './TicketRows.tsx'
import * as texts from './texts.ts'

/** The FAQs, the member's tickets, and the ticket form. Visitors can read, and sign in to write a ticket. */
export const HelpDesk = () => (
  <Mantine>
    <AccountPage
      title={texts.helpDesk}
      isWide="columns"
      skeleton={<MemberHelpDesk isKnownMember={false} />}
      visitorContent={<VisitorHelpDesk />}
    >
      {() => <MemberHelpDesk isKnownMember />}
    </AccountPage>
  </Mantine>
)

const COLUMNS = { cols: { base: 1, lg: 2 }, spacing: 40, verticalSpacing: 32 }

const goToForm = () => {
  const form = document.getElementById('submit-ticket')
  form?.scrollIntoView({ block: 'start' })
  form?.querySelector<HTMLElement>('select, button')?.focus({ preventScroll: true })
}

/** The form stays empty until the member is known: a draft may belong to someone else. */
function MemberHelpDesk({ isKnownMember }: { isKnownMember: boolean }) {
  const { data, error, refetch } = useApiQuery(helpdesk.getRecentTickets, {
    page: 1,
    pageLimit: helpdesk.RECENT_TICKETS,
  })
  return (
    <>
      <TicketCounts summary={data?.summary} />
      <SimpleGrid {...COLUMNS}>
        <Stack gap={32}>
          <Faqs onAsk={goToForm} />
          <section aria-labelledby="recent-tickets">
            <SectionHead id="recent-tickets" title={texts.recentTickets}>
              {data && data.summary.total > data.tickets.length && (
                <Link to="/tickets/$status" params={{ status: 'all' }}>
                  {texts.seeAll}
                </Link>
              )}
            </SectionHead>
            {error && !data && (
              <ErrorState error={error} title={texts.couldntLoadYourTickets} retry={() => void refetch()} />
            )}
            {!data && !error && <TicketSkeleton rows={3} />}
            {data?.tickets.length === 0 && <NoTickets />}
            {data && data.tickets.length > 0 && <TicketRows tickets={data.tickets} label={texts.recentTickets} />}
          </section>
        </Stack>
        {isKnownMember ? <TicketForm /> : <div />}
      </SimpleGrid>
    </>
  )
}

const VisitorHelpDesk = () => (
  <SimpleGrid {...COLUMNS}>
    <Faqs onAsk={goToForm} />
    <div id="submit-ticket">
      <MembersOnly icon={<IconMessage size={24} />} title={texts.signInToContactUs}>
        {texts.signInSoWeCan}
      </MembersOnly>
    </div>
  </SimpleGrid>
)
