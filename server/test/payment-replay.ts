import { expect } from 'vitest'
import { applyEvents } from '../src/billing/ledger.ts'
import type { GatewayEvent } from '../src/gateways/gateway.ts'
import { aMember } from './makers.ts'
import { END, generateEvents } from './payment-events.ts'
import { aPlan } from './payment-makers.ts'
import { openTestPool, type TestPool } from './pool.ts'

/** A pool whose members have an open checkout. Their ids are the same in every such pool. */
export async function poolWithSubscriptions(memberCount: number): Promise<TestPool> {
  const pool = await openTestPool()
  const { sql } = pool.ctx
  const plan_id = await aPlan(pool.ctx, { title: 'Standard' })
  for (let n = 0; n < memberCount; n += 1) {
    const { customer_id } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
    const planTerms = { price_minor: 1500, first_price_minor: 1500, currency: 'USD', interval: 'month' }
    const waiting = { gateway: 'stripe', method: 'credit_card', checkout_ends_at: new Date('2024-11-06'), ...planTerms }
    await sql`insert into subscription ${sql({ customer_id, plan_id, ...waiting })}`
  }
  return pool
}

/** The payments of these members over several years, in order. */
export const generatePayments = (memberCount: number): GatewayEvent[] =>
  Array.from({ length: memberCount }, (_, n) => generateEvents(n + 1, 100 + n)).flat()

export const processEvents = (pool: TestPool, events: GatewayEvent[]) =>
  applyEvents({ ...pool.ctx, now: () => END }, 'stripe', events)

/** The whole billing state, without values that depend on the order of events. */
export async function readBilling({ ctx: { sql } }: TestPool) {
  return {
    subscriptions: await sql`
      select subscription_id, s.customer_id, s.status, paid_since, paid_until, access_until, is_cancelled, has_ended, payer_ref,
        card_last_four, gateway_ref, payment_profile_status
      from subscription s join customer using (customer_id) order by 1`,
    charges: await sql`
      select gateway_ref, status, amount_minor, period_start, period_end, plan_id, at from charge order by 1`,
    refunds: await sql`
      select r.gateway_ref, c.gateway_ref as charge, r.amount_minor from refund r join charge c using (charge_id) order by 1`,
    ledger: await sql`
      select c.gateway_ref, r.gateway_ref as refund, l.amount_minor
      from ledger l join charge c using (charge_id) left join refund r using (refund_id) order by 1, 2`,
    invoices: await sql`
      select c.gateway_ref, i.kind, i.total_minor, i.lines
      from invoice i join charge c using (charge_id) order by 1, 2, 3`,
    numbers: await sql`
      select year, min(serial), max(serial), count(*)::int as n, count(distinct serial)::int as different
      from invoice group by 1 order by 1`,
    events: await sql`select event_id, count(*)::int as n from payment_event group by 1 order by 1`,
    waiting: await sql`select event_id from payment_event where applied_at is null order by 1`,
  }
}

/** Applies events, eight at a time. */
export async function processConcurrently(pool: TestPool, events: GatewayEvent[]): Promise<void> {
  const rest = [...events]
  const processRest = async () => {
    for (let event = rest.pop(); event; event = rest.pop()) await processEvents(pool, [event])
  }
  await Promise.all(Array.from({ length: 8 }, processRest))
}

export async function expectSameBilling(replayed: TestPool, inOrder: TestPool): Promise<void> {
  const [actual, expected] = [await readBilling(replayed), await readBilling(inOrder)]
  for (const part of Object.keys(expected) as (keyof typeof expected)[])
    expect([...actual[part]], part).toEqual([...expected[part]])
  expect(expected.waiting).toEqual([])
  expect(expected.numbers.every(({ min, max, n, different }) => min === 1 && max === n && n === different)).toBe(true)
}
