import type { billing, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import { toDateRange } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { formatInvoiceNumber, formatPayment } from './issued-invoices.ts'

type BillingParams = ParsedInputOf<typeof billing.getBilling>
type BillingReply = ReplyOf<typeof billing.getBilling>
type BillingEntry = BillingReply['billing_history'][number]

const PAGE_SIZE = 10

/**
 * Returns which charge or refund an entry of the history is: its id is twice the id of a charge, or twice that of a
 * refund plus one. The id only identifies the entry; entries are ordered by time.
 */
export const openHistoryId = (historyId: number): { charge_id?: number; refund_id?: number } =>
  historyId % 2 === 0 ? { charge_id: historyId / 2 } : { refund_id: (historyId - 1) / 2 }

/** Returns one page of a member's charges, including failed ones, and refunds. */
export async function billingHistory(sql: Sql, customerId: number, params: BillingParams): Promise<BillingReply> {
  const { page } = params
  const dateRange = toDateRange(params.start_date, params.end_date)
  const entries = billingEntries(sql, customerId)
  const withinRange = sql`coalesce(at >= ${dateRange.from}::timestamptz, true) and coalesce(at < ${dateRange.to}::timestamptz, true)`
  const [rows, [counted]] = await Promise.all([
    sql<BillingRow[]>`
      select * from (${entries}) e where ${withinRange} order by ${orderClause(sql, params)}
      limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`,
    sql<{ n: number }[]>`select count(*)::int as n from (${entries}) e where ${withinRange}`,
  ])
  return {
    billing_history: rows.map(toEntry),
    pagination: { page, perPageLimit: PAGE_SIZE, totalCount: counted?.n ?? 0 },
  }
}

type BillingRow = Pick<BillingEntry, 'history_id' | 'plan_name' | 'currency' | 'status'> & {
  at: Date
  method: string
  paid_with: string
  amount_minor: number
  year: number | null
  serial: number | null
}

const billingEntries = (sql: Sql, customerId: number) => sql`
  select c.charge_id * 2 as history_id, c.at, p.title as plan_name, c.method, c.paid_with, c.amount_minor, c.currency,
    case when c.status = 'failed' then 'failed' when g.back = 0 then 'paid' when g.back < c.amount_minor then 'partly_refunded'
      else 'refunded' end as status,
    i.year, i.serial
  from charge c join plan p using (plan_id)
    cross join lateral (
      select coalesce(sum(r.amount_minor), 0) as back from refund r where r.charge_id = c.charge_id) g
    left join invoice i on i.charge_id = c.charge_id and i.kind = 'invoice'
  where c.customer_id = ${customerId} and c.status in ('paid', 'failed')
  union all
  select r.refund_id * 2 + 1, r.at, p.title, c.method, c.paid_with, -r.amount_minor, c.currency, 'credit_note',
    i.year, i.serial
  from refund r join charge c using (charge_id) join plan p using (plan_id) left join invoice i using (refund_id)
  where c.customer_id = ${customerId}`

function orderClause(sql: Sql, { order: ordering, orderDir }: BillingParams) {
  const direction = orderDir === 'ASC' ? sql`asc` : sql`desc`
  if (ordering === 'amount') return sql`amount_minor ${direction}, at ${direction}, history_id ${direction}`
  return sql`at ${direction}, history_id ${direction}`
}

function toEntry({ at, method, paid_with, amount_minor, year, serial, ...row }: BillingRow): BillingEntry {
  return {
    ...row,
    payment_date: at.toISOString(),
    payment_method: formatPayment({ method, paid_with }),
    amount: toDecimal(amount_minor),
    invoice_number: year !== null && serial !== null ? formatInvoiceNumber({ year, serial }) : null,
  }
}
