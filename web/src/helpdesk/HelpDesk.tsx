import { helpdesk } from '@dubplate/contract'
import { IconMessage } from '@tabler/icons-react'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Faqs } from './Faqs.tsx'
import css from './HelpDesk.module.css'
import { RECENT, RecentTickets } from './RecentTickets.tsx'
import { TicketCounts } from './TicketCounts.tsx'
import { TicketForm } from './TicketForm.tsx'
import * as texts from './texts.ts'

/** The FAQs, the member's tickets, and the ticket form. Visitors can read, and sign in to write a ticket. */
export const HelpDesk = () => (
  <AccountPage
    title={texts.helpDesk}
    isWide="columns"
    skeleton={<MemberHelpDesk isKnownMember={false} />}
    visitorContent={<VisitorHelpDesk />}
  >
    {() => <MemberHelpDesk isKnownMember />}
  </AccountPage>
)

const goToForm = () => {
  const form = document.getElementById('submit-ticket')
  form?.scrollIntoView({ block: 'start' })
  form?.querySelector<HTMLElement>('select, button')?.focus({ preventScroll: true })
}

/** The form stays empty until the member is known: a draft may belong to someone else. */
function MemberHelpDesk({ isKnownMember }: { isKnownMember: boolean }) {
  const { data } = useApiQuery(helpdesk.getRecentTickets, RECENT)
  return (
    <>
      <TicketCounts summary={data?.summary} />
      <div className={css.columns}>
        <div className={css.column}>
          <Faqs onAsk={goToForm} />
          <RecentTickets />
        </div>
        {isKnownMember ? <TicketForm /> : <div />}
      </div>
    </>
  )
}

const VisitorHelpDesk = () => (
  <div className={css.columns}>
    <Faqs onAsk={goToForm} />
    <div id="submit-ticket">
      <MembersOnly icon={<IconMessage size={24} />} title={texts.signInToContactUs}>
        {texts.signInSoWeCan}
      </MembersOnly>
    </div>
  </div>
)
