import { dashboard, payments } from '@dubplate/contract'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan, readBooks } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import type { GatewayEvent } from '../gateways/gateway.ts'
import { periodEnd } from '../gateways/periods.ts'
import { readConfig } from '../platform/config.ts'
import { applyEvents } from './ledger.ts'
import { readSubscription } from './subscriptions.ts'

const SECRETS = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_reviews' }
const read = readConfig({ SECRET: 'x'.repeat(32), GATEWAYS: 'stripe', ...SECRETS })
const stripe = new Stripe('sk_test_1')

let pool: TestPool
let staff: string
beforeAll(async () => {
  pool = await openTestPool({ config: { payments: read.payments } })
  staff = (await aMember(pool.ctx, { staff_role: 'billing', group_id: 4, application: 'none' })).token
})
afterAll(() => pool.close())

type OpenCheckout = { customer_id: number; subscription_id: number; checkout_key: string }

/** A member with an open checkout of 29.99 a month at the provider. */
async function aCheckout(
  gateway: 'stripe' | 'paypal' = 'stripe',
  gateway_ref: string | null = null,
): Promise<OpenCheckout> {
  const { sql } = pool.ctx
  const plan_id = await aPlan(pool.ctx, { price_minor: 2999 })
  const { customer_id } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const terms = { price_minor: 2999, first_price_minor: 2999, currency: 'USD', interval: 'month', gateway_ref }
  const checkout = { gateway, method: 'credit_card', checkout_ends_at: new Date(Date.now() + 3_600_000), ...terms }
  const [added] = await sql<OpenCheckout[]>`
    insert into subscription ${sql({ customer_id, plan_id, ...checkout })}
    returning customer_id, subscription_id, checkout_key`
  if (!added) throw new Error('no checkout')
  return added
}

const toUnixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)
let n = 0

type PaidInvoice = { sub: string; metadata?: object; amount?: number; currency?: string; until?: Date; fields?: object }

/** The invoice that Stripe sends for a first payment. */
function paidInvoice({ sub, metadata = {}, amount = 2999, currency = 'usd', until, fields }: PaidInvoice) {
  const now = new Date()
  const [start, end] = [toUnixSeconds(now), toUnixSeconds(until ?? periodEnd(now, 'month', 1))]
  return {
    ...{ id: `in_${++n}`, object: 'invoice', status: 'paid', billing_reason: 'subscription_create', currency },
    ...{ amount_paid: amount, amount_due: amount, total: amount, created: start, customer: 'cus_1' },
    lines: { object: 'list', data: [{ amount, period: { start, end } }] },
    parent: { type: 'subscription_details', subscription_details: { subscription: sub, metadata } },
    ...fields,
  }
}

/** Delivers an event as Stripe does, signed. */
async function deliver(type: string, object: object, fields: object = {}) {
  const event = {
    id: `evt_${++n}`,
    object: 'event',
    type,
    created: toUnixSeconds(new Date()),
    livemode: true,
    ...fields,
  }
  const payload = JSON.stringify({ ...event, data: { object } })
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: SECRETS.STRIPE_WEBHOOK_SECRET })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return (await pool.app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload })).statusCode
}

const reviewsOf = async (of: { subscription_id: number | null }) =>
  (await pool.ask(payments.getPaymentReviews, {}, staff)).reviews.filter(
    ({ subscription_id }) => subscription_id === of.subscription_id,
  )
const decide = (review_id: number, decision: 'accept' | 'handled') =>
  pool.ask(payments.decidePaymentReview, { review_id, decision }, staff)
const NOTHING = { access: 'unpaid', ledger: 0, invoices: 0 }
const PAID = { access: 'paid', ledger: 2999, invoices: 1 }

test('a payment of the agreed amount in the checkout that the pool started gives access', async () => {
  const { customer_id, checkout_key } = await aCheckout()
  expect(await deliver('invoice.paid', paidInvoice({ sub: 'sub_own', metadata: { checkout_key } }))).toBe(200)
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject(PAID)
})

test('a payment link of the same account that names a member’s checkout pays for nothing', async () => {
  const open = await aCheckout()
  const link = { mode: 'subscription', customer: 'cus_9', subscription: 'sub_link', metadata: {} }
  const session = { id: 'cs_link', ...link, client_reference_id: `${open.subscription_id}` }
  const tenYears = paidInvoice({ sub: 'sub_link', amount: 1, currency: 'jpy', until: new Date('2036-11-22') })
  await deliver('invoice.paid', tenYears)
  expect(await deliver('checkout.session.completed', session)).toBe(200)
  await deliver('customer.subscription.created', {
    ...{ id: 'sub_link', status: 'active', customer: 'cus_9', metadata: {}, items: { data: [] } },
  })
  expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
  const [review, ...more] = await reviewsOf(open)
  expect(more).toEqual([])
  expect(review).toMatchObject({ reason: 'unlinked', ref: 'sub_link', amount: '0.01', currency: 'JPY' })
  // Even when staff link it on purpose, it is reported as different from the agreed terms.
  await decide(review?.review_id ?? 0, 'accept')
  expect(await reviewsOf(open)).toMatchObject([{ reason: 'currency', ref: tenYears.id }])
  expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
})

test('ignores a payment that belongs to another pool on the same account', async () => {
  const open = await aCheckout()
  const metadata = { subscription_id: `${open.subscription_id}`, checkout_key: crypto.randomUUID() }
  await deliver('invoice.paid', paidInvoice({ sub: 'sub_other_pool', metadata }))
  expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
  expect(await reviewsOf(open)).toEqual([])
})

test('an event that waits for another subscription of the provider is not applied to this one', async () => {
  const open = await aCheckout()
  const { subscription_id, checkout_key } = open
  await deliver('invoice.paid', paidInvoice({ sub: `sub_first_${subscription_id}`, metadata: { checkout_key } }))
  await deliver('invoice.paid', paidInvoice({ sub: `sub_second_${subscription_id}`, metadata: { checkout_key } }))
  await deliver('customer.subscription.updated', {
    ...{ id: `sub_first_${subscription_id}`, status: 'active', customer: 'cus_1', metadata: {}, items: { data: [] } },
  })
  expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(PAID)
  expect(await reviewsOf(open)).toMatchObject([
    { reason: 'unlinked', ref: `sub_second_${subscription_id}`, amount: '29.99' },
  ])
})

describe('a payment in the pool’s own checkout that differs', () => {
  const CASES: [string, string, (paid: PaidInvoice) => PaidInvoice, object?][] = [
    ['in amount', 'amount', (paid) => ({ ...paid, amount: 1 })],
    ['in currency', 'currency', (paid) => ({ ...paid, currency: 'jpy' })],
    ['in its period', 'period', (paid) => ({ ...paid, until: new Date('2036-11-22') })],
    ['in its plan', 'plan', (paid) => ({ ...paid, metadata: { ...paid.metadata, plan_id: '999999' } })],
    ['in test mode', 'mode', (paid) => paid, { livemode: false }],
  ]
  test.each(CASES)(
    '%s waits for review, and pays for its period once staff accept it',
    async (_, reason, alter, envelope) => {
      const open = await aCheckout()
      const sub = `sub_${open.subscription_id}`
      const invoice = paidInvoice(alter({ sub, metadata: { checkout_key: open.checkout_key } }))
      expect(await deliver('invoice.paid', invoice, envelope)).toBe(200)
      expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
      const [review] = await reviewsOf(open)
      expect(review).toMatchObject({ reason, ref: invoice.id, can_accept: true })
      expect((await readSubscription(pool.ctx.sql, open.subscription_id))?.failure_reason).toMatch(
        /^Your payment arrived/,
      )
      if (reason === 'plan') return
      await decide(review?.review_id ?? 0, 'accept')
      expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject({ access: 'paid', ledger: invoice.amount_paid })
      expect(await reviewsOf(open)).toEqual([])
      expect((await readSubscription(pool.ctx.sql, open.subscription_id))?.failure_reason).toBe('')
    },
  )

  test('pays for nothing once it is marked as handled, however often its event arrives', async () => {
    const open = await aCheckout()
    const invoice = paidInvoice({
      sub: `sub_${open.subscription_id}`,
      metadata: { checkout_key: open.checkout_key },
      amount: 1,
    })
    await deliver('invoice.paid', invoice)
    const [review] = await reviewsOf(open)
    await decide(review?.review_id ?? 0, 'handled')
    await deliver('invoice.payment_succeeded', invoice)
    expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
    expect(await reviewsOf(open)).toEqual([])
    expect(await errorOf(decide(review?.review_id ?? 0, 'accept'))).toMatchObject({ code: 'unknown_payment' })
  })

  test('closes when it is refunded at the provider', async () => {
    const open = await aCheckout()
    const invoice = paidInvoice({
      sub: `sub_${open.subscription_id}`,
      metadata: { checkout_key: open.checkout_key },
      amount: 1,
    })
    await deliver('invoice.paid', invoice)
    const metadata = { charge_ref: invoice.id, gateway_ref: `sub_${open.subscription_id}` }
    await deliver('refund.created', { id: `re_${++n}`, amount: 1, status: 'succeeded', metadata })
    expect(await reviewsOf(open)).toEqual([])
    expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
  })

  test('is counted for staff with access to payments, and their decision is in the audit log', async () => {
    const open = await aCheckout()
    await deliver(
      'invoice.paid',
      paidInvoice({ sub: `sub_${open.subscription_id}`, metadata: { checkout_key: open.checkout_key }, amount: 1 }),
    )
    const { items } = await pool.ask(dashboard.getAttentionItems, {}, staff)
    expect(items.find(({ kind }) => kind === 'payments_in_review')).toMatchObject({ is_urgent: true })
    const [review] = await reviewsOf(open)
    await decide(review?.review_id ?? 0, 'handled')
    const [auditEntry] = await pool.ctx.sql`select action from audit order by audit_id desc limit 1`
    expect(auditEntry?.action).toBe('payment marked as handled')
  })
})

test('compares payments that arrive in any order with what was agreed at the time', async () => {
  const open = await aCheckout()
  const { sql } = pool.ctx
  const coupon_terms = sql.json({ percent: 50, amount_minor: null, payments: 1 })
  await sql`update subscription set coupon_terms = ${coupon_terms}, created_at = now() - interval '200 days' where subscription_id = ${open.subscription_id}`
  const gateway_ref = `sub_${open.subscription_id}`
  const start = new Date(Date.now() - 86_400_000)
  const paid = (k: number, amount_minor: number): GatewayEvent => ({
    ...{ event_id: `evt_${++n}`, at: new Date(), gateway_ref, subscription_id: null, checkout_key: open.checkout_key },
    facts: [
      {
        ...{ kind: 'charge', charge_ref: `in_${open.subscription_id}_${k}`, status: 'paid', amount_minor },
        ...{
          reason: k === 1 ? 'first' : 'renewal',
          discount_minor: 0,
          currency: 'USD',
          is_trial: false,
          failure_reason: '',
        },
        period_start: (k === 1 ? start : periodEnd(start, 'month', k - 1)).toISOString(),
        period_end: periodEnd(start, 'month', k).toISOString(),
      },
    ],
  })
  for (const each of [paid(3, 2999), paid(2, 2999), paid(1, 1499)]) await applyEvents(pool.ctx, 'stripe', [each])
  expect(await reviewsOf(open)).toEqual([])
  expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject({ ledger: 2999 + 2999 + 1499 })
})

test('a PayPal subscription that only names a member’s checkout is not linked', async () => {
  const open = await aCheckout('paypal', `I-${++n}`)
  const charge = {
    ...{
      kind: 'charge' as const,
      charge_ref: `SALE${n}`,
      status: 'paid' as const,
      reason: 'first' as const,
      amount_minor: 2999,
    },
    ...{
      discount_minor: 0,
      currency: 'USD',
      is_trial: false,
      failure_reason: '',
      period_start: new Date().toISOString(),
    },
    period_end: periodEnd(new Date(), 'month', 1).toISOString(),
  }
  const foreign = { at: new Date(), gateway_ref: 'I-FOREIGN', subscription_id: null, claimed_id: open.subscription_id }
  await applyEvents(pool.ctx, 'paypal', [{ event_id: `WH-${++n}`, ...foreign, facts: [charge] }])
  expect(await readBooks(pool.ctx, open.customer_id)).toMatchObject(NOTHING)
  const [review] = await reviewsOf(open)
  expect(review).toMatchObject({ reason: 'unlinked', gateway: 'paypal', ref: 'I-FOREIGN', amount: '29.99' })
  // The checkout has its own PayPal subscription.
  expect(await errorOf(decide(review?.review_id ?? 0, 'accept'))).toMatchObject({ code: 'conflict' })
})

test('acknowledges an event of unknown shape, stores it once and shows it to staff', async () => {
  const unknownInvoice = { id: 'in_strange', billing_reason: 'subscription_create', lines: null, amount_paid: 'many' }
  const id = `evt_strange_${++n}`
  expect(await deliver('invoice.paid', unknownInvoice, { id })).toBe(200)
  expect(await deliver('invoice.paid', unknownInvoice, { id })).toBe(200)
  const found = (await reviewsOf({ subscription_id: null })).filter(({ ref }) => ref === id)
  expect(found).toMatchObject([
    { reason: 'unreadable', can_accept: false, detail: expect.stringMatching(/^invoice.paid: .*lines/) },
  ])
  expect(found[0]?.detail).not.toContain('many')
  expect(await errorOf(decide(found[0]?.review_id ?? 0, 'accept'))).toMatchObject({ code: 'conflict' })
  await decide(found[0]?.review_id ?? 0, 'handled')
})

test('refuses a signed message that is not an event', async () => {
  expect(await deliver('invoice.paid', {}, { created: 'yesterday' })).toBe(400)
})
