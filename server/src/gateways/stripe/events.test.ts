import { expect, test } from 'vitest'
import { readEvent, type StripeLookups } from './events.ts'
import { stripeEvent, stripeInvoice, stripeRefund } from './objects.ts'

const START = 1_770_000_000
const END = START + 28 * 86_400
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

const KEY = '5a6e3f0e-55a1-4d4b-9c56-0b9a0c1f7d21'
const metadata = { subscription_id: '7', checkout_key: KEY, plan_id: '3', is_trial: 'yes', first_discount_minor: '50' }

/** In the format of the API since 2025. */
const invoice = {
  id: 'in_1',
  object: 'invoice',
  status: 'paid',
  billing_reason: 'subscription_create',
  amount_due: 50,
  amount_paid: 50,
  currency: 'usd',
  created: START,
  attempt_count: 1,
  customer: 'cus_1',
  metadata: {},
  total_discount_amounts: [{ amount: 1950, discount: 'di_1' }],
  lines: { data: [{ amount: 2000, period: { start: START, end: END } }] },
  parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1', metadata } },
}
/** The same in the older format. */
const { parent: _parent, ...rest } = invoice
const olderInvoice = { ...rest, subscription: 'sub_1', subscription_details: { metadata }, payment_intent: 'pi_1' }

const subscription = {
  id: 'sub_1',
  object: 'subscription',
  status: 'active',
  customer: 'cus_1',
  metadata,
  cancel_at_period_end: false,
  cancel_at: null,
  default_payment_method: 'pm_1',
  latest_invoice: 'in_1',
  items: { data: [{ id: 'si_1', current_period_end: END }] },
}
const refund = { id: 're_1', amount: 20, status: 'succeeded', payment_intent: 'pi_1', charge: 'ch_1', metadata: {} }

const card = { brand: 'visa', last4: '4242', exp_month: 2, exp_year: 2028, wallet: null }
const lookups: StripeLookups = {
  paymentMethod: async (id) => ({ id, type: 'card', card }),
  invoicePaidWith: async (payment) => (payment === 'pi_1' ? stripeInvoice.parse(invoice) : null),
  refundsOf: async () => [stripeRefund.parse(refund)],
}

const tell = (type: string, object: object, previous_attributes?: object) =>
  readEvent(stripeEvent.parse({ id: 'evt_1', type, created: START, data: { object, previous_attributes } }), lookups)

const firstCharge = {
  kind: 'charge',
  charge_ref: 'in_1',
  status: 'paid',
  reason: 'first',
  plan_id: 3,
  amount_minor: 50,
  discount_minor: 50,
  currency: 'USD',
  is_trial: true,
  period_start: iso(START),
  period_end: iso(END),
  failure_reason: '',
}

test('a paid invoice is a charge of its period, with its subscription and Stripe’s time', async () => {
  expect(await tell('invoice.paid', invoice)).toEqual({
    event_id: 'evt_1',
    at: new Date(START * 1000),
    gateway_ref: 'sub_1',
    subscription_id: null,
    checkout_key: KEY,
    facts: [firstCharge],
  })
})

test('an invoice in the format of an older API is read the same', async () => {
  expect(await tell('invoice.payment_succeeded', olderInvoice)).toEqual(await tell('invoice.paid', invoice))
})

test('reading the same event twice returns the same', async () => {
  expect(await tell('invoice.paid', invoice)).toEqual(await tell('invoice.paid', invoice))
})

test('a renewal is not a trial, and its discount is what Stripe took off', async () => {
  const renewal = {
    ...invoice,
    billing_reason: 'subscription_cycle',
    amount_due: 1000,
    amount_paid: 1000,
    total_discount_amounts: [{ amount: 1000 }],
  }
  const { facts } = await tell('invoice.paid', renewal)
  expect(facts).toEqual([
    { ...firstCharge, reason: 'renewal', amount_minor: 1000, discount_minor: 1000, is_trial: false },
  ])
})

test('a failed payment is a charge with the same reference, the amount due and a message', async () => {
  const { facts } = await tell('invoice.payment_failed', {
    ...invoice,
    status: 'open',
    amount_paid: 0,
    amount_due: 2000,
  })
  expect(facts[0]).toMatchObject({ charge_ref: 'in_1', status: 'failed', amount_minor: 2000 })
  expect(facts[0]).toHaveProperty('failure_reason', expect.stringMatching(/declined/))
})

test('when the first period is a trial at Stripe, the charge lasts until its end', async () => {
  const periodMetadata = { ...metadata, first_period_end: `${END + 5}` }
  const once = {
    ...invoice,
    lines: { data: [{ amount: 50, period: { start: START, end: START } }] },
    parent: { subscription_details: { subscription: 'sub_1', metadata: periodMetadata } },
  }
  const { facts } = await tell('invoice.paid', once)
  expect(facts[0]).toMatchObject({ period_start: iso(START), period_end: iso(END + 5) })
})

test('the invoice of an upgrade is marked as such', async () => {
  const upgrade = {
    ...invoice,
    billing_reason: 'manual',
    parent: null,
    total_discount_amounts: [],
    lines: { data: [{ amount: 50, period: { start: START, end: START } }] },
    metadata: { reason: 'upgrade', subscription_id: '7', gateway_ref: 'sub_1', plan_id: '4', period_end: `${END}` },
  }
  const { gateway_ref, facts } = await tell('invoice.paid', upgrade)
  expect(gateway_ref).toBe('sub_1')
  expect(facts[0]).toMatchObject({
    reason: 'upgrade',
    plan_id: 4,
    period_end: iso(END),
    is_trial: false,
    discount_minor: 0,
  })
})

test('an invoice written by the operator, and the empty one of a plan change, are not charges', async () => {
  expect((await tell('invoice.paid', { ...invoice, billing_reason: 'manual', parent: null })).facts).toEqual([])
  const empty = { ...invoice, billing_reason: 'subscription_update', amount_due: 0, amount_paid: 0 }
  expect((await tell('invoice.paid', empty)).facts).toEqual([])
})

test('an invoice contains the billed amount, without tax added on top and before credit', async () => {
  const taxed = {
    ...invoice,
    amount_paid: 2100,
    total: 2380,
    total_taxes: [{ amount: 380, tax_behavior: 'exclusive' }],
  }
  expect((await tell('invoice.paid', taxed)).facts[0]).toMatchObject({ amount_minor: 2100, billed_minor: 2000 })
  const within = { ...invoice, total: 50, total_taxes: [{ amount: 8, tax_behavior: 'inclusive' }] }
  expect((await tell('invoice.paid', within)).facts[0]).not.toHaveProperty('billed_minor')
  const older = { ...olderInvoice, amount_paid: 60, total: 60, total_tax_amounts: [{ amount: 10, inclusive: false }] }
  expect((await tell('invoice.paid', older)).facts[0]).toMatchObject({ amount_minor: 60, billed_minor: 50 })
})

test('what a buyer or another pool may have written is a claim, not a link', async () => {
  const link = { mode: 'subscription', client_reference_id: '7', customer: 'cus_9', subscription: 'sub_9' }
  const claimed = await tell('checkout.session.completed', { id: 'cs_9', ...link, metadata: {} })
  expect(claimed).toMatchObject({ gateway_ref: 'sub_9', subscription_id: null, claimed_id: 7 })
  expect(claimed).not.toHaveProperty('checkout_key')
  const oddKey = { ...subscription, metadata: { checkout_key: "7' or true", subscription_id: 'x' } }
  expect(await tell('customer.subscription.created', oddKey)).not.toHaveProperty('checkout_key')
})

test('a paid checkout has the subscription and its payer, but is no payment itself', async () => {
  const session = {
    metadata: { checkout_key: KEY },
    id: 'cs_1',
    mode: 'subscription',
    client_reference_id: '7',
    customer: 'cus_1',
    subscription: 'sub_1',
  }
  expect(await tell('checkout.session.completed', session)).toMatchObject({
    gateway_ref: 'sub_1',
    checkout_key: KEY,
    facts: [{ kind: 'payer', payer_ref: 'cus_1' }],
  })
})

test('an expired checkout was abandoned', async () => {
  const session = { id: 'cs_1', mode: 'subscription', metadata, customer: 'cus_1', subscription: null }
  const { checkout_key, facts } = await tell('checkout.session.expired', session)
  expect(checkout_key).toBe(KEY)
  expect(facts).toEqual([{ kind: 'abandoned', failure_reason: expect.any(String) }])
})

test('a subscription shows whether it renews, and whether a cancellation was undone', async () => {
  const cancelled = await tell('customer.subscription.updated', { ...subscription, cancel_at_period_end: true })
  expect(cancelled.facts).toContainEqual({ kind: 'cancelled', is_cancelled: true })
  const resumed = await tell('customer.subscription.updated', subscription)
  expect(resumed.facts).toContainEqual({ kind: 'cancelled', is_cancelled: false })
  expect(resumed.facts).not.toContainEqual({ kind: 'terminated' })
})

test('a deleted subscription has ended', async () => {
  const { facts } = await tell('customer.subscription.deleted', { ...subscription, status: 'canceled' })
  expect(facts).toContainEqual({ kind: 'terminated' })
  expect(facts).toContainEqual({ kind: 'cancelled', is_cancelled: true })
})

test('a new card has its brand, last digits and last valid day', async () => {
  const { facts } = await tell('customer.subscription.updated', subscription, { default_payment_method: 'pm_0' })
  const paid_with = { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires_on: '2028-02-29' }
  expect(facts).toContainEqual({ kind: 'method', paid_with })
  const other = await tell('customer.subscription.updated', subscription, { status: 'past_due' })
  expect(other.facts.map(({ kind }) => kind)).not.toContain('method')
})

test('a card in a wallet is a wallet', async () => {
  const inWallet = { id: 'pm_1', type: 'card', card: { ...card, wallet: { type: 'apple_pay' } } }
  const { facts } = await tell('customer.subscription.updated', { ...subscription, default_payment_method: inWallet })
  expect(facts).toContainEqual({ kind: 'method', paid_with: expect.objectContaining({ kind: 'mobile_wallet' }) })
})

const given_back = { kind: 'refund', refund_ref: 're_1', charge_ref: 'in_1', amount_minor: 20 }

test('a refund made at Stripe is linked to its invoice', async () => {
  for (const type of ['refund.created', 'refund.updated', 'charge.refund.updated']) {
    const { gateway_ref, checkout_key, facts } = await tell(type, refund)
    expect({ gateway_ref, checkout_key, facts }).toEqual({
      gateway_ref: 'sub_1',
      checkout_key: KEY,
      facts: [given_back],
    })
  }
})

test('a refund made by the pool contains its invoice', async () => {
  const ours = {
    ...refund,
    payment_intent: null,
    metadata: { charge_ref: 'in_1', gateway_ref: 'sub_1', subscription_id: '7' },
  }
  expect(await tell('refund.created', ours)).toMatchObject({
    gateway_ref: 'sub_1',
    facts: [given_back],
  })
})

test('a refunded charge lists each of its refunds by id', async () => {
  const charge = { id: 'ch_1', amount_refunded: 20, payment_intent: 'pi_1' }
  expect(await tell('charge.refunded', charge)).toMatchObject({ gateway_ref: 'sub_1', facts: [given_back] })
})

test('money reversed by a bank is a refund', async () => {
  const dispute = { id: 'dp_1', amount: 50, payment_intent: 'pi_1', reason: 'fraudulent' }
  expect(await tell('charge.dispute.funds_withdrawn', dispute)).toMatchObject({
    gateway_ref: 'sub_1',
    checkout_key: KEY,
    facts: [{ kind: 'refund', refund_ref: 'dp_1', charge_ref: 'in_1', amount_minor: 50 }],
  })
  expect((await tell('charge.dispute.funds_withdrawn', { ...dispute, payment_intent: 'pi_other' })).facts).toEqual([])
})

test('a failed refund, and one of something else, have no facts', async () => {
  expect((await tell('refund.updated', { ...refund, status: 'failed' })).facts).toEqual([])
  expect((await tell('refund.created', { ...refund, payment_intent: 'pi_other' })).facts).toEqual([])
})

test('an unknown event has no facts', async () => {
  expect(await tell('product.created', { id: 'prod_1' })).toEqual({
    event_id: 'evt_1',
    at: new Date(START * 1000),
    gateway_ref: null,
    subscription_id: null,
    facts: [],
  })
})
