// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are on a phone
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import type { billing, ReplyOf } from '@dubplate/contract'
import { formatDate } from '../format/dates.ts'
import { formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import css from './BillingRows.module.css'
import { type BillingOrder, type BillingSort, nextBillingSort } from './billingOrder.ts'
import { InvoiceMenu } from './InvoiceMenu.tsx'
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
  <div className={css.table} role="table" aria-label={label} aria-busy={isStale || undefined}>
    <div role="rowgroup">
      <div role="row" className={css.head} data-sortable={sorting && ''}>
        <BillingColumnHeader area="date" text={texts.date} order="payment_date" sorting={sorting} />
        <BillingColumnHeader area="plan" text={texts.plan} />
        <BillingColumnHeader area="method" text={texts.method} />
        <BillingColumnHeader area="amount" text={texts.amount} order="amount" sorting={sorting} />
        <BillingColumnHeader area="status" text={texts.status} />
        <BillingColumnHeader area="number" text={texts.invoice} />
        <BillingColumnHeader area="files" text={texts.download} isHidden />
      </div>
    </div>
    <div role="rowgroup" data-testid="billing">
      {rows.map((entry) => (
        <BillingRow key={entry.history_id} entry={entry} />
      ))}
    </div>
  </div>
)

type HeadProps = {
  area: string
  text: string
  order?: BillingOrder
  sorting?: Sorting | undefined
  isHidden?: boolean
}

function BillingColumnHeader({ area, text, order, sorting, isHidden }: HeadProps) {
  const isSortable = order && sorting
  const dir = isSortable && sorting.sort.order === order ? (sorting.sort.dir ?? 'DESC') : undefined
  const ariaSort = dir ? (dir === 'ASC' ? 'ascending' : 'descending') : 'none'
  return (
    <div role="columnheader" className={css[area]} aria-sort={isSortable && ariaSort}>
      {isSortable ? (
        <button
          type="button"
          title={format(texts.sortBy, { text })}
          onClick={() => sorting.onSort(nextBillingSort(sorting.sort, order))}
        >
          {text}
          {dir && <span aria-hidden>{dir === 'ASC' ? '↑' : '↓'}</span>}
        </button>
      ) : isHidden ? (
        <span className="sr">{text}</span>
      ) : (
        text
      )}
    </div>
  )
}

const STATUS_WORDS: Record<BillingEntry['status'], string> = {
  paid: texts.paid,
  failed: texts.failed,
  refunded: texts.refunded,
  partly_refunded: texts.partiallyRefunded,
  credit_note: texts.creditNote,
}

function BillingRow({ entry }: { entry: BillingEntry }) {
  const { history_id, payment_date, plan_name, payment_method, amount, currency, status, invoice_number } = entry
  return (
    <div role="row" className={css.row}>
      <div role="cell" className={css.date}>
        <time dateTime={payment_date} title={formatExactDate(payment_date)}>
          {formatDate(payment_date)}
        </time>
      </div>
      <div role="cell" className={css.plan} title={plan_name}>
        {plan_name}
      </div>
      <div role="cell" className={css.method}>
        {methodName(payment_method)}
      </div>
      <div role="cell" className={css.amount}>
        {money(amount, currency)}
      </div>
      <div role="cell" className={css.status} data-status={status}>
        {STATUS_WORDS[status]}
      </div>
      <div role="cell" className={css.number}>
        {invoice_number ?? <span aria-hidden>–</span>}
      </div>
      <div role="cell" className={css.files}>
        {invoice_number && (
          <InvoiceMenu
            what={{ history_id }}
            label={(fileFormat) =>
              format(status === 'credit_note' ? texts.downloadCreditNoteAs : texts.downloadInvoiceAs, {
                number: invoice_number,
                fileFormat,
              })
            }
          />
        )}
      </div>
    </div>
  )
}

/** Placeholder at the height of the list while it loads. */
export const BillingSkeleton = ({ count }: { count: number }) => (
  <div className={css.table} aria-busy>
    <div className={css.head} />
    {[...Array(count).keys()].map((n) => (
      <div key={n} className={css.bone} />
    ))}
  </div>
)
