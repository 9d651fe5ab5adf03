import { payments } from '@dubplate/contract'
import { IconReceipt } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isReversedRange, parseDay } from '../../platform/dates.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { DayRange, InvalidRange } from '../../ui/DayRange.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Choice } from '../Choice.tsx'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { queueKeys } from '../queueKeys.ts'
import { StaffPage } from '../StaffPage.tsx'
import { AmountField } from './AmountField.tsx'
import { wholeAmount } from './amountMask.ts'
import screens from './Commerce.module.css'
import { GatewayStates } from './GatewayStates.tsx'
import { Narrowed } from './Narrowed.tsx'
import { PaymentCard } from './PaymentCard.tsx'
import css from './Payments.module.css'
import { gatewayName } from './paymentWords.ts'
import * as texts from './texts.ts'

const PaymentReviews = lazyOnDemand(() => import('./PaymentReviews.tsx').then((code) => code.PaymentReviews))

/** Members' payments by state; staff mark them as paid or refund them. */
export const Payments = () => (
  <StaffPage title={texts.payments}>
    <GatewayStates />
    <Desk />
  </StaffPage>
)

type ListState = (typeof payments.STAFF_PAYMENT_STATES)[number]
const STATES = [...payments.STAFF_PAYMENT_STATES, 'review'] as const
type State = (typeof STATES)[number]
type Counts = Partial<Record<State, number>>

const STATE_NAMES: Record<State, string> = {
  waiting: texts.awaitingTransfer,
  paid: texts.paid,
  failed: texts.failed,
  refunded: texts.refunded,
  review: texts.needsReview,
}

const FROM = { from: '/staff/payments' } as const

/** The filters in the URL, as the API takes them. */
function useInput() {
  const { page = 1, state: shown = 'paid', find, member, subscription, gateway, amount, from, to } = useSearch(FROM)
  // The counts of the other states are also loaded while payments under review are shown.
  const state: ListState = shown === 'review' ? 'paid' : shown
  const typed = wholeAmount(amount ?? '')
  return {
    ...{ page, state, search: find ?? '', customer_id: member, subscription_id: subscription, gateway: gateway ?? '' },
    ...(typed && state !== 'waiting' ? { amount: typed } : {}),
    ...{ from: parseDay(from), to: parseDay(to) },
  }
}

function Desk() {
  const search = useSearch(FROM)
  const input = useInput()
  const isNoRange = isReversedRange(search)
  const asked = useApiQuery(payments.getPayments, input, { keepPrevious: true, enabled: !isNoRange })
  const { data, error, isPlaceholderData, refetch } = asked
  if (search.state === 'review') {
    return (
      <>
        <Filters counts={data?.counts ?? {}} gateways={data?.gateways ?? []} />
        <PaymentReviews page={search.page ?? 1} />
      </>
    )
  }
  const { page: _, state: __, ...narrowing } = search
  const found = isNoRange ? undefined : data?.payments
  return (
    <>
      <Filters counts={data?.counts ?? {}} gateways={data?.gateways ?? []} />
      {isNoRange && <InvalidRange icon={<IconReceipt size={24} />} />}
      {error && !data && <ErrorState error={error} subject={texts.paymentsInSentence} retry={() => void refetch()} />}
      {!data && !error && !isNoRange && <ToCome />}
      {found?.length === 0 && <NoPayments state={input.state} isSearch={Object.keys(narrowing).length > 0} />}
      {data && found && found.length > 0 && (
        <>
          <ol
            className={lists.cards}
            aria-label={texts.payments}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {found.map((payment) => (
              <PaymentCard
                key={`${payment.subscription_id}.${payment.charge_id}`}
                payment={payment}
                hasClock={data.has_test_clocks}
              />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveM, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
              kbd4: (inside) => <kbd>{inside}</kbd>,
            })}
            {data.has_test_clocks && <> · {rich(texts.cAdvanceClock, { kbd: (inside) => <kbd>{inside}</kbd> })}</>}
          </p>
        </>
      )}
    </>
  )
}

function Filters({ counts, gateways }: { counts: Counts; gateways: string[] }) {
  const { state = 'paid', find, member, subscription, gateway, amount, from, to } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const change = (fields: object, replace = false) =>
    void navigate({ search: ({ page: _, ...was }) => ({ ...was, ...fields }), replace, resetScroll: false })
  const nameOf = (each: State) => {
    const n = counts[each]
    return n === undefined ? STATE_NAMES[each] : `${STATE_NAMES[each]} ${count(n)}`
  }
  return (
    <search className={screens.filters}>
      <Chips
        label={texts.paymentStatus}
        choices={STATES.map((value) => ({ value, label: nameOf(value) }))}
        chosen={state}
        onChoose={(state) => change({ state: state === 'paid' ? undefined : state })}
      />
      {state !== 'review' && (
        <>
          <div className={screens.fields}>
            <Choice
              label={texts.paymentProvider}
              chosen={gateway ?? ''}
              choices={gateways.map((name) => [name, gatewayName(name)])}
              onChoose={(gateway) => change({ gateway: gateway || undefined })}
            />
            {state !== 'waiting' && (
              <AmountField
                label={texts.amount}
                path="amount"
                value={amount ?? ''}
                onChange={(amount) => change({ amount: amount || undefined }, true)}
              />
            )}
            <SearchField
              label={texts.searchByNameEmailOr}
              value={find ?? ''}
              onSearch={(find) => change({ find }, true)}
            />
          </div>
          <DayRange range={{ from, to }} onChange={({ from, to }, replace) => change({ from, to }, replace)} />
        </>
      )}
      {(member || subscription) && (
        <Narrowed
          member={member}
          subscription={subscription}
          onDrop={() => change({ member: undefined, subscription: undefined })}
        />
      )}
    </search>
  )
}

const EMPTY: Record<ListState, { title: string; text: string }> = {
  waiting: { title: texts.noTransfersToConfirm, text: texts.bankTransferOrdersAppearHere },
  paid: { title: texts.noPaymentsYet, text: texts.paymentsAppearHereAsThey },
  failed: { title: texts.noFailedPayments, text: texts.failedPaymentsAppearHereWith },
  refunded: { title: texts.noRefundsYet, text: texts.fullAndPartialRefundsAppear },
}

function NoPayments({ state, isSearch }: { state: ListState; isSearch: boolean }) {
  const { title, text } = EMPTY[state]
  return (
    <EmptyState icon={<IconReceipt size={24} />} title={isSearch ? texts.noMatchingPayments : title}>
      {isSearch ? texts.tryADifferentSearchOr : text}
    </EmptyState>
  )
}

const CARDS = 6

const ToCome = () => (
  <ol className={lists.cards} aria-busy aria-label={texts.loadingPayments}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
