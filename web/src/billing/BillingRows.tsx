// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are on a phone
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import type { billing, ReplyOf } from '@dubplate/contract'
import { Skeleton, Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDate } from '../format/dates.ts'
import { formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import css from './BillingRows.module.css'
import { type BillingOrder, type BillingSort, nextBillingSort } from './billingOrder.ts'
import { InvoiceButtons } from './InvoiceButtons.tsx'
import { money } from './money.ts'
import { methodName } from './paymentMethodTexts.ts'
import * as texts from './texts.ts'

type BillingEntry = ReplyOf<typeof billing.getBilling>['billing_history'][number]
type Sorting = { sort: BillingSort; onSort: (sort: BillingSort) => void }

type Props = {
  label: string
  rows: BillingEntry[]
  /** How the list can be sorted; without it the headings are plain text. */
  sorting?: Sorting
  /** True while the next page is loading and the previous one is still shown. */
  isStale?: boolean
}

/** Charges and refunds, with their invoices. */
export const BillingRows = ({ label, rows, sorting, isStale }: Props) => (
  <div role="table" aria-label={label} aria-busy={isStale || undefined} style={isStale ? { opacity: 0.6 } : undefined}>
    <div role="rowgroup">
      <div role="row" className={css.head} {...(sorting && { 'data-label': texts.sortByLabel })}>
        <ColumnHeader area="date" text={texts.date} order="payment_date" sorting={sorting} />
        <ColumnHeader area="plan" text={texts.plan} />
        <ColumnHeader area="method" text={texts.method} />
        <ColumnHeader area="amount" text={texts.amount} order="amount" sorting={sorting} />
        <ColumnHeader area="status" text={texts.status} />
        <ColumnHeader area="number" text={texts.invoice} />
        <ColumnHeader area="files" text={<span className="sr">{texts.download}</span>} />
      </div>
    </div>
    <div role="rowgroup" data-testid="billing">
      {rows.map((entry) => (
        <BillingRow key={entry.history_id} entry={entry} />
      ))}
    </div>
  </div>
)

type Area = 'date' | 'plan' | 'method' | 'amount' | 'status' | 'number' | 'files'

type HeaderProps = { area: Area } & (
  | { text: string; order: BillingOrder; sorting: Sorting | undefined }
  | { text: ReactNode; order?: undefined; sorting?: undefined }
)

function ColumnHeader({ area, text, order, sorting }: HeaderProps) {
  if (!sorting)
    return (
      <div role="columnheader" style={{ gridArea: area }}>
        {text}
      </div>
    )
  const dir = sorting.sort.order === order ? (sorting.sort.dir ?? 'DESC') : undefined
  const ariaSort = dir ? (dir === 'ASC' ? 'ascending' : 'descending') : 'none'
  return (
    <div role="columnheader" style={{ gridArea: area }} aria-sort={ariaSort}>
      <button
        type="button"
        title={format(texts.sortBy, { text })}
        onClick={() => sorting.onSort(nextBillingSort(sorting.sort, order))}
      >
        {text}
        {dir && <span aria-hidden>{dir === 'ASC' ? '↑' : '↓'}</span>}
      </button>
    </div>
  )
}

const STATUSES: Record<BillingEntry['status'], { text: string; color: string }> = {
  paid: { text: texts.paid, color: 'var(--ok)' },
  failed: { text: texts.failed, color: 'var(--danger)' },
  refunded: { text: texts.refunded, color: 'var(--text-2)' },
  partly_refunded: { text: texts.partiallyRefunded, color: 'var(--text-2)' },
  credit_note: { text: texts.creditNote, color: 'var(--text-2)' },
}

type CellProps = TextProps & { area: Area; children: ReactNode }

const Cell = ({ area, children, ...look }: CellProps) => (
  <Text inherit component="div" role="cell" style={{ gridArea: area }} c="var(--text-2)" fz="sm" {...look}>
    {children}
  </Text>
)

const STRONG = { c: 'var(--text)', fz: 'md', fw: 560 }

function BillingRow({ entry }: { entry: BillingEntry }) {
  const { history_id, payment_date, plan_name, payment_method, amount, currency, status, invoice_number } = entry
  return (
    <div role="row" className={css.row}>
      <Cell area="date">
        <time className="num" dateTime={payment_date} title={formatExactDate(payment_date)}>
          {formatDate(payment_date)}
        </time>
      </Cell>
      <Cell area="plan" {...STRONG} lineClamp={2}>
        <span title={plan_name}>{plan_name}</span>
      </Cell>
      <Cell area="method">{methodName(payment_method)}</Cell>
      <Cell area="amount" {...STRONG}>
        <span className="num">{money(amount, currency)}</span>
      </Cell>
      <Cell area="status" c={STATUSES[status].color} fz="xs" fw={650}>
        {STATUSES[status].text}
      </Cell>
      <Cell area="number">
        <span className="num">{invoice_number ?? <span aria-hidden>–</span>}</span>
      </Cell>
      <Cell area="files">
        {invoice_number && (
          <InvoiceButtons
            invoice={{ history_id }}
            label={(fileFormat) =>
              format(status === 'credit_note' ? texts.downloadCreditNoteAs : texts.downloadInvoiceAs, {
                number: invoice_number,
                fileFormat,
              })
            }
          />
        )}
      </Cell>
    </div>
  )
}

/** Placeholder at the height of the list while it loads. */
export const BillingSkeleton = ({ count }: { count: number }) => (
  <div aria-busy>
    <div className={css.head} />
    {[...Array(count).keys()].map((n) => (
      <div key={n} className={css.bone}>
        <Skeleton height={20} radius="sm" />
      </div>
    ))}
  </div>
)
