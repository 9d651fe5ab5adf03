import { staff } from '@dubplate/contract'
import { IconMail } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Trouble } from '../platform/errors.tsx'
import { count } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { Chips } from '../ui/Chips.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { MailLine } from './MailLine.tsx'
import css from './OutgoingMail.module.css'
import { StaffPage } from './StaffPage.tsx'

/** What the pool has mailed, or would have with a mail server. */
export const OutgoingMail = () => (
  <StaffPage title="Email" forRole="admin">
    <Mails />
  </StaffPage>
)

const STATE_NAMES = { waiting: 'Pending', sent: 'Sent', failed: 'Failed', bounced: 'Bounced' }

function Mails() {
  const { page = 1, state } = useSearch({ from: '/staff/outgoing-mail' })
  const navigate = useNavigate({ from: '/staff/outgoing-mail' })
  const asked = useAsk(staff.getOutgoingMail, { page, state }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const nameOf = (each: keyof typeof STATE_NAMES) =>
    data ? `${STATE_NAMES[each]} ${count(data.counts[each])}` : STATE_NAMES[each]
  return (
    <>
      {data && !data.is_sent && (
        <p className={css.notice} role="note">
          Email isn’t set up (<code>SMTP_URL</code>). Messages are held here; open one to use its link.
        </p>
      )}
      <Chips
        label="Email status"
        choices={[
          { value: undefined, label: 'All' },
          ...staff.MAIL_FILTERS.map((value) => ({ value, label: nameOf(value) })),
        ]}
        chosen={state}
        onChoose={(state) => void navigate({ search: { state } })}
      />
      {error && !data && <Trouble error={error} what="emails" retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.mails.length === 0 && (
        <EmptyState icon={<IconMail size={24} />} title="No emails yet">
          {state === 'bounced'
            ? 'No mail has bounced.'
            : state
              ? `No ${state} emails.`
              : 'Emails to applicants and members appear here.'}
        </EmptyState>
      )}
      {data && data.mails.length > 0 && (
        <>
          <ol className={css.list} aria-label="Email" aria-busy={isPlaceholderData || undefined}>
            {data.mails.map((mail) => (
              <MailLine key={mail.mail_id} mail={mail} canSend={data.is_sent} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
        </>
      )}
    </>
  )
}

const LINES = 8

const ToCome = () => (
  <ol className={css.list} aria-busy aria-label="Loading emails…">
    {Array.from({ length: LINES }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
