import type { FindPaidSubscription } from '../gateways/gateway.ts'
import type { Sql } from '../platform/db.ts'
import type { PaidPeriod } from './subscription-state.ts'

/** A payment of a subscription, attempted or completed. */
export type Charged = PaidPeriod & {
  charge_id: number
  gateway_ref: string
  plan_id: number
  amount_minor: number
  failure_reason: string
  at: Date
}

export const chargesOf = async (sql: Sql, subscriptionId: number): Promise<Charged[]> =>
  (await chargesOfAll(sql, [subscriptionId])).get(subscriptionId) ?? []

/** The payments of several subscriptions, each in order of their periods. */
export async function chargesOfAll(sql: Sql, subscriptionIds: readonly number[]): Promise<Map<number, Charged[]>> {
  const rows = await sql<(Charged & { subscription_id: number })[]>`
    select c.subscription_id, c.charge_id, c.gateway_ref, c.plan_id, c.reason, c.status, c.amount_minor, c.is_trial, c.period_start, c.period_end,
      c.failure_reason, c.at,
      coalesce(c.at <= s.ended_at, false) or (c.amount_minor > 0
        and coalesce((select sum(r.amount_minor) from refund r where r.charge_id = c.charge_id), 0) >= c.amount_minor) as is_void
    from charge c join subscription s using (subscription_id)
    where c.subscription_id = any(${[...subscriptionIds]}::bigint[]) order by c.period_start, c.charge_id`
  const charges = new Map<number, Charged[]>(subscriptionIds.map((id) => [id, []]))
  for (const row of rows) charges.get(row.subscription_id)?.push(row)
  return charges
}

export const findPaidSubscription =
  (sql: Sql): FindPaidSubscription =>
  async (gateway, chargeRef) => {
    const [known] = await sql<{ gateway_ref: string | null }[]>`
      select s.gateway_ref from charge c join subscription s using (subscription_id)
      where c.gateway = ${gateway} and c.gateway_ref = ${chargeRef}`
    return known?.gateway_ref
  }
