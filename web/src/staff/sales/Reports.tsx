import { books, type ReplyOf } from '@dubplate/contract'
import { Alert, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconBook2 } from '@tabler/icons-react'
import { DownloadButton } from '../../admin/DownloadButton.tsx'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { SimpleTable } from '../../admin/SimpleTable.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { isAboveZero, money } from '../../billing/money.ts'
import { isReversedRange, parseDay } from '../../format/dates.ts'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { Chips } from '../../ui/Chips.tsx'
import { DayRange, InvalidRange } from '../../ui/DayRange.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { presets } from './months.ts'
import { gatewayName } from './refunds.ts'
import { formatSums } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Report = ReplyOf<typeof books.getMonthSheet>

const icon = <IconBook2 size={24} />
const NO_DAY = { day: 1, month: 1, year: 2000 }

/** Revenue and refunds of a period, by default the current month, also as a file for accounting. */
export function Reports() {
  const { search, change } = useTableSearch({ from: trimmedText, to: trimmedText })
  const periods = presets()
  const range = search.from || search.to ? search : (periods[0]?.range ?? {})
  const [from, to] = [parseDay(range.from), parseDay(range.to)]
  const isReversed = isReversedRange(range)
  const isComplete = from !== null && to !== null && !isReversed
  const input = { from: from ?? NO_DAY, to: to ?? NO_DAY }
  const query = useApiQuery(books.getMonthSheet, input, { keepPrevious: true, enabled: isComplete })
  const { data, error, isPlaceholderData, refetch } = query
  const canDownload = isComplete && data !== undefined && data.sums.length > 0 && data.balance_error === ''
  return (
    <StaffPage title={texts.reports}>
      <Stack gap="lg" maw={1080}>
        <Stack component="search" gap="md">
          <Chips
            label={texts.period}
            choices={periods.map(({ label }) => ({ value: label, label }))}
            chosen={periods.find((each) => each.range.from === range.from && each.range.to === range.to)?.label ?? ''}
            onChoose={(label) => change(periods.find((each) => each.label === label)?.range ?? {})}
          />
          <DayRange
            hasYears={false}
            range={range}
            onChange={({ from, to }, replace) => change({ from, to }, { replace })}
          >
            <Group gap="sm">
              {(['csv', 'excel'] as const).map((format) => (
                <DownloadButton
                  key={format}
                  call={books.getBooksFile}
                  input={{ ...input, format }}
                  errorTitle={texts.couldntCreateTheFile}
                  label={format === 'csv' ? texts.downloadCsv : texts.downloadExcel}
                  isDisabled={!canDownload}
                />
              ))}
            </Group>
          </DayRange>
        </Stack>
        {isReversed ? (
          <InvalidRange icon={icon} />
        ) : !isComplete ? (
          <EmptyState icon={icon} title={texts.selectAPeriod}>
            {texts.chooseAStartAndAn}
          </EmptyState>
        ) : data ? (
          <ReportOfPeriod report={data} isOutdated={isPlaceholderData} />
        ) : error ? (
          <ErrorState error={error} subject={texts.theReport} retry={() => void refetch()} />
        ) : (
          <Skeleton height={420} radius="lg" aria-busy />
        )}
      </Stack>
    </StaffPage>
  )
}

const GRID = { cols: { base: 1, md: 2 }, spacing: 'lg' }

function ReportOfPeriod({ report, isOutdated }: { report: Report; isOutdated: boolean }) {
  const { sums, monthly, members, by_plan, by_gateway, taxes, balance_error } = report
  const totals = sums.map(({ currency, total }) => ({ currency, amount: total }))
  const { at_start, joined, left, at_end } = members
  return (
    <Stack gap="lg" opacity={isOutdated ? 0.6 : 1} aria-busy={isOutdated || undefined}>
      {balance_error && <Alert color="var(--danger)">{format(texts.theTotalsForThisPeriod, { balance_error })}</Alert>}
      <SimpleGrid {...GRID}>
        <PageSection title={texts.revenue}>
          <Figure value={formatSums(totals, '–')} label={texts.netRevenue} />
          <Figure value={formatSums(monthly, '–')} label={texts.mrrExcludesTrialsAndRefunds} />
        </PageSection>
        <PageSection title={texts.payingMembers}>
          <Figure
            value={count(at_end)}
            label={format(texts.payingMembersAtTheEnd, {
              at_start: count(at_start),
              joined: count(joined),
              left: count(left),
            })}
          />
          <Figure value={at_start > 0 ? `${((left * 100) / at_start).toFixed(1)}%` : '–'} label={texts.churn} />
        </PageSection>
      </SimpleGrid>
      {sums.length === 0 ? (
        <EmptyState icon={icon} title={texts.noTransactions}>
          {texts.thereWereNoPaymentsOr}
        </EmptyState>
      ) : (
        <>
          <TableSection
            title={texts.paymentsAndRefunds}
            head={[texts.currency, texts.gross, texts.refunds, texts.total, texts.net, texts.tax]}
            rows={sums.map(({ currency, gross, refunds, total, net, tax }) => [
              currency,
              ...[gross, refunds, total, net, tax].map((amount) => money(amount, currency)),
            ])}
          />
          <SimpleGrid {...GRID}>
            <Splits title={texts.byPlan} heading={texts.plan} splits={by_plan} />
            <Splits
              title={texts.byPaymentProvider}
              heading={texts.paymentProvider}
              splits={by_gateway.map((split) => ({ ...split, name: gatewayName(split.name) }))}
            />
            <TableSection
              title={texts.byTax}
              head={[texts.rate, texts.net, texts.tax]}
              rows={taxes.map(({ percent, currency, net, tax }) => [
                `${percent}% ${currency}`,
                money(net, currency),
                money(tax, currency),
              ])}
            />
          </SimpleGrid>
          <Note>{texts.datesAreInUtcAmounts}</Note>
        </>
      )}
    </Stack>
  )
}

const Figure = ({ value, label }: { value: string; label: string }) => (
  <div>
    <Text fz="xl" fw={660} className="num">
      {value}
    </Text>
    <Text fz="sm" c="dimmed">
      {label}
    </Text>
  </div>
)

type SplitsProps = { title: string; heading: string; splits: readonly books.RevenueSplit[] }

const Splits = ({ title, heading, splits }: SplitsProps) => (
  <TableSection
    title={title}
    head={[heading, texts.payments, texts.refunds, texts.total]}
    rows={splits.map(({ name, currency, payments, refunds, total }) => [
      `${name}, ${currency}`,
      count(payments),
      isAboveZero(refunds) ? money(refunds, currency) : '–',
      money(total, currency),
    ])}
  />
)

type TableSectionProps = { title: string; head: string[]; rows: string[][] }

const TableSection = ({ title, head, rows }: TableSectionProps) => (
  <PageSection title={title}>
    <SimpleTable name={title} head={head} rows={rows.map((cells) => ({ key: cells.join(' '), cells }))} />
  </PageSection>
)
