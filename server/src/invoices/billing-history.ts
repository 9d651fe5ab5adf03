import type { billing, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { asDecimal } from '../gateways/money.ts'
import { rangeOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { numberOf, paymentInWords } from './issued.ts'

type Asked = ParsedInputOf<typeof billing.getBilling>
type Reply = ReplyOf<typeof billing.getBilling>
type Entry = Reply['billing_history'][number]

const A_PAGE = 10

/**
 * Reads which charge or refund an entry of the history is: its number is twice the id of a charge, or twice that of a refund
 * and one. It only names the entry; entries are in the order they happened.
 */
export const openHistoryId = (historyId: number): { charge_id?: number; refund_id?: number } =>
  historyId % 2 === 0 ? { charge_id: historyId / 2 } : { refund_id: (historyId - 1) / 2 }

/** What a member was charged, also in vain, and given back: one page of it. */
export async function billingHistory(sql: Sql, customerId: number, asked: Asked): Promise<Reply> {
  const { page } = asked
  const within = rangeOf(asked.start_date, asked.end_date)
  const entries = entriesOf(sql, customerId)
  const isWithin = sql`coalesce(at >= ${within.from}::timestamptz, true) and coalesce(at < ${within.to}::timestamptz, true)`
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`
      select * from (${entries}) e where ${isWithin} order by ${orderOf(sql, asked)}
      limit ${A_PAGE} offset ${(page - 1) * A_PAGE}`,
    sql<{ n: number }[]>`select count(*)::int as n from (${entries}) e where ${isWithin}`,
  ])
  return {
    billing_history: rows.map(asEntry),
    pagination: { page, perPageLimit: A_PAGE, totalCount: counted?.n ?? 0 },
  }
}

type Row = Pick<Entry, 'history_id' | 'plan_name' | 'currency' | 'status'> & {
  at: Date
  method: string
  paid_with: string
  amount_minor: number
  year: number | null
  serial: number | null
}

const entriesOf = (sql: Sql, customerId: number) => sql`
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

function orderOf(sql: Sql, { order, orderDir }: Asked) {
  const direction = orderDir === 'ASC' ? sql`asc` : sql`desc`
  if (order === 'amount') return sql`amount_minor ${direction}, at ${direction}, history_id ${direction}`
  return sql`at ${direction}, history_id ${direction}`
}

function asEntry({ at, method, paid_with, amount_minor, year, serial, ...row }: Row): Entry {
  return {
    ...row,
    payment_date: at.toISOString(),
    payment_method: paymentInWords({ method, paid_with }),
    amount: asDecimal(amount_minor),
    invoice_number: year !== null && serial !== null ? numberOf({ year, serial }) : null,
  }
}
