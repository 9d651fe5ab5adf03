import { invoices, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import { toDateRange } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { findInvoices, formatInvoiceNumber, type Invoice, type Serial } from './issued-invoices.ts'

/** The invoices and credit notes of all members, for staff. */

export type InvoiceFilters = Omit<ParsedInputOf<typeof invoices.getInvoices>, 'page'>

/** The condition for an invoice `i` and its member `m`. Throws `invalid_request` for a date that does not exist. */
function searchCondition(sql: Sql, { kind, search, customer_id, from, to }: InvoiceFilters) {
  const text = search.replace(/[\\%_]/g, '\\$&')
  const days = toDateRange(from, to)
  return sql`true
    ${kind ? sql`and i.kind = ${kind}` : sql``}
    ${customer_id ? sql`and i.customer_id = ${customer_id}` : sql``}
    ${days.from ? sql`and i.issued_at >= ${days.from}` : sql``} ${days.to ? sql`and i.issued_at < ${days.to}` : sql``}
    ${
      text
        ? sql`and (i.year || '-' || lpad(i.serial::text, greatest(5, length(i.serial::text)), '0') like ${`${text}%`}
            or i.buyer->>'name' ilike ${`%${text}%`} or i.buyer->>'email' ilike ${`%${text}%`} or m.dj_name ilike ${`%${text}%`})`
        : sql``
    }`
}

type InvoiceRow = Serial & {
  invoice_id: number
  kind: Invoice['kind']
  issued_at: Date
  customer_id: number
  buyer: string
  dj_name: string
  text: string
  net_minor: number
  tax_minor: number
  total_minor: number
  tax_percent: number
  currency: string
  charge_id: number
  subscription_id: number
  corrects_year: number | null
  corrects_serial: number | null
  mailed_at: Date | null
  can_mail: boolean
}

const invoiceColumns = (sql: Sql) => sql`
  select i.invoice_id, i.kind, i.year, i.serial, i.issued_at, i.customer_id, i.buyer->>'name' as buyer, m.dj_name,
    i.lines->0->>'text' as text, i.net_minor, i.tax_minor, i.total_minor, i.tax_percent, i.currency, i.charge_id,
    c.subscription_id, o.year as corrects_year, o.serial as corrects_serial, i.mailed_at, m.status <> 'deleted' as can_mail
  from invoice i join customer m using (customer_id) join charge c using (charge_id)
    left join invoice o on i.kind = 'credit_note' and o.charge_id = i.charge_id and o.kind = 'invoice'`

function toStaffInvoice({ year, serial, corrects_year, corrects_serial, ...row }: InvoiceRow): invoices.StaffInvoice {
  const corrects = corrects_year !== null && corrects_serial !== null
  return {
    ...row,
    number: formatInvoiceNumber({ year, serial }),
    issued_at: row.issued_at.toISOString(),
    net: toDecimal(row.net_minor),
    tax: toDecimal(row.tax_minor),
    total: toDecimal(row.total_minor),
    corrects: corrects ? formatInvoiceNumber({ year: corrects_year, serial: corrects_serial }) : null,
    mailed_at: row.mailed_at?.toISOString() ?? null,
  }
}

/** Returns one page of invoices, newest first. */
export async function listInvoices(
  sql: Sql,
  { page, ...filters }: ParsedInputOf<typeof invoices.getInvoices>,
): Promise<ReplyOf<typeof invoices.getInvoices>> {
  const limit = invoices.INVOICES_PER_PAGE
  const condition = searchCondition(sql, filters)
  const [rows, [count]] = await Promise.all([
    sql<InvoiceRow[]>`
      ${invoiceColumns(sql)} where ${condition}
      order by i.issued_at desc, i.invoice_id desc limit ${limit} offset ${(page - 1) * limit}`,
    sql<{ n: number }[]>`
      select count(*)::int as n from invoice i join customer m using (customer_id) where ${condition}`,
  ])
  return {
    invoices: rows.map(toStaffInvoice),
    pagination: { page, perPageLimit: limit, totalCount: count?.n ?? 0 },
  }
}

/** Throws `unknown_payment`. */
export async function getStaffInvoice(sql: Sql, invoiceId: number): Promise<invoices.StaffInvoice> {
  const [row] = await sql<InvoiceRow[]>`${invoiceColumns(sql)} where i.invoice_id = ${invoiceId}`
  if (!row) throw unknownInvoice()
  return toStaffInvoice(row)
}

const unknownInvoice = () => new ApiError('unknown_payment', 'Invoice not found.')

/**
 * Returns complete invoices for a file: one, or all that match, oldest first. Throws `unknown_payment`, `no_invoices`,
 * `too_many_invoices`.
 */
export async function findInvoicesForFile(
  sql: Sql,
  selection: { invoice_id: number } | InvoiceFilters,
  maxInvoices: number,
): Promise<Invoice[]> {
  if ('invoice_id' in selection) {
    const one = await findInvoices(sql, { invoice_ids: [selection.invoice_id] })
    if (one.length === 0) throw unknownInvoice()
    return one
  }
  const ids = await sql<{ invoice_id: number }[]>`
    select i.invoice_id from invoice i join customer m using (customer_id) where ${searchCondition(sql, selection)} limit ${maxInvoices + 1}`
  if (ids.length === 0) throw new ApiError('no_invoices', 'Invoice not found.')
  if (ids.length > maxInvoices) {
    throw new ApiError(
      'too_many_invoices',
      `A file can contain up to ${maxInvoices} invoices. Choose a shorter period.`,
    )
  }
  return findInvoices(sql, { invoice_ids: ids.map(({ invoice_id }) => invoice_id) })
}
