import type { billing } from '@dubplate/contract'
import { Card, Group, SimpleGrid, Stack, Text, Timeline } from '@mantine/core'
import { IconDownload, IconMessage, IconShield, IconUpload, IconUserCheck, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Status, type Tone } from '../../admin/cells.tsx'
import { PageSection } from '../../admin/PageSection.tsx'
import { money } from '../../billing/money.ts'
import { describePaymentMethod } from '../../billing/paymentMethodTexts.ts'
import { formatDate } from '../../format/dates.ts'
import { count, formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { DownloadCheck } from './DownloadCheck.tsx'
import type { ActionName } from './MemberHeader.tsx'
import { PaymentLinks } from './MemberRecords.tsx'
import { type MemberData, membershipLength } from './memberStatus.ts'
import * as texts from './texts.ts'

type Props = { data: MemberData; onAction: (action: ActionName) => void }

export const MemberOverview = ({ data, onAction }: Props) => (
  <Stack gap="lg">
    <Figures data={data} />
    <Subscription data={data} />
    {data.member.status !== 'deleted' && <DownloadCheck data={data} onAction={onAction} />}
    <Activity data={data} />
  </Stack>
)

function Figures({ data: { member, downloads, tickets } }: { data: MemberData }) {
  const figures = [
    [texts.downloads30Days, count(downloads.lately)],
    [texts.downloadsTotal, count(downloads.total)],
    [texts.openTickets, count(tickets.open)],
    [texts.memberFor, membershipLength(member.created_at)],
  ]
  return (
    <Card>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="lg" m={0}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" fz="xs" c="var(--text-2)">
              {label}
            </Text>
            <Text component="dd" m={0} fz="xl" fw={660} className="num">
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  )
}

const PLAN_STATES: Record<billing.Agreement['profile_status'], { text: string; tone: Tone }> = {
  CREATED: { text: texts.pending, tone: 'warning' },
  Active: { text: texts.active, tone: 'ok' },
  'Past due': { text: texts.pastDue, tone: 'danger' },
  Cancelled: { text: texts.cancelled, tone: 'neutral' },
  Ended: { text: texts.ended, tone: 'neutral' },
}

const PRICE_TEXTS = { month: texts.pricePerMonth, year: texts.pricePerYear }

function Subscription({ data: { member, agreement } }: { data: MemberData }) {
  const isPaid = member.payment_profile_status === 'paid'
  return (
    <PageSection
      title={texts.subscription}
      actions={<Status tone={isPaid ? 'ok' : 'warning'}>{isPaid ? texts.paid : texts.unpaid}</Status>}
    >
      {agreement ? <Plan agreement={agreement} /> : <Text c="var(--text-2)">{texts.noSubscription}</Text>}
      <Group gap="sm">
        <PaymentLinks customerId={member.customer_id} subscriptionId={agreement?.subscription_id} />
      </Group>
    </PageSection>
  )
}

function Plan({ agreement }: { agreement: billing.Agreement }) {
  const { subscription_title: plan, plan_price, currency, interval, profile_status } = agreement
  const { next_payment_date, access_until, failure_reason } = agreement
  const { text, tone } = PLAN_STATES[profile_status]
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
      <Fact title={plan} text={format(PRICE_TEXTS[interval], { price: money(plan_price, currency) })} />
      <Fact
        title={<Status tone={tone}>{text}</Status>}
        text={
          next_payment_date
            ? format(texts.nextPayment, { next_payment_date: formatDate(next_payment_date) })
            : access_until && format(texts.accessUntil, { access_until: formatDate(access_until) })
        }
      />
      <Fact
        title={describePaymentMethod(agreement.payment_method)}
        text={failure_reason || texts.paymentMethod}
        {...(failure_reason && { isProblem: true })}
      />
    </SimpleGrid>
  )
}

type FactProps = { title: ReactNode; text: ReactNode; isProblem?: boolean }

const Fact = ({ title, text, isProblem = false }: FactProps) => (
  <div>
    <Text component="div" fw={580}>
      {title}
    </Text>
    <Text fz="sm" c={isProblem ? 'var(--danger)' : 'var(--text-2)'}>
      {text}
    </Text>
  </div>
)

type Activity = { icon: TablerIcon; title: string; at: string; by?: string }

/** What the member did and what staff did for them, newest first. */
function listActivity({ member, downloads, tickets, uploads, audit_entries }: MemberData): Activity[] {
  const activity: Activity[] = [
    ...downloads.newest.map(({ artist, title, version_label, at }) => ({
      icon: IconDownload,
      title: format(texts.downloadedSong, { artist, title, version_label }),
      at,
    })),
    ...tickets.newest.map(({ ticket_number, subject, modified_at: at }) => ({
      icon: IconMessage,
      title: format(texts.ticketUpdated, { ticket_number, subject }),
      at,
    })),
    ...uploads.newest.map(({ artist, title, created_at: at }) => ({
      icon: IconUpload,
      title: format(texts.uploadedSong, { artist, title }),
      at,
    })),
    ...audit_entries.map(({ action, by, at }) => ({
      icon: IconShield,
      title: format(texts.staffAction, { action }),
      at,
      by,
    })),
  ]
  if (member.application)
    activity.push({ icon: IconUserCheck, title: texts.appliedAsDj, at: member.application.applied_at })
  return activity.sort((a, b) => b.at.localeCompare(a.at)).slice(0, MAX_ACTIVITY)
}

const MAX_ACTIVITY = 12

function Activity({ data }: { data: MemberData }) {
  const now = useCurrentMinute()
  const activity = listActivity(data)
  return (
    <PageSection title={texts.activity}>
      {activity.length === 0 && <Text c="var(--text-2)">{texts.noActivityYet}</Text>}
      <Timeline bulletSize={26} lineWidth={1} color="gray" fz="sm">
        {activity.map(({ icon: Icon, title, at, by }) => (
          <Timeline.Item key={`${at} ${title}`} bullet={<Icon size={14} stroke={1.8} />} title={title}>
            <Text fz="xs" c="var(--text-2)">
              {by && `${by} · `}
              <time dateTime={at} title={formatExactDate(at)}>
                {formatTimeAgo(at, now)}
              </time>
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </PageSection>
  )
}
