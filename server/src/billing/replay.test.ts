import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan } from '../../test/paying.ts'
import { chanceOf, eventsOf, jumbled, LATER } from '../../test/payment-events.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { untilWaiting } from '../../test/waiting.ts'
import type { Fact, GatewayEvent } from '../gateways/gateway.ts'
import { holdPayer } from '../membership/payment-status.ts'
import type { Sql } from '../platform/db.ts'
import { applyEvents } from './ledger.ts'
import { holdSubscription, readSubscription } from './subscriptions.ts'

const MEMBERS = 20
// Within the repository, so that the bundle finds its packages.
const built = path.resolve('node_modules/.cache', `payments-test-${process.pid}`)

let [inOrder, replayed]: TestPool[] = []
beforeAll(async () => {
  inOrder = await poolWithSubscriptions()
  replayed = await poolWithSubscriptions()
  const bundle = await rolldown({
    input: { 'payments-process': path.join(import.meta.dirname, '../../test/payments-process.ts') },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ dir: built, format: 'esm' })
  await bundle.close()
})
afterAll(async () => {
  await inOrder?.close()
  await replayed?.close()
  rmSync(built, { recursive: true, force: true })
})

/** Members whose checkouts wait; their ids are the same in every such pool. */
async function poolWithSubscriptions(): Promise<TestPool> {
  const pool = await openTestPool()
  const { sql } = pool.world
  const plan_id = await aPlan(pool.world, { title: 'Standard' })
  for (let n = 0; n < MEMBERS; n += 1) {
    const { customer_id } = await aMember(pool.world, { payment_profile_status: 'unpaid' })
    const terms = { price_minor: 1500, first_price_minor: 1500, currency: 'USD', interval: 'month' }
    const waiting = { gateway: 'stripe', method: 'credit_card', checkout_ends_at: new Date('2024-11-06'), ...terms }
    await sql`insert into subscription ${sql({ customer_id, plan_id, ...waiting })}`
  }
  return pool
}

const EVENTS = Array.from({ length: MEMBERS }, (_, n) => eventsOf(n + 1, 100 + n)).flat()

const take = (pool: TestPool, events: GatewayEvent[]) =>
  applyEvents({ ...pool.world, now: () => LATER }, 'stripe', events)

/** Everything that matters, without what depends on the order in which numbers were given out. */
async function standOf({ world: { sql } }: TestPool) {
  return {
    subscriptions: await sql`
      select subscription_id, s.customer_id, s.status, paid_until, access_until, is_cancelled, is_over, payer_ref,
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

/** Takes events in as a process of its own, and kills it when this many are in. */
async function killedAfter(pool: TestPool, events: GatewayEvent[], most: number): Promise<void> {
  const file = path.join(built, 'events.json')
  writeFileSync(file, JSON.stringify(events))
  const [database] = await pool.world.sql<{ name: string }[]>`select current_database() as name`
  const { dataDir } = pool.world.config
  const args = [path.join(built, 'payments-process.js'), inject('socketDir'), database?.name ?? '', dataDir, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let taken = 0
  createInterface({ input: child.stdout }).on('line', () => {
    if (++taken === most) child.kill('SIGKILL')
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (_code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error('It was done before it was killed.')),
    )
  })
}

test('a thousand events, shuffled, doubled, eight at once and with a killed process, end as they do in order', async () => {
  if (!inOrder || !replayed) throw new Error('no pools')
  expect(EVENTS.length).toBe(1000)
  await take(inOrder, EVENTS)

  const told = jumbled(EVENTS, 7)
  expect(told.length).toBeGreaterThan(1800)
  await killedAfter(replayed, told.slice(0, 900), 300)
  // Whatever was not answered is told again: all of it is, each subscription's by eight at once.
  const rest = jumbled(told, 8).sort((a, b) => String(a.gateway_ref).localeCompare(String(b.gateway_ref)))
  const pool = replayed
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let event = rest.pop(); event; event = rest.pop()) await take(pool, [event])
    }),
  )

  const [wanted, got] = [await standOf(inOrder), await standOf(replayed)]
  for (const part of Object.keys(wanted) as (keyof typeof wanted)[]) {
    expect([...got[part]], part).toEqual([...wanted[part]])
  }
  const statuses = new Set(wanted.subscriptions.map(({ status }) => status))
  expect(statuses.size, 'the events lead to different ends').toBeGreaterThan(1)
  expect(wanted.waiting).toEqual([])
  expect(wanted.numbers.every(({ min, max, n, different }) => min === 1 && max === n && n === different)).toBe(true)
}, 600_000)

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
