import type { Sum } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'

export type MonthlyRevenue = { plan_id: number; currency: string; amount_minor: number }

/** What was refunded of each payment: charge_id, refunded_minor. A table of all is faster than a lookup for each payment. */
export const refundedAmounts = (sql: Sql) => sql`
  select charge_id, sum(amount_minor) as refunded_minor from refund group by charge_id`

/**
 * What was paid per month for the periods that run at a time, by plan and currency: after coupons and refunds, a yearly
 * payment divided by twelve, without trials. A change of plan counts from its next payment.
 */
export const readMonthly = async (sql: Sql, at: Date): Promise<MonthlyRevenue[]> => sql<MonthlyRevenue[]>`
  select c.plan_id, c.currency,
    coalesce(sum(c.amount_minor - coalesce(r.refunded_minor, 0)) filter (where s.interval = 'month'), 0)::bigint
      + round(coalesce(sum(c.amount_minor - coalesce(r.refunded_minor, 0)) filter (where s.interval = 'year'), 0) / 12.0)::bigint
      as amount_minor
  from charge c join subscription s using (subscription_id) left join (${refundedAmounts(sql)}) r using (charge_id)
  where c.status = 'paid' and c.reason <> 'upgrade' and not c.is_trial
    and c.period_start <= ${at} and c.period_end > ${at} and not coalesce(s.ended_at <= ${at} and c.at <= s.ended_at, false)
  group by c.plan_id, c.currency order by c.plan_id, c.currency`

type CurrencyAmount = { currency: string; amount_minor: number }

/** Adds up amounts by currency, in alphabetical order; leaves out sums of zero. */
export function sumByCurrency(amounts: readonly CurrencyAmount[]): Sum[] {
  const totals = new Map<string, number>()
  for (const { currency, amount_minor } of amounts) totals.set(currency, (totals.get(currency) ?? 0) + amount_minor)
  return [...totals]
    .filter(([, minor]) => minor !== 0)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([currency, minor]) => ({ currency, amount: toDecimal(minor) }))
}
