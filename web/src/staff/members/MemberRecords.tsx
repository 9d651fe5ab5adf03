import { payments, type uploadedSongs } from '@dubplate/contract'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AgoCell, DateCell, MainCell } from '../../admin/cells.tsx'
import { PageSection } from '../../admin/PageSection.tsx'
import { money } from '../../billing/money.ts'
import { methodName } from '../../billing/paymentMethodTexts.ts'
import { count, formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { STATUS_WORDS } from '../../helpdesk/tickets.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import type { MemberData } from './memberStatus.ts'
import * as texts from './texts.ts'

type Props = { data: MemberData }

type RecordRow = { id: number; title: ReactNode; text: ReactNode; end: ReactNode }

type RecordsProps = { title: string; end?: ReactNode; rows: RecordRow[]; emptyText: string; children?: ReactNode }

/** A list of a member's records: two lines, and a time at the end. `children` are links to more. */
const Records = ({ title, end, rows, emptyText, children }: RecordsProps) => (
  <PageSection
    title={title}
    actions={
      end && (
        <Text fz="sm" c="var(--text-2)">
          {end}
        </Text>
      )
    }
  >
    {rows.length === 0 ? (
      <Text fz="sm" c="var(--text-2)">
        {emptyText}
      </Text>
    ) : (
      <Stack component="ul" gap="md">
        {rows.map(({ id, title, text, end }) => (
          <Group key={id} component="li" justify="space-between" wrap="nowrap" gap="lg" mih={36} fz="md">
            <MainCell title={title} text={text} />
            <Text component="span" fz="sm" style={{ whiteSpace: 'nowrap' }}>
              {end}
            </Text>
          </Group>
        ))}
      </Stack>
    )}
    {children && <Group gap="sm">{children}</Group>}
  </PageSection>
)

/** The look of links to other pages. */
export const LINK_BUTTON = { variant: 'default', size: 'xs' } as const

export const Downloads = ({ data: { downloads } }: Props) => (
  <Records
    title={texts.newestDownloads}
    end={format(texts.totalAndLast30Days, { total: count(downloads.total), recent: count(downloads.lately) })}
    emptyText={texts.noDownloadsYet}
    rows={downloads.newest.map(({ download_id, entity_id, artist, title, version_label, used, limit, at }) => ({
      id: download_id,
      title: (
        <Link to="/song/$entityId" params={{ entityId: entity_id }}>
          {artist} – {title}
        </Link>
      ),
      text: format(texts.versionAndDownloadsUsed, { version_label, used, limit }),
      end: <DateCell at={at} />,
    }))}
  />
)

/** Only for roles that may open the payments. */
export function Payments({ data: { member, agreement } }: Props) {
  const { customer_id } = member
  const { data, error, refetch } = useApiQuery(payments.getPayments, {
    state: 'paid',
    customer_id,
    from: null,
    to: null,
  })
  if (error && !data)
    return <InlineError alert error={error} title={texts.couldntLoadPayments} retry={() => void refetch()} />
  if (!data) return <Skeleton h={240} />
  return (
    <Records
      title={texts.newestPayments}
      emptyText={texts.noPaymentsYet}
      rows={data.payments
        .slice(0, 10)
        .map(({ charge_id, subscription_id, plan_name, amount, currency, ...payment }) => ({
          id: charge_id ?? subscription_id,
          title: (
            <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }}>
              {plan_name}
            </Link>
          ),
          text: [money(amount, currency), methodName(payment.payment_method), payment.invoice_number]
            .filter(Boolean)
            .join(' · '),
          end: <DateCell at={payment.at} />,
        }))}
    >
      <PaymentLinks customerId={customer_id} subscriptionId={agreement?.subscription_id} />
    </Records>
  )
}

type LinksProps = { customerId: number; subscriptionId: number | undefined }

/** Links to a member's subscription, payments and invoices, for roles that may open them. */
export function PaymentLinks({ customerId, subscriptionId }: LinksProps) {
  const role = useSession(({ profile }) => profile?.staff_role)
  if (role !== 'admin' && role !== 'billing') return null
  return (
    <>
      {subscriptionId !== undefined && (
        <Button
          {...LINK_BUTTON}
          renderRoot={(props) => (
            <Link {...props} to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId }} />
          )}
        >
          {texts.subscription}
        </Button>
      )}
      <Button
        {...LINK_BUTTON}
        renderRoot={(props) => <Link {...props} to="/staff/payments" search={{ member: customerId }} />}
      >
        {texts.allPayments}
      </Button>
      <Button
        {...LINK_BUTTON}
        renderRoot={(props) => <Link {...props} to="/staff/invoices" search={{ member: customerId }} />}
      >
        {texts.invoices}
      </Button>
    </>
  )
}

export function Tickets({ data: { member, tickets } }: Props) {
  const canOpen = useSession(({ profile }) => profile?.staff_role !== 'billing')
  const { open, total, newest } = tickets
  return (
    <Records
      title={texts.tickets}
      end={total > 0 && format(texts.ticketsOpen, { total, open: count(open) })}
      emptyText={texts.noTicketsYet}
      rows={newest.map(({ ticket_number, subject, status, modified_at }) => ({
        id: ticket_number,
        title: canOpen ? (
          <Link to="/staff/tickets/$ticketNumber" params={{ ticketNumber: ticket_number }}>
            {subject}
          </Link>
        ) : (
          subject
        ),
        text: STATUS_WORDS[status],
        end: <DateCell at={modified_at} />,
      }))}
    >
      {canOpen && total > newest.length && (
        <Button
          {...LINK_BUTTON}
          renderRoot={(props) => <Link {...props} to="/staff/tickets" search={{ state: 'all', find: member.email }} />}
        >
          {texts.viewAll}
        </Button>
      )}
    </Records>
  )
}

const UPLOAD_STATES: Record<uploadedSongs.SongState, string> = {
  draft: texts.draft,
  analysing: texts.analysing,
  in_review: texts.inReview,
  published: texts.published,
  declined: texts.declined,
  expired: texts.expired,
}

export function Uploads({ data: { uploads } }: Props) {
  const canOpen = useSession(({ profile }) => profile?.staff_role === 'admin')
  const { songs, files, newest } = uploads
  return (
    <Records
      title={texts.uploads}
      end={format(texts.songsAndUnusedFiles, { songs, files })}
      emptyText={texts.noUploadsYet}
      rows={newest.map(({ upload_song_id, artist, title, status, created_at }) => ({
        id: upload_song_id,
        title: canOpen ? (
          <Link to="/staff/uploads" search={{ state: status, open: upload_song_id }}>
            {artist} – {title}
          </Link>
        ) : (
          `${artist} – ${title}`
        ),
        text: UPLOAD_STATES[status],
        end: <DateCell at={created_at} />,
      }))}
    />
  )
}

export const SignIns = ({ data: { sessions } }: Props) => (
  <Records
    title={texts.activeSessions}
    emptyText={texts.noActiveSessions}
    rows={sessions.map(({ session_id, device, ip, created_at, seen_at }) => ({
      id: session_id,
      title: device,
      text: <span title={formatExactDate(created_at)}>{ip}</span>,
      end: <AgoCell at={seen_at} />,
    }))}
  />
)

/** What staff did to a member's account. */
export function StaffActivity({ data: { member, audit_entries } }: Props) {
  const isAdmin = useSession(({ profile }) => profile?.staff_role === 'admin')
  return (
    <Records
      title={texts.staffActivity}
      emptyText={texts.noActivityYet}
      rows={audit_entries.map(({ audit_id, action, by, at }) => ({
        id: audit_id,
        title: action,
        text: by,
        end: <DateCell at={at} />,
      }))}
    >
      {isAdmin && audit_entries.length > 0 && (
        <Button
          {...LINK_BUTTON}
          renderRoot={(props) => (
            <Link {...props} to="/staff/audit" search={{ subject: `customer ${member.customer_id}` }} />
          )}
        >
          {texts.viewInAuditLog}
        </Button>
      )}
    </Records>
  )
}
