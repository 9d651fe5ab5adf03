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

/** What the totals of a row are of: a currency, and within it a tax rate, a plan or a gateway. */
type SumRow = CurrencySum & {
  of: 'currency' | 'tax' | 'plan' | 'gateway'
  percent: number | null
  plan: string | null
  gateway: string | null
}

/** Totals by currency, by tax rate, by plan and by gateway, from one pass over the movements. */
export async function readSums(sql: Sql, days: DateRange) {
  const rows = await sql<SumRow[]>`
    select currency, tax_percent as percent, plan, gateway,
      case when grouping(tax_percent) = 0 then 'tax' when grouping(plan_id) = 0 then 'plan'
        when grouping(gateway) = 0 then 'gateway' else 'currency' end as of,
      count(*) filter (where kind = 'Payment')::int as payments, count(*) filter (where kind = 'Refund')::int as refund_count,
      coalesce(sum(amount_minor) filter (where kind = 'Payment'), 0)::bigint as gross_minor,
      coalesce(-sum(amount_minor) filter (where kind = 'Refund'), 0)::bigint as refunds_minor,
      sum(amount_minor)::bigint as total_minor, coalesce(sum(net_minor), 0)::bigint as net_minor,
      coalesce(sum(tax_minor), 0)::bigint as tax_minor
    from (${movementRows(sql, days)}) as m
    group by grouping sets ((currency), (currency, tax_percent), (currency, plan_id, plan), (currency, gateway))
    order by currency, tax_percent, total_minor desc, plan, gateway`
  const sumsOf = (of: SumRow['of']) => rows.filter((row) => row.of === of)
  return {
    sums: sumsOf('currency').map(toCurrencySum),
    // An entry without an invoice has no tax rate.
    taxes: sumsOf('tax').flatMap(({ percent, currency, net_minor, tax_minor }): TaxSum[] =>
      percent === null ? [] : [{ percent, currency, net_minor, tax_minor }],
    ),
    by_plan: sumsOf('plan').map((row) => ({ name: row.plan ?? '', ...toAmountSplit(row) })),
    by_gateway: sumsOf('gateway').map((row) => ({ name: row.gateway ?? '', ...toAmountSplit(row) })),
  }
}

const toAmountSplit = ({
  currency,
  payments,
  refund_count,
  gross_minor,
  refunds_minor,
  total_minor,
}: SumRow): AmountSplit => ({
  ...{ currency, payments, refund_count, gross_minor, refunds_minor, total_minor },
})

const toCurrencySum = (row: SumRow): CurrencySum => ({
  ...toAmountSplit(row),
  net_minor: row.net_minor,
  tax_minor: row.tax_minor,
})

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
