import { payments } from '@dubplate/contract'
import { Box, NumberInput } from '@mantine/core'
import { IconCheck, IconClock, IconMail, IconReceipt, IconReceiptRefund } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { wholeAmount } from '../../admin/amountMask.ts'
import { DateCell, MainCell, Status, type Tone } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { DateFilter, TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { isAboveZero, money } from '../../billing/money.ts'
import { methodName } from '../../billing/paymentMethodTexts.ts'
import { isReversedRange, parseDay } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { GatewayFilter, MemberFilter, SubscriptionFilter } from './filters.tsx'
import { GatewayStates, useGatewayStates } from './GatewayStates.tsx'
import { PaymentReviews } from './PaymentReviews.tsx'
import { gatewayName, refundableAmount } from './refunds.ts'
import * as texts from './texts.ts'

type Payment = payments.StaffPayment

const loadForms = () => import('./PaymentForms.tsx')
const MarkPaid = lazyOnDemand(() => loadForms().then((code) => code.MarkPaid))
const Refund = lazyOnDemand(() => loadForms().then((code) => code.Refund))
const MoveClock = lazyOnDemand(() => loadForms().then((code) => code.MoveClock))

const STATES = [...payments.STAFF_PAYMENT_STATES, 'review'] as const

const STATE_NAMES: Record<(typeof STATES)[number], string> = {
  waiting: texts.awaitingTransfer,
  paid: texts.paid,
  failed: texts.failed,
  refunded: texts.refunded,
  review: texts.needsReview,
}

const STATUSES: Record<Payment['status'], { text: string; tone: Tone }> = {
  waiting: { text: texts.awaitingTransfer, tone: 'warning' },
  paid: { text: texts.paid, tone: 'ok' },
  failed: { text: texts.failed, tone: 'danger' },
  refunded: { text: texts.refunded, tone: 'neutral' },
  partly_refunded: { text: texts.partiallyRefunded, tone: 'neutral' },
}

const MemberCell = ({ payment: { customer_id, dj_name, email } }: { payment: Payment }) => (
  <MainCell
    title={
      <Link to="/staff/members/$customerId" params={{ customerId: customer_id }}>
        {dj_name}
      </Link>
    }
    text={email}
  />
)

const StatusCell = ({ status }: { status: Payment['status'] }) => (
  <Status tone={STATUSES[status].tone}>{STATUSES[status].text}</Status>
)

/** Why it failed, how much was refunded, or what the bank transfer is recognised by. */
function DetailCell({ failure_reason, refunded, currency, reference, invoice_number }: Payment) {
  const text =
    failure_reason ||
    (isAboveZero(refunded) ? format(texts.amountRefunded, { amount: money(refunded, currency) }) : reference)
  return (
    <MainCell
      title={<span title={text}>{text}</span>}
      text={
        invoice_number && (
          <Link to="/staff/invoices" search={{ find: invoice_number }}>
            {invoice_number}
          </Link>
        )
      }
    />
  )
}

const COLUMNS: Column<Payment>[] = [
  { id: 'member', header: texts.member, width: 'auto', cell: (payment) => <MemberCell payment={payment} /> },
  {
    id: 'amount',
    header: texts.amount,
    width: 110,
    isNumeric: true,
    cell: ({ amount, currency }) => <b>{money(amount, currency)}</b>,
  },
  { id: 'status', header: texts.status, width: 170, cell: ({ status }) => <StatusCell status={status} /> },
  {
    id: 'plan',
    header: texts.plan,
    width: 150,
    showFrom: 760,
    cell: ({ subscription_id, plan_name }) => (
      <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }}>
        {plan_name}
      </Link>
    ),
  },
  {
    id: 'method',
    header: texts.paymentMethod,
    width: 190,
    showFrom: 1040,
    cell: ({ payment_method, gateway }) => `${methodName(payment_method)} · ${gatewayName(gateway)}`,
  },
  { id: 'details', header: texts.details, width: 210, showFrom: 1000, cell: DetailCell },
  {
    id: 'date',
    header: texts.date,
    width: 124,
    isNumeric: true,
    showFrom: 640,
    cell: ({ at }) => <DateCell at={at} />,
  },
]

const NONE: Record<(typeof payments.STAFF_PAYMENT_STATES)[number], { title: string; text: string }> = {
  waiting: { title: texts.noTransfersToConfirm, text: texts.bankTransferOrdersAppearHere },
  paid: { title: texts.noPaymentsYet, text: texts.paymentsAppearHereAsThey },
  failed: { title: texts.noFailedPayments, text: texts.failedPaymentsAppearHereWith },
  refunded: { title: texts.noRefundsYet, text: texts.fullAndPartialRefundsAppear },
}

const canRefund = (payment: Payment) =>
  payment.charge_id !== null &&
  (payment.status === 'paid' || payment.status === 'partly_refunded') &&
  isAboveZero(refundableAmount(payment))

/** The form that is open: for which payment, and what it does. */
type OpenForm = { payment: Payment; Form: typeof MarkPaid }

/** Members' payments by state; staff mark them as paid or refund them. */
export function Payments() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(STATES),
    find: trimmedText,
    member: positiveInteger,
    subscription: positiveInteger,
    gateway: trimmedText,
    amount: trimmedText,
    from: trimmedText,
    to: trimmedText,
  })
  const { page = 1, state: shownState = 'paid', find, member, subscription, gateway, amount, from, to } = search
  // The counts of the other states are also loaded while payments under review are shown.
  const state = shownState === 'review' ? 'paid' : shownState
  const exactAmount = state === 'waiting' ? '' : wholeAmount(amount ?? '')
  const input = {
    ...{ page, state, search: find ?? '', customer_id: member, subscription_id: subscription, gateway: gateway ?? '' },
    ...(exactAmount ? { amount: exactAmount } : {}),
    ...{ from: parseDay(from), to: parseDay(to) },
  }
  const isReversed = isReversedRange({ from, to })
  const query = useApiQuery(payments.getPayments, input, { keepPrevious: true, enabled: !isReversed })
  const { data } = query
  const gatewayStates = useGatewayStates()
  const navigate = useNavigate()
  const [openForm, setOpenForm] = useState<OpenForm>()
  const hasClock = data?.has_test_clocks ?? false
  const actions: RowAction<Payment>[] = [
    {
      label: texts.markAsPaid,
      icon: IconCheck,
      key: 'm',
      isAvailable: ({ status }) => status === 'waiting',
      run: (payment) => setOpenForm({ payment, Form: MarkPaid }),
    },
    {
      label: texts.refundMenuItem,
      icon: IconReceiptRefund,
      key: 'r',
      isAvailable: canRefund,
      run: (payment) => setOpenForm({ payment, Form: Refund }),
    },
    {
      label: texts.sendEmail,
      icon: IconMail,
      run: ({ email }) => location.assign(`mailto:${email}`),
    },
    ...(hasClock
      ? [
          {
            label: texts.advanceClock,
            icon: IconClock,
            key: 'c',
            run: (payment: Payment) => setOpenForm({ payment, Form: MoveClock }),
          },
        ]
      : []),
  ]
  // Their card is above the table, and would move it if it appeared later.
  if (gatewayStates.isPending)
    return (
      <TablePage>
        <Box flex={1} aria-busy />
      </TablePage>
    )
  const top = (
    <>
      <GatewayStates mx={{ base: 'lg', sm: 'xl' }} mt={{ base: 'md', sm: 0 }} mb="xs" />
      <ViewTabs
        label={texts.paymentStatus}
        views={STATES.map((value) => ({
          value,
          name: STATE_NAMES[value],
          count: data?.counts[value as keyof typeof data.counts],
        }))}
        current={shownState}
        onChange={(state) => change({ state: state === 'paid' ? undefined : state })}
      />
    </>
  )
  if (shownState === 'review')
    return <PaymentReviews total={data?.counts.review} top={top} page={page} onPage={(page) => change({ page })} />
  return (
    <TablePage total={data?.pagination} top={top}>
      <ResourceTable
        name={texts.payments}
        columns={COLUMNS}
        rows={isReversed ? [] : data?.payments}
        pagination={isReversed ? undefined : data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadPayments}
        idOf={({ subscription_id, charge_id }) => `${subscription_id}.${charge_id}`}
        labelOf={({ dj_name }) => dj_name}
        narrowRow={(payment) => ({
          start: <MemberCell payment={payment} />,
          end: (
            <>
              <b>{money(payment.amount, payment.currency)}</b>
              <StatusCell status={payment.status} />
            </>
          ),
        })}
        rowActions={actions}
        onOpen={({ subscription_id }) =>
          void navigate({
            to: '/staff/subscriptions/$subscriptionId',
            params: { subscriptionId: subscription_id },
          })
        }
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByNameEmailOr}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            <GatewayFilter gateways={data?.gateways} value={gateway} onChange={(gateway) => change({ gateway })} />
            {state !== 'waiting' && (
              <NumberInput
                w={120}
                aria-label={texts.amount}
                placeholder={texts.amount}
                value={amount ?? ''}
                min={0}
                decimalScale={2}
                hideControls
                onChange={(value) => change({ amount: String(value) || undefined }, { replace: true })}
              />
            )}
            <DateFilter range={{ from, to }} onChange={(range, replace) => change(range, { replace })} />
            <MemberFilter member={member} onRemove={() => change({ member: undefined })} />
            <SubscriptionFilter subscription={subscription} onRemove={() => change({ subscription: undefined })} />
          </TableToolbar>
        }
        empty={emptyState({
          icon: <IconReceipt size={24} />,
          none: NONE[state],
          noMatches: { title: texts.noMatchingPayments, text: texts.tryADifferentSearchOr },
          isFiltered: [find, member, subscription, gateway, amount, from, to].some(Boolean),
          isReversed,
        })}
      />
      {openForm && <openForm.Form payment={openForm.payment} onClose={() => setOpenForm(undefined)} />}
    </TablePage>
  )
}
