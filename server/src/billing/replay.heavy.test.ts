import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { createRandom, END, generateEvents, shuffle } from '../../test/payment-events.ts'
import {
  expectSameBilling,
  generatePayments,
  poolWithSubscriptions,
  processConcurrently,
  processEvents,
} from '../../test/payment-replay.ts'
import type { TestPool } from '../../test/pool.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import type { Fact } from '../gateways/gateway.ts'
import { lockPayer } from '../membership/payment-status.ts'
import type { Sql } from '../platform/db.ts'
import { lockSubscription, readSubscription } from './subscriptions.ts'

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
  const events = generatePayments(MEMBERS)
  expect(events.length).toBe(50 * MEMBERS)
  await processEvents(inOrder, events)
  const received = shuffle(events, 7)
  expect(received.length).toBeGreaterThan(1.8 * events.length)
  await processConcurrently(replayed, received)
  await expectSameBilling(replayed, inOrder)
})

test('keeps an event that matches nothing, and applies it when its subscription becomes known', async () => {
  if (!inOrder) throw new Error('no pool')
  const { sql } = inOrder.ctx
  const [first] = generateEvents(9001, 1)
  const [paid] = generateEvents(9001, 1)
    .slice(1)
    .filter(({ facts }) => facts[0]?.kind === 'charge')
  if (!first || !paid) throw new Error('no events')
  await processEvents(inOrder, [{ ...paid, subscription_id: null, gateway_ref: 'sub_late', event_id: 'evt_early' }])
  const { customer_id } = await aMember(inOrder.ctx, { payment_profile_status: 'unpaid' })
  const [plan] = await sql<{ plan_id: number }[]>`select plan_id from plan limit 1`
  const terms = { price_minor: 1500, first_price_minor: 1500, currency: 'USD', interval: 'month' }
  const waiting = { gateway: 'stripe', method: 'credit_card', checkout_ends_at: END, ...terms }
  const [added] = await sql<{ subscription_id: number }[]>`
    insert into subscription ${sql({ customer_id, plan_id: plan?.plan_id ?? 0, ...waiting })} returning subscription_id`
  const telling = {
    ...first,
    event_id: 'evt_late',
    gateway_ref: 'sub_late',
    subscription_id: added?.subscription_id ?? 0,
  }
  await processEvents(inOrder, [telling])
  const charges = await sql`select 1 from charge where subscription_id = ${added?.subscription_id ?? 0}`
  expect(charges.length).toBe(1)
})

/**
 * Applies an event while another transaction holds the lock that `takeLock` takes; returns whether it waited for the
 * lock.
 */
async function waitsForLock(takeLock: (sql: Sql, subscriptionId: number) => Promise<unknown>): Promise<boolean> {
  if (!inOrder) throw new Error('no pool')
  const { sql } = inOrder.ctx
  const pool = inOrder
  const subscriptionId = 3
  const facts: Fact[] = [{ kind: 'payer', payer_ref: `cus_${crypto.randomUUID()}` }]
  const event = { event_id: crypto.randomUUID(), at: END, gateway_ref: 'sub_3', subscription_id: null, facts }
  let isLocked = false
  let pendingLock = Promise.resolve()
  const waited = await sql.begin(async (lockingSql) => {
    await takeLock(lockingSql, subscriptionId)
    pendingLock = processEvents(pool, [event]).then(() => {
      isLocked = true
    })
    await Promise.race([pendingLock, waitForBlocked(sql, 1)])
    return !isLocked
  })
  await pendingLock
  return waited
}

test('applies two events of a subscription one after the other', async () => {
  expect(await waitsForLock(lockSubscription)).toBe(true)
})

test('recomputes two subscriptions of a member one after the other', async () => {
  const takeLock = async (sql: Sql, subscriptionId: number) => {
    const subscription = await readSubscription(sql, subscriptionId)
    return lockPayer(sql, subscription?.customer_id ?? 0)
  }
  expect(await waitsForLock(takeLock)).toBe(true)
})

test('generates the same random events from the same seed', () => {
  const [a, b] = [createRandom(5), createRandom(5)]
  expect([a(), a(), a()]).toEqual([b(), b(), b()])
})
