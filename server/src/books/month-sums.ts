import type { books, ReplyOf } from '@dubplate/contract'
import { readMonthly, sumByCurrency } from '../billing/revenue.ts'
import { toDecimal } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'
import { balanceProblem, readBalances } from './balance.ts'
import { type DateRange, movementRows } from './movements.ts'

/** Totals of payments and refunds in a range of days. */

type AmountSplit = {
  currency: string
  payments: number
  refund_count: number
  gross_minor: number
  refunds_minor: number
  total_minor: number
}
type CurrencySum = AmountSplit & { net_minor: number; tax_minor: number }
type TaxSum = { percent: number; currency: string; net_minor: number; tax_minor: number }

const sumColumns = (sql: Sql) => sql`
  count(*) filter (where kind = 'Payment')::int as payments, count(*) filter (where kind = 'Refund')::int as refund_count,
  coalesce(sum(amount_minor) filter (where kind = 'Payment'), 0)::bigint as gross_minor,
  coalesce(-sum(amount_minor) filter (where kind = 'Refund'), 0)::bigint as refunds_minor,
  sum(amount_minor)::bigint as total_minor`

/** Totals by currency, by tax rate, by plan and by gateway. */
export async function readSums(sql: Sql, days: DateRange) {
  const all = movementRows(sql, days)
  const [sums, taxes, by_plan, by_gateway] = await Promise.all([
    sql<CurrencySum[]>`
      select currency, ${sumColumns(sql)}, coalesce(sum(net_minor), 0)::bigint as net_minor,
        coalesce(sum(tax_minor), 0)::bigint as tax_minor
      from (${all}) as m group by currency order by currency`,
    sql<TaxSum[]>`
      select tax_percent as percent, currency, sum(net_minor)::bigint as net_minor, sum(tax_minor)::bigint as tax_minor
      from (${all}) as m where tax_percent is not null group by tax_percent, currency order by currency, tax_percent`,
    sql<(AmountSplit & { name: string })[]>`
      select plan as name, currency, ${sumColumns(sql)} from (${all}) as m
      group by plan_id, plan, currency order by currency, total_minor desc, plan`,
    sql<(AmountSplit & { name: string })[]>`
      select gateway as name, currency, ${sumColumns(sql)} from (${all}) as m
      group by gateway, currency order by currency, total_minor desc, gateway`,
  ])
  return { sums, taxes, by_plan, by_gateway }
}

type MemberCounts = ReplyOf<typeof books.getMonthSheet>['members']

/**
 * Counts members with a paid period at both ends of a range of days; at the end also those whose next payment is still
 * being retried.
 */
async function readMembers(sql: Sql, { from, to }: DateRange): Promise<MemberCounts> {
  const runningAt = (at: Date) => sql`
    select c.customer_id from charge c join subscription s using (subscription_id)
    where c.status = 'paid' and c.period_start <= ${at} and c.period_end > ${at} and not coalesce(s.ended_at <= ${at}, false)
      and (c.amount_minor = 0 or c.amount_minor >
        (select coalesce(sum(r.amount_minor), 0) from refund r where r.charge_id = c.charge_id))
    union
    select customer_id from subscription where status in ('active', 'trialing', 'past_due') and paid_until <= ${at}`
  const [members] = await sql<MemberCounts[]>`
    with before as (${runningAt(from)}), after as (${runningAt(to)})
    select (select count(*)::int from before) as at_start, (select count(*)::int from after) as at_end,
      (select count(*)::int from (select * from after except select * from before) j) as joined,
      (select count(*)::int from (select * from before except select * from after) l) as left`
  return members ?? { at_start: 0, joined: 0, left: 0, at_end: 0 }
}

const toSplit = ({
  gross_minor,
  refunds_minor,
  total_minor,
  ...split
}: AmountSplit & { name: string }): books.RevenueSplit => ({
  ...split,
  gross: toDecimal(gross_minor),
  refunds: toDecimal(refunds_minor),
  total: toDecimal(total_minor),
})

/** The summary of a range of days. Values at its end are taken now if the end is in the future. */
export async function readMonthSheet(
  sql: Sql,
  days: DateRange,
  now: Date,
): Promise<ReplyOf<typeof books.getMonthSheet>> {
  const end = days.to < now ? days.to : now
  const [{ sums, taxes, by_plan, by_gateway }, monthly, members, balances] = await Promise.all([
    readSums(sql, days),
    readMonthly(sql, end),
    readMembers(sql, { from: days.from, to: end }),
    readBalances(sql, days),
  ])
  return {
    sums: sums.map(({ gross_minor, refunds_minor, total_minor, net_minor, tax_minor, ...sum }) => ({
      ...sum,
      gross: toDecimal(gross_minor),
      refunds: toDecimal(refunds_minor),
      total: toDecimal(total_minor),
      net: toDecimal(net_minor),
      tax: toDecimal(tax_minor),
    })),
    taxes: taxes.map(({ net_minor, tax_minor, ...tax }) => ({
      ...tax,
      net: toDecimal(net_minor),
      tax: toDecimal(tax_minor),
    })),
    by_plan: by_plan.map(toSplit),
    by_gateway: by_gateway.map(toSplit),
    monthly: sumByCurrency(monthly),
    members,
    balance_error: balanceProblem(balances),
  }
}
