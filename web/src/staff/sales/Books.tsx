import { books, type ReplyOf } from '@dubplate/contract'
import { IconBook2 } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isAboveZero, money } from '../../billing/money.ts'
import { isReversedRange, parseDay } from '../../platform/dates.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { DayRange, InvalidRange } from '../../ui/DayRange.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import css from './Books.module.css'
import commerce from './Commerce.module.css'
import { sumWords } from './commerceWords.ts'
import { Fetch } from './Fetch.tsx'
import { presets } from './months.ts'
import { gatewayName } from './paymentWords.ts'
import * as texts from './texts.ts'

/** Revenue and refunds, also as a file for accounting. */
export const Books = () => (
  <StaffPage title={texts.reports}>
    <Desk />
  </StaffPage>
)

const FROM = { from: '/staff/books' } as const
const icon = <IconBook2 size={24} />

type Sheet = ReplyOf<typeof books.getMonthSheet>

/** The dates in the URL; the current month by default. */
function useDays() {
  const { from, to } = useSearch(FROM)
  const [month] = presets()
  return from || to ? { from, to } : (month?.range ?? {})
}

function Desk() {
  const range = useDays()
  const [from, to] = [parseDay(range.from), parseDay(range.to)]
  const isNoRange = isReversedRange(range)
  const isWhole = from !== null && to !== null && !isNoRange
  const input = { from: from ?? NO_DAY, to: to ?? NO_DAY }
  const asked = useApiQuery(books.getMonthSheet, input, { keepPrevious: true, enabled: isWhole })
  const { data, error, isPlaceholderData, refetch } = asked
  const hasLines = data !== undefined && data.sums.length > 0 && isWhole
  return (
    <>
      <Days>
        <div className={commerce.deeds}>
          {(['csv', 'excel'] as const).map((format) => (
            <Fetch
              key={format}
              call={books.getBooksFile}
              input={{ ...input, format }}
              isDisabled={!hasLines || data.balance_error !== ''}
              label={format === 'csv' ? texts.downloadCsv : texts.downloadExcel}
            />
          ))}
        </div>
      </Days>
      {isNoRange && <InvalidRange icon={icon} />}
      {!isWhole && !isNoRange && (
        <EmptyState icon={icon} title={texts.selectAPeriod}>
          {texts.chooseAStartAndAn}
        </EmptyState>
      )}
      {isWhole && error && !data && <ErrorState error={error} subject={texts.theReport} retry={() => void refetch()} />}
      {isWhole && !data && !error && <div className={lists.bone} style={{ height: 420 }} aria-busy />}
      {isWhole && data && <OfDays sheet={data} isOld={isPlaceholderData} />}
    </>
  )
}

const NO_DAY = { day: 1, month: 1, year: 2000 }

function Days({ children }: { children: ReactNode }) {
  const navigate = useNavigate(FROM)
  const range = useDays()
  const all = presets()
  const chosen = all.find(({ range: { from, to } }) => from === range.from && to === range.to)?.label
  return (
    <search className={commerce.filters}>
      <Chips
        label={texts.period}
        choices={all.map(({ label }) => ({ value: label, label }))}
        chosen={chosen ?? ''}
        onChoose={(label) => void navigate({ search: all.find((each) => each.label === label)?.range ?? {} })}
      />
      <DayRange
        hasYears={false}
        range={range}
        onChange={({ from, to }, replace) => void navigate({ search: { from, to }, replace, resetScroll: false })}
      >
        {children}
      </DayRange>
    </search>
  )
}

function OfDays({ sheet, isOld }: { sheet: Sheet; isOld: boolean }) {
  const { sums, by_plan, by_gateway, taxes, balance_error } = sheet
  return (
    <>
      {balance_error && (
        <p role="alert" className={lists.trouble}>
          {format(texts.theTotalsForThisPeriod, { balance_error })}
        </p>
      )}
      <div className={css.sheet} aria-busy={isOld || undefined}>
        <Figures sheet={sheet} />
        <Members members={sheet.members} />
      </div>
      {sums.length === 0 ? (
        <EmptyState icon={icon} title={texts.noTransactions}>
          {texts.thereWereNoPaymentsOr}
        </EmptyState>
      ) : (
        <>
          <Table
            title={texts.paymentsAndRefunds}
            head={[texts.currency, texts.gross, texts.refunds, texts.total, texts.net, texts.tax]}
            rows={sums.map(({ currency, gross, refunds, total, net, tax }) => ({
              name: currency,
              cells: [gross, refunds, total, net, tax].map((amount) => money(amount, currency)),
            }))}
          />
          <div className={css.sheet}>
            <Splits title={texts.byPlan} splits={by_plan} />
            <Splits title={texts.byPaymentProvider} splits={by_gateway} nameOf={gatewayName} />
            <Table
              title={texts.byTax}
              head={[texts.rate, texts.net, texts.tax]}
              rows={taxes.map(({ percent, currency, net, tax }) => ({
                name: `${percent}% ${currency}`,
                cells: [money(net, currency), money(tax, currency)],
              }))}
            />
          </div>
          <p className={lists.note}>{texts.datesAreInUtcAmounts}</p>
        </>
      )}
    </>
  )
}

const Figures = ({ sheet: { sums, monthly } }: { sheet: Sheet }) => (
  <section className={commerce.card} aria-label={texts.revenue}>
    <div className={css.figure}>
      <b className="num">
        {sumWords(
          sums.map(({ currency, total: amount }) => ({ currency, amount })),
          '–',
        )}
      </b>
      <span>{texts.netRevenue}</span>
    </div>
    <div className={css.figure}>
      <b className="num">{sumWords(monthly, '–')}</b>
      <span>{texts.mrrExcludesTrialsAndRefunds}</span>
    </div>
  </section>
)

function Members({ members: { at_start, joined, left, at_end } }: { members: Sheet['members'] }) {
  const share = at_start > 0 ? `${((left * 100) / at_start).toFixed(1)}%` : '–'
  return (
    <section className={commerce.card} aria-label={texts.payingMembers}>
      <div className={css.figure}>
        <b className="num">{count(at_end)}</b>
        <span>
          {format(texts.payingMembersAtTheEnd, { at_start: count(at_start), joined: count(joined), left: count(left) })}
        </span>
      </div>
      <div className={css.figure}>
        <b className="num">{share}</b>
        <span>{texts.churn}</span>
      </div>
    </section>
  )
}

type SplitsProps = { title: string; splits: books.RevenueSplit[]; nameOf?: (name: string) => string }

const Splits = ({ title, splits, nameOf = (name) => name }: SplitsProps) => (
  <Table
    title={title}
    head={['', texts.payments, texts.refunds, texts.total]}
    rows={splits.map(({ name, currency, payments, refunds, total }) => ({
      name: `${nameOf(name)}, ${currency}`,
      cells: [count(payments), isAboveZero(refunds) ? money(refunds, currency) : '–', money(total, currency)],
    }))}
  />
)

type TableProps = { title: string; head: string[]; rows: { name: string; cells: string[] }[] }

const Table = ({ title, head, rows }: TableProps) => (
  <section className={commerce.card} aria-label={title}>
    <h2>{title}</h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it */}
    <section className={css.table} aria-label={format(texts.table, { title })} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name || <span className="sr">{texts.name}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={`${name} ${cells.join(' ')}`}>
              <th scope="row">{name}</th>
              {cells.map((cell, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are never reordered
                <td key={n} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </section>
)
