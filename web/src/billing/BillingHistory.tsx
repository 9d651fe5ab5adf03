import '../styles/mantine-layout.css'
import { billing } from '@dubplate/contract'
import { Group, Stack } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isReversedRange, parseDay } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { DayRange, InvalidRange, NoResultsInRange } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { BillingRows, BillingSkeleton } from './BillingRows.tsx'
import { billingOrderInput } from './billingOrder.ts'
import { InvoiceButtons } from './InvoiceButtons.tsx'
import * as texts from './texts.ts'

/** All charges and refunds of a member, with their invoices. */
export const BillingHistory = () => (
  <Mantine>
    <AccountPage title={texts.billingHistoryTitle} isWide skeleton={<BillingSkeleton count={ROWS} />}>
      {() => <BillingHistoryPage />}
    </AccountPage>
  </Mantine>
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
    <Stack gap="lg">
      <BillingRange />
      {isRangeInvalid && <InvalidRange icon={icon} />}
      {error && !data && !isRangeInvalid && (
        <ErrorState error={error} title={texts.couldntLoadYourBillingHistory} retry={() => void refetch()} />
      )}
      {!data && !error && !isRangeInvalid && <BillingSkeleton count={ROWS} />}
      {rows?.length === 0 && <NoPayments hasRange={Boolean(start_date || end_date)} />}
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
    </Stack>
  )
}

/**
 * Filters by year or by two dates, and downloads all invoices of the range. The range is stored in the URL; a change
 * returns to page 1.
 */
function BillingRange() {
  const { from, to } = useSearch({ from: '/account/billing' })
  const navigate = useNavigate({ from: '/account/billing' })
  return (
    <DayRange
      range={{ from, to }}
      onChange={(range, replace) =>
        void navigate({ search: ({ sort, dir }) => ({ sort, dir, ...range }), replace, resetScroll: false })
      }
    >
      <Group gap={10} mih={36} fz="sm" c="var(--text-2)">
        {texts.downloadAllInvoices}
        <InvoiceButtons
          invoice={{ startDate: parseDay(from), endDate: parseDay(to) }}
          label={(fileFormat) => format(texts.downloadAllInvoicesAs, { fileFormat })}
        />
      </Group>
    </DayRange>
  )
}

const icon = <IconReceipt size={24} />

const NoPayments = ({ hasRange }: { hasRange: boolean }) =>
  hasRange ? (
    <NoResultsInRange icon={icon} title={texts.noPaymentsInThisPeriod}>
      {texts.noPaymentsBetweenDates}
    </NoResultsInRange>
  ) : (
    <EmptyState icon={icon} title={texts.noPaymentsYet}>
      {texts.yourPaymentsAndInvoicesWill}
    </EmptyState>
  )
