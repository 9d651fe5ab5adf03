import { staff } from '@dubplate/contract'
import { IconMail } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../platform/ErrorState.tsx'
import { count } from '../platform/format.ts'
import { rich } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Chips } from '../ui/Chips.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { MailLine } from './MailLine.tsx'
import css from './OutgoingMail.module.css'
import { StaffPage } from './StaffPage.tsx'
import * as texts from './texts.ts'

/** Emails the pool has sent, or would have sent with a mail server. */
export const OutgoingMail = () => (
  <StaffPage title={texts.email}>
    <Mails />
  </StaffPage>
)

const STATE_NAMES = { waiting: texts.pending, sent: texts.sent, failed: texts.failed, bounced: texts.bounced }

const NONE_IN_STATE: Record<keyof typeof STATE_NAMES, string> = {
  waiting: texts.noPendingEmails,
  sent: texts.noSentEmails,
  failed: texts.noFailedEmails,
  bounced: texts.noBouncedEmails,
}

function Mails() {
  const { page = 1, state } = useSearch({ from: '/staff/outgoing-mail' })
  const navigate = useNavigate({ from: '/staff/outgoing-mail' })
  const asked = useApiQuery(staff.getOutgoingMail, { page, state }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const nameOf = (each: keyof typeof STATE_NAMES) =>
    data ? `${STATE_NAMES[each]} ${count(data.counts[each])}` : STATE_NAMES[each]
  return (
    <>
      {data && !data.is_sent && (
        <p className={css.notice} role="note">
          {rich(texts.emailIsntSetUpSmtp, { code: (inside) => <code>{inside}</code> })}
        </p>
      )}
      <Chips
        label={texts.emailStatus}
        choices={[
          { value: undefined, label: texts.all },
          ...staff.MAIL_FILTERS.map((value) => ({ value, label: nameOf(value) })),
        ]}
        chosen={state}
        onChoose={(state) => void navigate({ search: { state } })}
      />
      {error && !data && <ErrorState error={error} subject={texts.emails} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.mails.length === 0 && (
        <EmptyState icon={<IconMail size={24} />} title={texts.noEmailsYet}>
          {state ? NONE_IN_STATE[state] : texts.emailsToApplicantsAndMembers}
        </EmptyState>
      )}
      {data && data.mails.length > 0 && (
        <>
          <ol className={css.list} aria-label={texts.email} aria-busy={isPlaceholderData || undefined}>
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
  <ol className={css.list} aria-busy aria-label={texts.loadingEmails}>
    {Array.from({ length: LINES }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
