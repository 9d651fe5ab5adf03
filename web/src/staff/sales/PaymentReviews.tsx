import { payments } from '@dubplate/contract'
import { IconCheck, IconShieldCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DateCell, MainCell } from '../../admin/cells.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { money } from '../../billing/money.ts'
import { formatDate } from '../../platform/dates.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import type { Decision } from './DecideReview.tsx'
import { gatewayName } from './paymentWords.ts'
import * as texts from './texts.ts'

type Review = payments.PaymentReview

/** Loaded when staff decide. */
const DecideReview = lazyOnDemand(() => import('./DecideReview.tsx').then(({ DecideReview }) => DecideReview))

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

const COLUMNS: Column<Review>[] = [
  { id: 'reason', header: texts.reason, width: 'auto', cell: (review) => <ReasonCell review={review} /> },
  {
    id: 'member',
    header: texts.member,
    width: 180,
    cell: ({ customer_id, dj_name }) =>
      customer_id !== null && (
        <Link to="/staff/members/$customerId" params={{ customerId: customer_id }}>
          {dj_name}
        </Link>
      ),
  },
  { id: 'amount', header: texts.amount, width: 110, isNumeric: true, cell: amountOf },
  {
    id: 'subscription',
    header: texts.subscription,
    width: 150,
    showFrom: 900,
    cell: ({ subscription_id, plan_name }) =>
      subscription_id !== null && (
        <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }}>
          {plan_name}
        </Link>
      ),
  },
  {
    id: 'period',
    header: texts.paidPeriod,
    width: 210,
    showFrom: 1100,
    cell: ({ period_start, period_end }) =>
      period_start &&
      period_end &&
      format(texts.to, { period_start: formatDate(period_start), period_end: formatDate(period_end) }),
  },
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

/** Payments that have no effect until staff decide on them. */
export function PaymentReviews({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const query = useApiQuery(payments.getPaymentReviews, { page }, { keepPrevious: true })
  const { data } = query
  const [open, setOpen] = useState<{ review: Review; decision: Decision }>()
  const actions: RowAction<Review>[] = [
    {
      label: texts.accept,
      icon: IconCheck,
      key: 'a',
      isAvailable: ({ can_accept }) => can_accept,
      run: (review) => setOpen({ review, decision: 'accept' }),
    },
    {
      label: texts.markAsHandledMenuItem,
      icon: IconX,
      key: 'h',
      run: (review) => setOpen({ review, decision: 'handled' }),
    },
  ]
  return (
    <>
      <ResourceTable
        name={texts.paymentsThatNeedReview}
        columns={COLUMNS}
        rows={data?.reviews}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadPayments}
        idOf={({ review_id }) => review_id}
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
        onPage={onPage}
        empty={{
          icon: <IconShieldCheck size={24} />,
          title: texts.noPaymentsNeedReview,
          text: texts.paymentsThatDifferFromWhat,
        }}
      />
      {open && <DecideReview {...open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
