import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { chanceOf, eventsOf, jumbled, LATER } from '../../test/payment-events.ts'
import {
  expectSameBilling,
  paymentsOf,
  poolWithSubscriptions,
  take,
  takeEightAtOnce,
} from '../../test/payment-replay.ts'
import type { TestPool } from '../../test/pool.ts'
import { untilWaiting } from '../../test/waiting.ts'
import type { Fact } from '../gateways/gateway.ts'
import { holdPayer } from '../membership/payment-status.ts'
import type { Sql } from '../platform/db.ts'
import { holdSubscription, readSubscription } from './subscriptions.ts'

const MEMBERS = 3
let [inOrder, replayed]: TestPool[] = []
beforeAll(async () => {
  inOrder = await poolWithSubscriptions(MEMBERS)
  replayed = await poolWithSubscriptions(MEMBERS)
})
afterAll(async () => {
  await inOrder?.close()
  await replayed?.close()
})

test('applies shuffled and repeated events, eight at once, like those in order', async () => {
  if (!inOrder || !replayed) throw new Error('no pools')
  const events = paymentsOf(MEMBERS)
  expect(events.length).toBe(50 * MEMBERS)
  await take(inOrder, events)
  const received = jumbled(events, 7)
  expect(received.length).toBeGreaterThan(1.8 * events.length)
  await takeEightAtOnce(replayed, received)
  await expectSameBilling(replayed, inOrder)
})

test('an event of nothing we know waits, and is taken in when its subscription becomes known', async () => {
  if (!inOrder) throw new Error('no pool')
  const { sql } = inOrder.world
  const [first] = eventsOf(9001, 1)
  const [paid] = eventsOf(9001, 1)
    .slice(1)
    .filter(({ facts }) => facts[0]?.kind === 'charge')
  if (!first || !paid) throw new Error('no events')
  await take(inOrder, [{ ...paid, subscription_id: null, gateway_ref: 'sub_late', event_id: 'evt_early' }])
  const { customer_id } = await aMember(inOrder.world, { payment_profile_status: 'unpaid' })
  const [plan] = await sql<{ plan_id: number }[]>`select plan_id from plan limit 1`
  const terms = { price_minor: 1500, first_price_minor: 1500, currency: 'USD', interval: 'month' }
  const waiting = { gateway: 'stripe', method: 'credit_card', checkout_ends_at: LATER, ...terms }
  const [added] = await sql<{ subscription_id: number }[]>`
    insert into subscription ${sql({ customer_id, plan_id: plan?.plan_id ?? 0, ...waiting })} returning subscription_id`
  const telling = {
    ...first,
    event_id: 'evt_late',
    gateway_ref: 'sub_late',
    subscription_id: added?.subscription_id ?? 0,
  }
  await take(inOrder, [telling])
  const charges = await sql`select 1 from charge where subscription_id = ${added?.subscription_id ?? 0}`
  expect(charges.length).toBe(1)
})

/** Takes an event in while somebody else holds what `hold` holds; true where it waited for them. */
async function waitsFor(hold: (sql: Sql, subscriptionId: number) => Promise<unknown>): Promise<boolean> {
  if (!inOrder) throw new Error('no pool')
  const { sql } = inOrder.world
  const pool = inOrder
  const subscriptionId = 3
  const facts: Fact[] = [{ kind: 'payer', payer_ref: `cus_${crypto.randomUUID()}` }]
  const event = { event_id: crypto.randomUUID(), at: LATER, gateway_ref: 'sub_3', subscription_id: null, facts }
  let isTaken = false
  let taking = Promise.resolve()
  const waited = await sql.begin(async (held) => {
    await hold(held, subscriptionId)
    taking = take(pool, [event]).then(() => {
      isTaken = true
    })
    await Promise.race([taking, untilWaiting(sql, 1)])
    return !isTaken
  })
  await taking
  return waited
}

test('of two events of a subscription the second waits for the first', async () => {
  expect(await waitsFor(holdSubscription)).toBe(true)
})

test('of two subscriptions of a member the second is settled after the first', async () => {
  const hold = async (sql: Sql, subscriptionId: number) => {
    const subscription = await readSubscription(sql, subscriptionId)
    return holdPayer(sql, subscription?.customer_id ?? 0)
  }
  expect(await waitsFor(hold)).toBe(true)
})

test('the same chances come from the same seed', () => {
  const [a, b] = [chanceOf(5), chanceOf(5)]
  expect([a(), a(), a()]).toEqual([b(), b(), b()])
})
