import { account, billing, checkout, payments } from '@dubplate/contract'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import {
  aCoupon,
  advanceDays,
  aPlan,
  CARDS,
  cardForm,
  payByCard,
  readAgreement,
  readBooks,
} from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import {
  type Fact,
  type Gateway,
  type GatewayEvent,
  PaymentDeclinedError,
  ProviderUnavailableError,
} from '../gateways/gateway.ts'
import { readConfig } from '../platform/config.ts'
import { connect } from '../platform/db.ts'
import { confirmCheckout, startCheckout } from './checkout.ts'
import { applyEvents } from './ledger.ts'
import { cancel, terminateSubscriptions } from './member-changes.ts'
import { changePlan } from './plan-change.ts'
import { refundCharge, refundDuplicates } from './refunds.ts'
import { processDueSubscriptions, processSubscription, reconcile } from './renewals.ts'
import { readSubscription } from './subscriptions.ts'

/** Failures between a pool, its providers and its members. */

let pool: TestPool
let manual: TestPool
let [standard, premium, gold] = [0, 0, 0]
const read = readConfig({ SECRET: 'x'.repeat(32) })
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  manual = await openTestPool({
    usesUniqueAddresses: true,
    config: { payments: { ...read.payments, gateways: ['manual'] } },
  })
  standard = await aPlan(pool.ctx, { title: 'Standard', price_minor: 1500 })
  premium = await aPlan(pool.ctx, { title: 'Premium', price_minor: 3000 })
  gold = await aPlan(pool.ctx, { title: 'Gold', price_minor: 6000 })
})
afterAll(async () => {
  await pool.close()
  await manual.close()
})
const unpaid = () => aMember(pool.ctx, { payment_profile_status: 'unpaid' })
const DAY = 86_400_000
let n = 0
const charge = (ref: string, params: Partial<Extract<Fact, { kind: 'charge' }>> = {}): Fact => ({
  kind: 'charge',
  charge_ref: ref,
  status: 'paid',
  reason: 'first',
  amount_minor: 1500,
  discount_minor: 0,
  currency: 'USD',
  is_trial: false,
  period_start: new Date().toISOString(),
  period_end: new Date(Date.now() + 30 * DAY).toISOString(),
  failure_reason: '',
  ...params,
})
const event = (subscription_id: number | null, gateway_ref: string | null, facts: Fact[]): GatewayEvent => ({
  event_id: `evt_${++n}`,
  at: new Date(),
  gateway_ref,
  subscription_id,
  facts,
})
/** A pool whose provider is a fake Stripe. */
function withStripe(over: Partial<Gateway> = {}, asked: string[] = []) {
  const fake: Gateway = {
    name: 'stripe',
    methods: ['credit_card', 'paypal'],
    renews: 'gateway',
    cards: 'hosted',
    upgrades: 'now',
    start: async () => ({ gateway_ref: `sub_${++n}`, url: 'https://x.test', events: [] }),
    fetch: async () => [],
    cancel: async (at) => {
      asked.push('cancel')
      return [event(at.subscription_id, at.gateway_ref, [{ kind: 'cancelled', is_cancelled: true }])]
    },
    abandon: async (at) => [event(at.subscription_id, at.gateway_ref, [{ kind: 'abandoned', failure_reason: '' }])],
    refund: async (at, o) => [
      event(at.subscription_id, at.gateway_ref, [
        { kind: 'refund', refund_ref: `re_${++n}`, charge_ref: o.charge_ref, amount_minor: o.amount_minor },
      ]),
    ],
    ...over,
  }
  return { ...pool.ctx, gateways: new Map([['stripe', fake]]) as unknown as typeof pool.ctx.gateways }
}
const start = async (ctx: ReturnType<typeof withStripe>, customer_id: number) =>
  (await startCheckout(ctx, { customer_id, plan_id: standard, coupon: '', method: 'credit_card' })).subscription_id
const sub = async (id: number) => {
  const s = await readSubscription(pool.ctx.sql, id)
  if (!s) throw new Error('none')
  return s
}

test('an overdue transfer does not delay other subscriptions', async () => {
  const ctx = manual.ctx
  const plan = await aPlan(ctx, { price_minor: 1500 })
  const staff = (await aMember(ctx, { staff_role: 'billing', group_id: 4 })).token
  for (let i = 0; i < 50; i++) {
    const member = await aMember(ctx, { payment_profile_status: 'unpaid' })
    const { profile_id } = await manual.ask(checkout.payByTransfer, { subscription: plan }, member.token)
    await manual.ask(payments.markPaid, { subscription_id: profile_id }, staff)
  }
  const later = { ...ctx, now: () => new Date(Date.now() + 33 * DAY) }
  const more: boolean[] = []
  for (let i = 0; i < 6; i++) more.push(await processDueSubscriptions(later))
  expect(more.at(-1)).toBe(false)
})

test('an error at the provider does not give access forever', async () => {
  const { customer_id } = await unpaid()
  const ctx = withStripe({
    fetch: async () => {
      throw new Error('No such subscription: sub_x')
    },
  })
  const id = await start(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [event(id, (await sub(id)).gateway_ref, [charge(`in_${++n}`)])])
  const later = { ...ctx, now: () => new Date(Date.now() + 90 * DAY) }
  for (let i = 0; i < 3; i++) await processDueSubscriptions(later)
  const _s = await sub(id)
  await pool.ctx.sql`update subscription set next_check_at = null where subscription_id = ${id}`
  expect((await readBooks(pool.ctx, customer_id)).access).toBe('unpaid')
})

test('a checkout that is paid while its member leaves is ended at the provider', async () => {
  const { customer_id } = await unpaid()
  const asked: string[] = []
  const ctx = withStripe(
    { abandon: async (a) => [event(a.subscription_id, a.gateway_ref, [charge(`in_${++n}`)])] },
    asked,
  )
  const _id = await start(ctx, customer_id)
  await terminateSubscriptions(ctx, customer_id)
  expect(asked).toEqual(['cancel'])
})

test('a checkout that turns out to be paid can be cancelled', async () => {
  const { customer_id } = await unpaid()
  const asked: string[] = []
  const ctx = withStripe(
    { abandon: async (a) => [event(a.subscription_id, a.gateway_ref, [charge(`in_${++n}`)])] },
    asked,
  )
  await start(ctx, customer_id)
  const s = await cancel(ctx, customer_id)
  expect(s.status).toBe('cancel_scheduled')
})

test('a subscription refunded at the provider is ended there when its member leaves', async () => {
  const { customer_id } = await unpaid()
  const asked: string[] = []
  const ctx = withStripe({}, asked)
  const id = await start(ctx, customer_id)
  const ref = (await sub(id)).gateway_ref
  const inv = `in_${++n}`
  await applyEvents(ctx, 'stripe', [event(id, ref, [charge(inv)])])
  await applyEvents(ctx, 'stripe', [
    event(id, ref, [{ kind: 'refund', refund_ref: `re_${++n}`, charge_ref: inv, amount_minor: 1500 }]),
  ])
  const _s1 = (await sub(id)).status
  const _cancelled = await cancel(ctx, customer_id).then(
    (s) => s.status,
    (e) => e.code,
  )
  await terminateSubscriptions(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [
    event(id, ref, [
      charge(`in_${++n}`, {
        reason: 'renewal',
        period_start: new Date(Date.now() + 30 * DAY).toISOString(),
        period_end: new Date(Date.now() + 60 * DAY).toISOString(),
      }),
    ]),
  ])
  expect(asked).toEqual(['cancel'])
})

test('a subscription that ends here because of missed payments is ended at the provider', async () => {
  const { customer_id } = await unpaid()
  const asked: string[] = []
  const ctx = withStripe({}, asked)
  const id = await start(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [event(id, (await sub(id)).gateway_ref, [charge(`in_${++n}`)])])
  const later = { ...ctx, now: () => new Date(Date.now() + 50 * DAY) }
  await processSubscription(later, id)
  await terminateSubscriptions(later, customer_id)
  expect(asked).toEqual(['cancel'])
})

test('two clicks pay for one upgrade', async () => {
  const { customer_id, token } = await unpaid()
  await payByCard(pool, token, { plan: standard })
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: premium }, token)
  const _r = await Promise.allSettled(
    [1, 2].map(() => pool.ask(billing.changePlan, { plan_id: premium, due_now }, token)),
  )
  expect((await readBooks(pool.ctx, customer_id)).ledger).toBe(3000)
})

test('retrying an upgrade with an unknown result is the same upgrade, which counts once it is confirmed', async () => {
  const { customer_id } = await unpaid()
  const keys: string[] = []
  const ctx = withStripe({
    changePlan: async (_a, c) => {
      keys.push(c.key)
      throw new ProviderUnavailableError('timeout after paying')
    },
  })
  const id = await start(ctx, customer_id)
  const ref = (await sub(id)).gateway_ref
  await applyEvents(ctx, 'stripe', [event(id, ref, [charge(`in_${++n}`)])])
  for (let i = 0; i < 2; i++)
    await changePlan(ctx, customer_id, { plan_id: premium, due_now_minor: 1500 }).catch(() => undefined)
  await applyEvents(ctx, 'stripe', [
    event(id, ref, [
      charge(`in_${++n}`, {
        reason: 'upgrade',
        plan_id: premium,
        period_start: new Date(Date.now() + 1000).toISOString(),
      }),
    ]),
  ])
  const s = await sub(id)
  expect.soft(keys[0]).toBe(keys[1])
  expect(s.title).toBe('Premium')
})

test('an event of another pool on the same account changes nothing here', async () => {
  const { customer_id } = await unpaid()
  const ctx = withStripe()
  const id = await start(ctx, customer_id)
  const ref = (await sub(id)).gateway_ref
  await applyEvents(ctx, 'stripe', [event(id, 'sub_of_the_other_pool', [charge(`in_${++n}`)])])
  const s = await sub(id)
  expect(s.gateway_ref).toBe(ref)
})

const upgraded = async () => {
  const member = await unpaid()
  const { profile_id } = await payByCard(pool, member.token, { plan: standard })
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: premium }, member.token)
  await pool.ask(billing.changePlan, { plan_id: premium, due_now }, member.token)
  const charges = await pool.ctx.sql<
    { charge_id: number; reason: string }[]
  >`select charge_id, reason from charge where customer_id = ${member.customer_id}`
  return {
    ...member,
    id: profile_id ?? 0,
    of: (reason: string) => charges.find((c) => c.reason === reason)?.charge_id ?? 0,
  }
}

test('an upgrade of a refunded period pays for nothing', async () => {
  const member = await upgraded()
  await refundCharge(pool.ctx, { charge_id: member.of('first'), amount_minor: undefined, reason: '', staff_id: null })
  const _s = await sub(member.id)
  expect((await readBooks(pool.ctx, member.customer_id)).access).toBe('unpaid')
})

test('a refunded upgrade restores the previous plan', async () => {
  const member = await upgraded()
  await refundCharge(pool.ctx, {
    charge_id: member.of('upgrade'),
    amount_minor: undefined,
    reason: '',
    staff_id: null,
  })
  const s = await sub(member.id)
  expect(s).toMatchObject({ status: 'active', title: 'Standard' })
})

test('two simultaneous refunds return no more than was paid', async () => {
  const member = await unpaid()
  await payByCard(pool, member.token, { plan: standard })
  const [c] = await pool.ctx.sql<
    { charge_id: number }[]
  >`select charge_id from charge where customer_id = ${member.customer_id}`
  await Promise.allSettled(
    [1000, 900].map((amount_minor) =>
      refundCharge(pool.ctx, { charge_id: c?.charge_id ?? 0, amount_minor, reason: '', staff_id: null }),
    ),
  )
  expect((await readBooks(pool.ctx, member.customer_id)).ledger).toBeGreaterThanOrEqual(0)
})

test('as many simultaneous refunds as database connections all succeed', async () => {
  const connections = 2
  const [database] = await pool.ctx.sql<{ name: string }[]>`select current_database() as name`
  const smallPool = connect({ socketDir: inject('socketDir'), database: database?.name ?? '' }, { max: connections })
  onTestFinished(() => smallPool.end({ timeout: 0 }))
  const ctx = withStripe()
  const payers = await Promise.all(
    Array.from({ length: connections * 2 }, async () => {
      const { customer_id } = await unpaid()
      const id = await start(ctx, customer_id)
      await applyEvents(ctx, 'stripe', [event(id, (await sub(id)).gateway_ref, [charge(`in_${++n}`)])])
      const [c] = await pool.ctx.sql<{ charge_id: number }[]>`
        select charge_id from charge where customer_id = ${customer_id}`
      return { customer_id, charge_id: c?.charge_id ?? 0 }
    }),
  )
  await Promise.all(
    payers.map(({ charge_id }) =>
      refundCharge({ ...ctx, sql: smallPool }, { charge_id, amount_minor: undefined, reason: '', staff_id: null }),
    ),
  )
  for (const { customer_id } of payers) expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ refunded: 1500 })
})

test('a declined refund leaves the subscription unchanged', async () => {
  const { customer_id } = await unpaid()
  const ctx = withStripe({
    refund: async () => {
      throw new PaymentDeclinedError('no')
    },
  })
  const id = await start(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [event(id, (await sub(id)).gateway_ref, [charge(`in_${++n}`)])])
  const [c] = await pool.ctx.sql<
    { charge_id: number }[]
  >`select charge_id from charge where customer_id = ${customer_id}`
  await refundCharge(ctx, {
    charge_id: c?.charge_id ?? 0,
    amount_minor: undefined,
    reason: '',
    staff_id: null,
  }).catch(() => undefined)
  expect((await sub(id)).status).toBe('active')
})

test('a member who confirmed while the provider was unavailable can start again, and leave', async () => {
  const { customer_id } = await unpaid()
  const ctx = withStripe({
    complete: async () => {
      throw new ProviderUnavailableError('away')
    },
  })
  const opened = await startCheckout(ctx, { customer_id, plan_id: standard, coupon: '', method: 'paypal' })
  const { createHash } = await import('node:crypto')
  await pool.ctx
    .sql`update subscription set return_hash = ${createHash('sha256').update('tok').digest()} where subscription_id = ${opened.subscription_id}`
  await confirmCheckout(ctx, customer_id, { customer_plan_id: 'tok', payment_token: 'x' }).catch(() => undefined)
  const later = { ...ctx, now: () => new Date(Date.now() + 4 * DAY) }
  await reconcile(later)
  const again = await startCheckout(later, { customer_id, plan_id: standard, coupon: '', method: 'paypal' }).then(
    () => 'ok',
    (e) => e.code,
  )
  const left = await cancel(later, customer_id).then(
    (s) => s.status,
    (e) => e.code,
  )
  expect([again, left]).not.toContain('payment_in_progress')
})

test('a member admitted without a plan keeps access while they look at one', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const _before = (await readBooks(pool.ctx, customer_id)).access
  await pool.ask(checkout.payByPaypal, { subscription: standard }, token)
  expect((await readBooks(pool.ctx, customer_id)).access).toBe('paid')
})

test('a coupon of one plan does not apply to another', async () => {
  const member = await unpaid()
  const code = await aCoupon(pool.ctx, { percent: 100, payments: null, plan_ids: [standard] })
  await payByCard(pool, member.token, { plan: standard, coupon: code })
  await advanceDays(pool, member.customer_id, 27)
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: gold }, member.token)
  await pool.ask(billing.changePlan, { plan_id: gold, due_now }, member.token)
  await advanceDays(pool, member.customer_id, 40)
  const b = await readBooks(pool.ctx, member.customer_id)
  expect(b.charges.at(-1)?.amount_minor).toBe(6000)
})

test('staff see the amount that the member was asked to transfer', async () => {
  const ctx = manual.ctx
  const plan = await aPlan(ctx, { price_minor: 1500, trial_price_minor: 100 })
  const staff = (await aMember(ctx, { staff_role: 'billing', group_id: 4 })).token
  const member = await aMember(ctx, { payment_profile_status: 'unpaid' })
  const { reference } = await manual.ask(checkout.payByTransfer, { subscription: plan }, member.token)
  const transferAmount = (await readAgreement(manual, member.token))?.transfer?.amount
  const { payments: waiting } = await manual.ask(payments.getPayments, { state: 'waiting', search: reference }, staff)
  expect(waiting[0]?.amount).toBe(transferAmount)
})

test('charges the first payment once when the process ended right after taking it', async () => {
  const { customer_id } = await unpaid()
  const sandbox = pool.ctx.gateways.get('sandbox') as Gateway
  const dying = {
    ...sandbox,
    start: async (c: Parameters<Gateway['start']>[0]) => {
      await sandbox.start(c)
      throw new ProviderUnavailableError('killed')
    },
  }
  const ctx = { ...pool.ctx, gateways: new Map([['sandbox', dying]]) as unknown as typeof pool.ctx.gateways }
  const params = {
    customer_id,
    plan_id: standard,
    coupon: '',
    method: 'credit_card' as const,
    card: cardForm(CARDS.pays),
  }
  await startCheckout(ctx, params).catch(() => {})
  const later = { ...pool.ctx, now: () => new Date(Date.now() + 120_000) }
  await expect(startCheckout(later, params)).rejects.toThrow('You already have a subscription.')
  await reconcile(later)
  const [taken] = await pool.ctx
    .sql`select sum(c.amount_minor)::int as n from sandbox_charge c join sandbox_account a on a.ref = c.account_ref
    join subscription s on s.subscription_id = (a.checkout->>'subscription_id')::bigint where s.customer_id = ${customer_id}`
  expect((await readBooks(pool.ctx, customer_id)).ledger).toBe(taken?.n)
})

test('records a renewal that was charged before its process ended, even if it was cancelled since', async () => {
  const member = await unpaid()
  const { profile_id } = await payByCard(pool, member.token, { plan: standard })
  await pool.ctx
    .sql`insert into sandbox_clock (customer_id, ahead_seconds) values (${member.customer_id}, ${32 * 86400})`
  const sandbox = pool.ctx.gateways.get('sandbox') as Gateway
  const dying = {
    ...sandbox,
    charge: async (...o: Parameters<NonNullable<Gateway['charge']>>) => {
      await sandbox.charge?.(...o)
      throw new Error('ended')
    },
  }
  const ctx = { ...pool.ctx, gateways: new Map([['sandbox', dying]]) as unknown as typeof pool.ctx.gateways }
  await processSubscription(ctx, profile_id ?? 0).catch(() => {})
  await cancel(pool.ctx, member.customer_id)
  await processDueSubscriptions(pool.ctx)
  await processDueSubscriptions(pool.ctx)
  await reconcile(pool.ctx)
  const s = await sub(profile_id ?? 0)
  const [_due] = await pool.ctx
    .sql`select 1 from subscription where subscription_id = ${profile_id} and next_check_at <= now() + interval '33 days'`
  const [taken] = await pool.ctx
    .sql`select sum(amount_minor)::int as n from sandbox_charge where account_ref = ${s.gateway_ref}`
  await pool.ctx.sql`update subscription set next_check_at = null where subscription_id = ${s.subscription_id}`
  expect((await readBooks(pool.ctx, member.customer_id)).ledger).toBe(taken?.n)
})

test('a declined upgrade leaves the change that was agreed before', async () => {
  const member = await unpaid()
  await payByCard(pool, member.token, { plan: premium, card: CARDS.failsOnRenewal })
  await pool.ask(billing.changePlan, { plan_id: standard, due_now: '0.00' }, member.token)
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: gold }, member.token)
  await pool.ask(billing.changePlan, { plan_id: gold, due_now }, member.token).catch(() => undefined)
  const a = await readAgreement(pool, member.token)
  expect(a?.next_amount).toBe('15.00')
})

test('cards tried manually do not count as scheduled attempts', async () => {
  const member = await unpaid()
  const { profile_id } = await payByCard(pool, member.token, { plan: standard, card: CARDS.failsOnRenewal })
  await advanceDays(pool, member.customer_id, 32)
  for (let i = 0; i < 4; i++)
    await pool.ask(billing.updateCard, { formData: cardForm(CARDS.failsOnRenewal) }, member.token).catch(() => {})
  const before = (
    await pool.ctx.sql`select 1 from subscription_event where subscription_id = ${profile_id} and kind = 'attempt'`
  ).length
  await advanceDays(pool, member.customer_id, 12)
  const after = (
    await pool.ctx.sql`select 1 from subscription_event where subscription_id = ${profile_id} and kind = 'attempt'`
  ).length
  expect(after).toBeGreaterThan(before)
})

test('refuses to change the plan between a period and its renewal', async () => {
  const member = await unpaid()
  await payByCard(pool, member.token, { plan: standard })
  await pool.ctx
    .sql`insert into sandbox_clock (customer_id, ahead_seconds) values (${member.customer_id}, ${31 * 86400})`
  const asked = pool.ask(billing.quotePlanChange, { plan_id: premium }, member.token)
  expect(await errorOf(asked)).toMatchObject({ code: 'no_active_subscription' })
})

test('invalid data from a wallet pays for nothing', async () => {
  const member = await unpaid()
  const r = await pool.request(
    checkout.completeWallet,
    { applePay: 'constructor', subscription: standard },
    member.token,
  )
  expect(r.statusCode).toBe(402)
})

test('refuses a checkout for a deleted account', async () => {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid', password: 'a good long password' })
  await pool.ask(account.deleteAccount, { password: 'a good long password' }, member.token)
  const r = await startCheckout(pool.ctx, {
    customer_id: member.customer_id,
    plan_id: standard,
    coupon: '',
    method: 'paypal',
  }).then(
    () => 'opened',
    (e) => e.code,
  )
  expect(r).not.toBe('opened')
})

test('a plan that is unpublished during the checkout can still be confirmed', async () => {
  const member = await unpaid()
  const plan = await aPlan(pool.ctx, {})
  const started = await pool.ask(checkout.payByPaypal, { subscription: plan }, member.token)
  await pool.ctx.sql`update plan set is_published = false where plan_id = ${plan}`
  const { pathname } = new URL(started.url ?? '')
  const d = await pool.app.inject({
    method: 'POST',
    url: `${pathname}/yes`,
    headers: { 'content-type': 'text/plain', origin: pool.ctx.config.publicUrl },
    payload: '',
  })
  const back = new URL(String(d.headers.location))
  const r = await errorOf(
    pool.ask(
      checkout.getCustomerPlan,
      { customer_plan_id: back.pathname.split('/').at(-1) ?? '', token: back.searchParams.get('token') ?? '' },
      member.token,
    ),
  ).catch(() => ({ code: 'fine' }))
  expect(r.code).toBe('fine')
})

test('a member who paid with a removed gateway can cancel and leave', async () => {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  await payByCard(pool, member.token, { plan: standard })
  const ctx = { ...pool.ctx, gateways: manual.ctx.gateways }
  const c = await cancel(ctx, member.customer_id).then(
    () => 'ok',
    (e) => e.code,
  )
  const l = await terminateSubscriptions(ctx, member.customer_id).then(
    () => 'ok',
    (e) => e.code,
  )
  expect([c, l]).toEqual(['ok', 'ok'])
})

test('a double payment that cannot be refunded now is not retried forever', async () => {
  const { customer_id } = await unpaid()
  let fetched = 0,
    _refunds = 0
  const ctx = withStripe({
    fetch: async () => {
      fetched++
      return []
    },
    refund: async () => {
      _refunds++
      throw new PaymentDeclinedError('no')
    },
  })
  const id = await start(ctx, customer_id)
  const ref = (await sub(id)).gateway_ref
  await applyEvents(ctx, 'stripe', [event(id, ref, [{ kind: 'abandoned', failure_reason: '' }])])
  const other = await start(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [event(other, (await sub(other)).gateway_ref, [charge(`in_${++n}`)])])
  await applyEvents(ctx, 'stripe', [event(id, ref, [charge(`in_${++n}`)])])
  for (let i = 0; i < 5; i++) {
    await processDueSubscriptions(ctx)
    await refundDuplicates(ctx)
  }
  await pool.ctx.sql`update subscription set next_check_at = null where subscription_id = ${id}`
  expect(fetched).toBeLessThan(3)
})

test('a double subscription that cost nothing is ended at the provider', async () => {
  const { customer_id } = await unpaid()
  const asked: string[] = []
  const ctx = withStripe({}, asked)
  const id = await start(ctx, customer_id)
  const ref = (await sub(id)).gateway_ref
  await applyEvents(ctx, 'stripe', [event(id, ref, [{ kind: 'abandoned', failure_reason: '' }])])
  const other = await start(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [event(other, (await sub(other)).gateway_ref, [charge(`in_${++n}`)])])
  // As with a coupon of 100 %.
  await pool.ctx.sql`update subscription set first_price_minor = 0 where subscription_id = ${id}`
  await applyEvents(ctx, 'stripe', [event(id, ref, [charge(`in_${++n}`, { amount_minor: 0 })])])
  for (let i = 0; i < 3; i++) {
    await processDueSubscriptions(ctx)
    await refundDuplicates(ctx)
  }
  await pool.ctx.sql`update subscription set next_check_at = null where subscription_id = ${id}`
  expect(asked).toEqual(['cancel'])
})

test('two simultaneously paid checkouts of a member do not deadlock', async () => {
  const failed: string[] = []
  for (let i = 0; i < 12; i++) {
    const { customer_id } = await unpaid()
    const ctx = withStripe()
    const id = await start(ctx, customer_id)
    const ref = (await sub(id)).gateway_ref
    await applyEvents(ctx, 'stripe', [event(id, ref, [{ kind: 'abandoned', failure_reason: '' }])])
    const other = await start(ctx, customer_id)
    const otherRef = (await sub(other)).gateway_ref
    const r = await Promise.allSettled([
      applyEvents(ctx, 'stripe', [event(id, ref, [charge(`in_${++n}`)])]),
      applyEvents(ctx, 'stripe', [event(other, otherRef, [charge(`in_${++n}`)])]),
    ])
    for (const x of r) if (x.status === 'rejected') failed.push(String(x.reason))
    await pool.ctx.sql`update subscription set next_check_at = null where customer_id = ${customer_id}`
  }
  expect(failed).toEqual([])
})

test('retries ending a subscription when the provider is unavailable, without delaying others', async () => {
  const { customer_id } = await unpaid()
  const asked: number[] = []
  const ctx = withStripe({
    cancel: async ({ subscription_id }) => {
      asked.push(subscription_id)
      throw new ProviderUnavailableError('away')
    },
  })
  const id = await start(ctx, customer_id)
  await applyEvents(ctx, 'stripe', [event(id, (await sub(id)).gateway_ref, [charge(`in_${++n}`)])])
  const after = (days: number) => ({ ...ctx, now: () => new Date(Date.now() + days * DAY) })
  const processAll = async (days: number) => {
    while (await processDueSubscriptions(after(days)));
  }
  for (let round = 0; round < 3; round += 1) await processAll(60)
  const times = () => asked.filter((each) => each === id).length
  expect(times()).toBe(1)
  await processAll(61)
  expect(times()).toBe(2)
  await pool.ctx.sql`update subscription set next_check_at = null where subscription_id = ${id}`
})
