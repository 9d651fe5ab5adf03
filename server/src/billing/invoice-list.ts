import { invoices, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import { prefixQuery, rowsOfMembers } from '../membership/member-search.ts'
import { ApiError } from '../platform/api-error.ts'
import { toDateRange } from '../platform/calendar.ts'
import { countPages } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { idsIfFew } from '../platform/few-rows.ts'
import { findInvoices, formatInvoiceNumber, type Invoice, type Serial } from './issued-invoices.ts'

/** The invoices and credit notes of all members, for staff. */

export type InvoiceFilters = Omit<ParsedInputOf<typeof invoices.getInvoices>, 'page'>

type Condition = { where: SqlFragment }

/**
 * The condition for an invoice `i`: a search is an invoice number, or names members, or buyers as the invoice names them,
 * by the beginnings of words. Throws `invalid_request` for a date that does not exist.
 */
async function searchCondition(sql: Sql, { kind, search, customer_id, from, to }: InvoiceFilters): Promise<Condition> {
  const [, year, serial] = /^(\d{4})-(\d{1,9})$/.exec(search) ?? []
  const matching = year && serial ? undefined : search ? await rowsOfMembers(sql, search) : undefined
  const days = toDateRange(from, to)
  return {
    where: sql`true
      ${kind ? sql`and i.kind = ${kind}` : sql``}
      ${customer_id ? sql`and i.customer_id = ${customer_id}` : sql``}
      ${days.from ? sql`and i.issued_at >= ${days.from}` : sql``} ${days.to ? sql`and i.issued_at < ${days.to}` : sql``}
      ${year && serial ? sql`and i.year = ${Number(year)} and i.serial = ${Number(serial)}` : sql``}
      ${
        matching
          ? sql`and (${matching(sql`i.customer_id`)} or i.buyer_words @@ to_tsquery('simple', ${prefixQuery(search)}))`
          : sql``
      }`,
  }
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
  const found = await searchCondition(sql, filters)
  const few =
    filters.search && (await idsIfFew(sql, sql`select i.invoice_id as id from invoice i where ${found.where}`))
  const where = few ? sql`i.invoice_id = any(${few}::bigint[])` : found.where
  const [rows, count] = await Promise.all([
    // The page is selected before other tables are joined.
    sql<InvoiceRow[]>`
      ${invoiceColumns(sql)} where i.invoice_id in (
        select i.invoice_id from invoice i where ${where}
        order by i.issued_at desc, i.invoice_id desc limit ${limit} offset ${(page - 1) * limit})
      order by i.issued_at desc, i.invoice_id desc`,
    countPages(sql, sql`select 1 from invoice i where ${where}`),
  ])
  return { invoices: rows.map(toStaffInvoice), pagination: { page, perPageLimit: limit, ...count } }
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
  const { where } = await searchCondition(sql, selection)
  const ids = await sql<{ invoice_id: number }[]>`
    select i.invoice_id from invoice i where ${where} limit ${maxInvoices + 1}`
  if (ids.length === 0) throw new ApiError('no_invoices', 'Invoice not found.')
  if (ids.length > maxInvoices) {
    throw new ApiError(
      'too_many_invoices',
      `A file can contain up to ${maxInvoices} invoices. Choose a shorter period.`,
    )
  }
  return findInvoices(sql, { invoice_ids: ids.map(({ invoice_id }) => invoice_id) })
}
