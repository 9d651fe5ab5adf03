import { billing } from '@dubplate/contract'
import { IconReceipt } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { dayOf, isBackwards } from '../platform/days.ts'
import { Trouble } from '../platform/errors.tsx'
import { useAsk } from '../platform/queries.ts'
import { NoSuchRange, NothingThere } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import css from './BillingHistory.module.css'
import { BillingRange } from './BillingRange.tsx'
import { BillingBones, BillingRows } from './BillingRows.tsx'
import { billingOrderInput } from './billingOrder.ts'
import * as texts from './texts.ts'

/** Everything a member was charged and given back, with the invoices. */
export const BillingHistory = () => (
  <AccountPage title={texts.billingHistory} isWide bones={<BillingBones count={ROWS} />}>
    {() => <History />}
  </AccountPage>
)

const ROWS = 10

function History() {
  const { page = 1, from, to, sort: order, dir } = useSearch({ from: '/account/billing' })
  const navigate = useNavigate({ from: '/account/billing' })
  const [start_date, end_date] = [dayOf(from), dayOf(to)]
  const isNoRange = isBackwards({ from, to })
  const input = { page, ...billingOrderInput({ order, dir }), start_date, end_date }
  const { data, error, isPlaceholderData, refetch } = useAsk(billing.getBilling, input, {
    keepPrevious: true,
    when: !isNoRange,
  })
  const rows = isNoRange ? undefined : data?.billing_history
  return (
    <div className={css.history}>
      <BillingRange />
      {isNoRange && <NoSuchRange icon={icon} />}
      {error && !data && !isNoRange && (
        <Trouble error={error} what={texts.yourBillingHistory} retry={() => void refetch()} />
      )}
      {!data && !error && !isNoRange && <BillingBones count={ROWS} />}
      {rows?.length === 0 && (start_date || end_date ? <NothingThen /> : <NothingYet />)}
      {data && rows && rows.length > 0 && (
        <>
          <BillingRows
            label={texts.billingHistory2}
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

const NothingYet = () => (
  <EmptyState icon={icon} title={texts.noPaymentsYet}>
    {texts.yourPaymentsAndInvoicesWill}
  </EmptyState>
)

const NothingThen = () => (
  <NothingThere icon={icon} title={texts.noPaymentsInThisPeriod}>
    {texts.youHadNoPaymentsOr}
  </NothingThere>
)
