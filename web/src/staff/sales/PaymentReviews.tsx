import { dashboard, payments } from '@dubplate/contract'
import { Button, DataList, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconShieldCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DateCell, MainCell } from '../../admin/cells.tsx'
import { Fact } from '../../admin/PageSection.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { money } from '../../billing/money.ts'
import { formatDate } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { gatewayName } from './refunds.ts'
import * as texts from './texts.ts'

type Review = payments.PaymentReview

const REASONS: Record<Review['reason'], string> = {
  amount: texts.differentAmount,
  currency: texts.differentCurrency,
  period: texts.differentBillingPeriod,
  plan: texts.differentPlan,
  mode: texts.testPayment,
  unlinked: texts.notPaidInACheckout,
  unreadable: texts.eventCouldNotBeRead,
}

const ReasonCell = ({ review: { reason, detail } }: { review: Review }) => (
  <MainCell title={REASONS[reason]} text={<span title={detail}>{detail}</span>} />
)

const amountOf = ({ amount, currency }: Review) => (amount ? money(amount, currency) : '')

const periodText = ({ period_start, period_end }: Review) =>
  period_start && period_end
    ? format(texts.to, { period_start: formatDate(period_start), period_end: formatDate(period_end) })
    : ''

const MemberLink = ({ review: { customer_id, dj_name } }: { review: Review }) =>
  customer_id !== null && (
    <Link to="/staff/members/$customerId" params={{ customerId: customer_id }}>
      {dj_name}
    </Link>
  )

const SubscriptionLink = ({ review: { subscription_id, plan_name } }: { review: Review }) =>
  subscription_id !== null && (
    <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }}>
      {plan_name}
    </Link>
  )

const idOf = ({ review_id }: Review) => review_id

const COLUMNS: Column<Review>[] = [
  { id: 'reason', header: texts.reason, width: 'auto', cell: (review) => <ReasonCell review={review} /> },
  { id: 'member', header: texts.member, width: 180, cell: (review) => <MemberLink review={review} /> },
  { id: 'amount', header: texts.amount, width: 110, isNumeric: true, cell: amountOf },
  {
    id: 'subscription',
    header: texts.subscription,
    width: 150,
    showFrom: 900,
    cell: (review) => <SubscriptionLink review={review} />,
  },
  { id: 'period', header: texts.paidPeriod, width: 210, showFrom: 1100, cell: periodText },
  {
    id: 'ref',
    header: texts.providerId,
    width: 220,
    showFrom: 980,
    cell: ({ gateway, ref, gateway_ref }) => (
      <MainCell title={ref} text={gateway_ref && gateway_ref !== ref ? gateway_ref : gatewayName(gateway)} />
    ),
  },
  {
    id: 'received',
    header: texts.received,
    width: 124,
    isNumeric: true,
    showFrom: 640,
    cell: ({ at }) => <DateCell at={at} />,
  },
]

type Props = { total: number | undefined; top: ReactNode; page: number; onPage: (page: number) => void }
type Decision = 'accept' | 'handled'
type OnDecide = (review: Review, decision: Decision) => void

/** Payments that have no effect until staff decide on them. */
export function PaymentReviews({ total, top, page, onPage }: Props) {
  const query = useApiQuery(payments.getPaymentReviews, { page }, { keepPrevious: true })
  const { data } = query
  const open = useOpenRow(data?.reviews, idOf)
  const [pendingDecision, setPendingDecision] = useState<{ review: Review; decision: Decision }>()
  const onDecide: OnDecide = (review, decision) => setPendingDecision({ review, decision })
  const actions: RowAction<Review>[] = [
    {
      label: texts.accept,
      icon: IconCheck,
      key: 'a',
      isAvailable: ({ can_accept }) => can_accept,
      run: (review) => onDecide(review, 'accept'),
    },
    { label: texts.markAsHandledMenuItem, icon: IconX, key: 'h', run: (review) => onDecide(review, 'handled') },
  ]
  return (
    <TablePage
      total={total}
      top={top}
      panel={
        open.row && (
          <SidePanel label={REASONS[open.row.reason]} {...open.panelProps}>
            <Details review={open.row} onDecide={onDecide} />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.paymentsThatNeedReview}
        columns={COLUMNS}
        rows={data?.reviews}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadPayments}
        idOf={idOf}
        labelOf={({ reason, dj_name }) => [REASONS[reason], dj_name].filter(Boolean).join(' · ')}
        narrowRow={(review) => ({
          start: <ReasonCell review={review} />,
          end: (
            <>
              <b>{amountOf(review)}</b>
              {review.dj_name}
            </>
          ),
        })}
        rowActions={actions}
        {...open.tableProps}
        onPage={onPage}
        empty={{
          icon: <IconShieldCheck size={24} />,
          title: texts.noPaymentsNeedReview,
          text: texts.paymentsThatDifferFromWhat,
        }}
      />
      {pendingDecision && <DecisionDialog {...pendingDecision} onClose={() => setPendingDecision(undefined)} />}
    </TablePage>
  )
}

function Details({ review, onDecide }: { review: Review; onDecide: OnDecide }) {
  const { reason, detail, gateway, ref, gateway_ref, at, can_accept } = review
  return (
    <Stack gap="lg" style={{ overflowWrap: 'anywhere' }}>
      <div>
        <Title order={2}>{REASONS[reason]}</Title>
        <Text c="dimmed">{detail}</Text>
      </div>
      <DataList labelWidth="124px" gap={10}>
        <Fact label={texts.member}>
          <MemberLink review={review} />
        </Fact>
        <Fact label={texts.amount}>{amountOf(review)}</Fact>
        <Fact label={texts.subscription}>
          <SubscriptionLink review={review} />
        </Fact>
        <Fact label={texts.paidPeriod}>{periodText(review)}</Fact>
        <Fact label={texts.paymentProvider}>{gatewayName(gateway)}</Fact>
        <Fact label={texts.providerId}>{ref}</Fact>
        {gateway_ref && gateway_ref !== ref && <Fact label={texts.reference}>{gateway_ref}</Fact>}
        <Fact label={texts.received}>{formatDate(at)}</Fact>
      </DataList>
      <Group gap="sm">
        {can_accept && <Button onClick={() => onDecide(review, 'accept')}>{texts.accept}</Button>}
        <Button variant="default" onClick={() => onDecide(review, 'handled')}>
          {texts.markAsHandledMenuItem}
        </Button>
      </Group>
    </Stack>
  )
}

type DecisionProps = { review: Review; decision: Decision; onClose: () => void }

function DecisionDialog({ review, decision, onClose }: DecisionProps) {
  const isAccepted = decision === 'accept'
  const decide = useApiMutation(payments.decidePaymentReview, {
    success: () => ({ message: isAccepted ? texts.paymentAccepted : texts.markedAsHandled }),
    invalidates: [payments.getPaymentReviews, payments.getPayments, dashboard.getAttentionItems],
  })
  return (
    <ConfirmDialog
      title={isAccepted ? texts.acceptThisPayment : texts.markAsHandledQuestion}
      what={isAccepted ? acceptText(review) : handledText(review)}
      confirmLabel={isAccepted ? texts.acceptButton : texts.markAsHandled}
      onConfirm={() => decide.mutateAsync({ review_id: review.review_id, decision })}
      onClose={onClose}
    />
  )
}

const acceptText = ({ reason, dj_name, gateway }: Review): string =>
  reason === 'unlinked'
    ? format(texts.theSubscriptionAtIsLinked, { gatewayName: gatewayName(gateway), dj_name: dj_name ?? '' })
    : format(texts.thePaymentCountsAsIt, { dj_name: dj_name ?? '' })

const handledText = ({ reason, gateway }: Review): string =>
  reason === 'unreadable'
    ? format(texts.compareThePaymentWithFirst, { gatewayName: gatewayName(gateway) })
    : format(texts.thePaymentBuysNothingHere, { gatewayName: gatewayName(gateway) })
