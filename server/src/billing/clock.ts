import type { Sql } from '../platform/db.ts'
import type { BillingContext } from './billing-context.ts'

/**
 * The current time for a member. In the sandbox each member has a clock that staff can advance, to see a renewal
 * without waiting for it (as with Stripe's test clocks); otherwise it is the real time.
 */
export async function currentTimeFor(
  sql: Sql,
  { gateways, now }: Pick<BillingContext, 'gateways' | 'now'>,
  customerId: number,
): Promise<Date> {
  if (!gateways.has('sandbox')) return now()
  const [clock] = await sql<{ ahead_seconds: number }[]>`
    select ahead_seconds from sandbox_clock where customer_id = ${customerId}`
  return new Date(now().getTime() + (clock?.ahead_seconds ?? 0) * 1000)
}

const DAY_SECONDS = 86_400

/** Advances a member's clock by this many days. */
export async function advanceClock(sql: Sql, customerId: number, days: number): Promise<void> {
  await sql`
    insert into sandbox_clock as c (customer_id, ahead_seconds) values (${customerId}, ${days * DAY_SECONDS})
    on conflict (customer_id) do update set ahead_seconds = c.ahead_seconds + ${days * DAY_SECONDS}`
}
