import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan, readBooks } from '../../test/payment-makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { readConfig } from '../platform/config.ts'

const SECRETS = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_webhooks' }
const { payments } = readConfig({ SECRET: 'x'.repeat(32), GATEWAYS: 'stripe', ...SECRETS })

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { payments } })
})
afterAll(() => pool.close())

/** A member with a pending checkout at Stripe. */
async function aCheckout() {
  const { ctx } = pool
  const plan_id = await aPlan(ctx, { price_minor: 1500 })
  const { customer_id } = await aMember(ctx, { payment_profile_status: 'unpaid' })
  const terms = { price_minor: 1500, first_price_minor: 1500, currency: 'USD', interval: 'month' }
  const waiting = {
    gateway: 'stripe',
    method: 'credit_card',
    checkout_ends_at: new Date(Date.now() + 3_600_000),
    ...terms,
  }
  const [added] = await ctx.sql<{ subscription_id: number; checkout_key: string }[]>`
    insert into subscription ${ctx.sql({ customer_id, plan_id, ...waiting })} returning subscription_id, checkout_key`
  if (!added) throw new Error('no checkout')
  return { customer_id, ...added }
}

const inSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The event that Stripe sends when the first period is paid. */
function paidEvent(
  { subscription_id, checkout_key }: Awaited<ReturnType<typeof aCheckout>>,
  id = `evt_${subscription_id}`,
): string {
  const [start, end] = [inSeconds(new Date()), inSeconds(new Date(Date.now() + 30 * 86_400_000))]
  const line = { amount: 1500, currency: 'usd', period: { start, end }, metadata: {} }
  const metadata = { checkout_key }
  const invoice = {
    ...{ id: `in_${subscription_id}`, object: 'invoice', status: 'paid', billing_reason: 'subscription_create' },
    ...{ amount_paid: 1500, amount_due: 1500, total: 1500, currency: 'usd', created: start, period_start: start },
    ...{ lines: { object: 'list', data: [line] }, customer: 'cus_1', subscription: `sub_${subscription_id}` },
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: `sub_${subscription_id}`, metadata },
    },
  }
  return JSON.stringify({ id, object: 'event', type: 'invoice.paid', created: start, data: { object: invoice } })
}

const stripe = new Stripe('sk_test_1')
const signed = (payload: string, secret = SECRETS.STRIPE_WEBHOOK_SECRET, timestamp = inSeconds(new Date())) =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

const tell = (payload: string, signature: string | undefined) =>
  pool.app.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature ? { 'stripe-signature': signature } : {}),
    },
    payload,
  })

test('applies an event from Stripe once, however often it arrives', async () => {
  const checkout = await aCheckout()
  const { customer_id } = checkout
  const payload = paidEvent(checkout)
  const answers = await Promise.all(Array.from({ length: 5 }, () => tell(payload, signed(payload))))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'paid', ledger: 1500, invoices: 1 })
})

test('refuses an event that is not signed by Stripe, and changes nothing', async () => {
  const checkout = await aCheckout()
  const { customer_id } = checkout
  const payload = paidEvent(checkout)
  const wrong = [
    tell(payload, undefined),
    tell(payload, signed(payload, 'whsec_other')),
    tell(payload.replace('1500', '1501'), signed(payload)),
    tell(payload, signed(payload, SECRETS.STRIPE_WEBHOOK_SECRET, inSeconds(new Date()) - 3600)),
  ]
  for (const answer of await Promise.all(wrong)) {
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid_signature' })
  }
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 0 })
})

test('has no webhook for a provider that this pool does not use', async () => {
  expect((await pool.app.inject({ method: 'POST', url: '/webhooks/paypal', payload: {} })).statusCode).toBe(404)
})
