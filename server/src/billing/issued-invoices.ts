import type { Sql } from '../platform/db.ts'
import type { InvoiceSettings } from '../platform/payment-config.ts'

/** Issued invoices and credit notes, and how they are formatted. */

type Seller = InvoiceSettings['seller']

export type Buyer = {
  name: string
  dj_name: string
  street: string
  postcode: string
  city: string
  region: string
  country: string
  email: string
}

/** The first line is the purchase, with its plan. */
export type InvoiceLine = { text: string; amount_minor: number; plan_title?: string }

export type Invoice = {
  invoice_id: number
  kind: 'invoice' | 'credit_note'
  /** `2026-00012` */
  number: string
  customer_id: number
  issued_at: Date
  seller: Seller
  buyer: Buyer
  lines: InvoiceLine[]
  currency: string
  net_minor: number
  tax_minor: number
  /** Net plus tax; negative on a credit note. */
  total_minor: number
  tax_percent: number
  tax_label: string
  /** The payment method: `Visa ending 4242`. */
  paid_with: string
  paid_at: Date
  period_start: Date
  period_end: Date
  /** The number of the invoice that a credit note corrects. */
  corrects: string | null
}

export type Serial = { year: number; serial: number }

/** `2026-00012`, the format used everywhere. */
export const formatInvoiceNumber = ({ year, serial }: Serial): string => `${year}-${String(serial).padStart(5, '0')}`

export const documentName = ({ kind }: Pick<Invoice, 'kind'>): string =>
  kind === 'invoice' ? 'Invoice' : 'Credit note'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1 Nov 2026`, in UTC. */
export const formatDate = (date: Date): string =>
  `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`

const METHODS: Record<string, string> = {
  credit_card: 'Card',
  paypal: 'PayPal',
  mobile_wallet: 'Google/Apple Pay',
  bank_transfer: 'Bank transfer',
}

/** `Visa ending 4242`, or the payment method when there is no card. */
export function formatPayment({ method, paid_with }: { method: string; paid_with: string }): string {
  const card = /^(.+) (\d{4})$/.exec(paid_with)
  return card ? `${card[1]} ending ${card[2]}` : paid_with || METHODS[method] || method
}

const METHOD_TEXTS: Record<string, string> = {
  Card: 'card',
  'Google/Apple Pay': 'Google/Apple Pay',
  'Bank transfer': 'bank transfer',
}

/** The payment method within a sentence: paid via `bank transfer`. */
export const paymentMethodText = ({ paid_with }: Pick<Invoice, 'paid_with'>): string =>
  METHOD_TEXTS[paid_with] ?? paid_with

type InvoiceRow = Omit<Invoice, 'number' | 'corrects'> &
  Serial & { method: string; corrects_year: number | null; corrects_serial: number | null }

/** Returns invoices and credit notes, oldest first, at most `most`. */
export async function findInvoices(
  sql: Sql,
  selection:
    | { invoice_ids: readonly number[] }
    | { customer_id: number; from: Date | null; to: Date | null; most: number },
): Promise<Invoice[]> {
  const rows = await sql<InvoiceRow[]>`
    select i.invoice_id, i.kind, i.year, i.serial, i.customer_id, i.issued_at, i.seller, i.buyer, i.lines, i.currency,
      i.net_minor, i.tax_minor, i.total_minor, i.tax_percent, i.tax_label,
      c.method, c.paid_with, c.at as paid_at, c.period_start, c.period_end,
      o.year as corrects_year, o.serial as corrects_serial
    from invoice i join charge c using (charge_id)
      left join invoice o on i.kind = 'credit_note' and o.charge_id = i.charge_id and o.kind = 'invoice'
    where ${
      'invoice_ids' in selection
        ? sql`i.invoice_id = any(${[...selection.invoice_ids]}::bigint[])`
        : sql`i.customer_id = ${selection.customer_id} and ${isIssuedWithin(sql, selection)}`
    }
    order by i.year, i.serial limit ${'most' in selection ? selection.most : null}`
  return rows.map(toInvoice)
}

/** Whether an invoice `i` was issued from `from` up to, but not including, `to`; null is no bound. */
const isIssuedWithin = (sql: Sql, { from, to }: { from: Date | null; to: Date | null }) =>
  sql`coalesce(i.issued_at >= ${from}::timestamptz, true) and coalesce(i.issued_at < ${to}::timestamptz, true)`

function toInvoice({ year, serial, method, corrects_year, corrects_serial, ...row }: InvoiceRow): Invoice {
  const corrects = corrects_year !== null && corrects_serial !== null
  return {
    ...row,
    number: formatInvoiceNumber({ year, serial }),
    paid_with: formatPayment({ method, paid_with: row.paid_with }),
    corrects: corrects ? formatInvoiceNumber({ year: corrects_year, serial: corrects_serial }) : null,
  }
}
