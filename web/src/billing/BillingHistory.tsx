import { billing } from '@dubplate/contract'
import { IconReceipt } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isReversedRange, parseDay } from '../format/dates.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { InvalidRange, NoResultsInRange } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import css from './BillingHistory.module.css'
import { BillingRange } from './BillingRange.tsx'
import { BillingRows, BillingSkeleton } from './BillingRows.tsx'
import { billingOrderInput } from './billingOrder.ts'
import * as texts from './texts.ts'

/** All charges and refunds of a member, with their invoices. */
export const BillingHistory = () => (
  <AccountPage title={texts.billingHistoryTitle} isWide skeleton={<BillingSkeleton count={ROWS} />}>
    {() => <BillingHistoryPage />}
  </AccountPage>
)

const ROWS = 10

function BillingHistoryPage() {
  const { page = 1, from, to, sort: order, dir } = useSearch({ from: '/account/billing' })
  const navigate = useNavigate({ from: '/account/billing' })
  const [start_date, end_date] = [parseDay(from), parseDay(to)]
  const isRangeInvalid = isReversedRange({ from, to })
  const input = { page, ...billingOrderInput({ order, dir }), start_date, end_date }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(billing.getBilling, input, {
    keepPrevious: true,
    enabled: !isRangeInvalid,
  })
  const rows = isRangeInvalid ? undefined : data?.billing_history
  return (
    <div className={css.history}>
      <BillingRange />
      {isRangeInvalid && <InvalidRange icon={icon} />}
      {error && !data && !isRangeInvalid && (
        <ErrorState error={error} title={texts.couldntLoadYourBillingHistory} retry={() => void refetch()} />
      )}
      {!data && !error && !isRangeInvalid && <BillingSkeleton count={ROWS} />}
      {rows?.length === 0 && (start_date || end_date ? <NoPaymentsInRange /> : <NoPaymentsYet />)}
      {data && rows && rows.length > 0 && (
        <>
          <BillingRows
            label={texts.billingHistory}
            rows={rows}
            isStale={isPlaceholderData}
            sorting={{
              sort: { order, dir },
              onSort: ({ order, dir }) =>
                void navigate({ search: ({ from, to }) => ({ from, to, sort: order, dir }), resetScroll: false }),
            }}
          />
          <Pagination pagination={data.pagination} />
        </>
      )}
    </div>
  )
}

const icon = <IconReceipt size={24} />

const NoPaymentsYet = () => (
  <EmptyState icon={icon} title={texts.noPaymentsYet}>
    {texts.yourPaymentsAndInvoicesWill}
  </EmptyState>
)

const NoPaymentsInRange = () => (
  <NoResultsInRange icon={icon} title={texts.noPaymentsInThisPeriod}>
    {texts.noPaymentsBetweenDates}
  </NoResultsInRange>
)
