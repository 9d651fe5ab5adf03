import type { books, ReplyOf } from '@dubplate/contract'
import { readMonthly, refundedAmounts, sumByCurrency } from '../billing/revenue.ts'
import { toDecimal } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'
import { balanceProblem, checkBalances, type InvoiceProblems, invoiceProblems, readTotals } from './balance.ts'
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
type SumRow = CurrencySum &
  InvoiceProblems & {
    of: 'currency' | 'tax' | 'plan' | 'gateway'
    percent: number | null
    plan: string | null
    gateway: string | null
  }

/** Totals by currency, by tax rate, by plan and by gateway, and the problems of invoices, from one pass over the movements. */
export async function readSums(sql: Sql, days: DateRange) {
  // First by all of these together, so that only few rows are added up four times.
  const rows = await sql<SumRow[]>`
    with finest as (
      select currency, tax_percent, plan_id, plan, gateway,
        count(*) filter (where kind = 'Payment') as payments, count(*) filter (where kind = 'Refund') as refund_count,
        coalesce(sum(amount_minor) filter (where kind = 'Payment'), 0) as gross_minor,
        coalesce(-sum(amount_minor) filter (where kind = 'Refund'), 0) as refunds_minor,
        sum(amount_minor) as total_minor, coalesce(sum(net_minor), 0) as net_minor, coalesce(sum(tax_minor), 0) as tax_minor,
        ${invoiceProblems(sql)}
      from (${movementRows(sql, days)}) as m group by currency, tax_percent, plan_id, plan, gateway)
    select currency, tax_percent as percent, plan, gateway,
      case when grouping(tax_percent) = 0 then 'tax' when grouping(plan_id) = 0 then 'plan'
        when grouping(gateway) = 0 then 'gateway' else 'currency' end as of,
      sum(payments)::int as payments, sum(refund_count)::int as refund_count, sum(gross_minor)::bigint as gross_minor,
      sum(refunds_minor)::bigint as refunds_minor, sum(total_minor)::bigint as total_minor,
      sum(net_minor)::bigint as net_minor, sum(tax_minor)::bigint as tax_minor,
      sum(without)::int as without, sum(differing)::int as differing
    from finest
    group by grouping sets ((currency), (currency, tax_percent), (currency, plan_id, plan), (currency, gateway))
    order by currency, tax_percent, total_minor desc, plan, gateway`
  const sumsOf = (of: SumRow['of']) => rows.filter((row) => row.of === of)
  return {
    sums: sumsOf('currency').map(toCurrencySum),
    problems: sumsOf('currency').map(({ currency, without, differing }) => ({ currency, without, differing })),
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
  const [members] = await sql<MemberCounts[]>`
    with running as (
      select c.customer_id,
        c.period_start <= ${from} and c.period_end > ${from} and not coalesce(s.ended_at <= ${from}, false) as at_start,
        c.period_start <= ${to} and c.period_end > ${to} and not coalesce(s.ended_at <= ${to}, false) as at_end
      from charge c join subscription s using (subscription_id) left join (${refundedAmounts(sql)}) r using (charge_id)
      where c.status = 'paid' and c.period_end > ${from} and c.period_start <= ${to}
        and (c.amount_minor = 0 or c.amount_minor > coalesce(r.refunded_minor, 0))
      union all
      select customer_id, paid_until <= ${from}, true from subscription
      where status in ('active', 'trialing', 'past_due') and paid_until <= ${to}),
    member as (select bool_or(at_start) as at_start, bool_or(at_end) as at_end from running group by customer_id)
    select count(*) filter (where at_start)::int as at_start, count(*) filter (where at_end)::int as at_end,
      count(*) filter (where at_end and not at_start)::int as joined,
      count(*) filter (where at_start and not at_end)::int as left
    from member`
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

/** The summary of a range of days. Values at its start or end are those of now if that is in the future. */
export async function readMonthSheet(
  sql: Sql,
  days: DateRange,
  now: Date,
): Promise<ReplyOf<typeof books.getMonthSheet>> {
  const start = days.from < now ? days.from : now
  const end = days.to < now ? days.to : now
  const [{ sums, taxes, by_plan, by_gateway, problems }, monthly, members, totals] = await Promise.all([
    readSums(sql, days),
    readMonthly(sql, end),
    readMembers(sql, { from: start, to: end }),
    readTotals(sql, days),
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
    balance_error: balanceProblem(checkBalances(totals, problems)),
  }
}
