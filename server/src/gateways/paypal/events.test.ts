import { expect, test } from 'vitest'
import { termsOf } from '../amounts.ts'
import { chargeFact, freePeriods, periodAt, readEvent } from './events.ts'
import { paypalEvent, paypalSubscription } from './objects.ts'

const START = '2026-01-31T18:30:00Z'
const plan = { plan_id: 3, title: 'Pool', currency: 'USD', interval: 'month' as const, price_minor: 2000 }
const half = { percent: 50, amount_minor: null, payments: 2 }
const terms = termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true, coupon: half })

const subscription = {
  id: 'I-BW452GLLEP1G',
  status: 'ACTIVE',
  plan_id: 'P-1',
  custom_id: '7',
  start_time: START,
  create_time: '2026-01-31T18:29:00Z',
  subscriber: { payer_id: 'PAYER1', email_address: 'dj@example.com' },
}
const sale = {
  id: '80F85758S3080410K',
  state: 'completed',
  amount: { total: '0.50', currency: 'USD', details: { subtotal: '0.50' } },
  billing_agreement_id: 'I-BW452GLLEP1G',
  create_time: '2026-01-31T18:31:02Z',
}

const lookups = {
  subscription: async (id: string) => paypalSubscription.parse({ ...subscription, id }),
  termsOf: async ({ plan_id }: { plan_id?: string | null | undefined }) => (plan_id === 'P-1' ? terms : undefined),
  subscriptionPaidBy: async (paid: string) => (paid === sale.id ? subscription.id : null),
}

const tell = (event_type: string, resource: object) =>
  readEvent(paypalEvent.parse({ id: 'WH-1', event_type, create_time: '2026-02-01T00:00:00Z', resource }), lookups)

test('a payment is a charge of the period it falls into, linked to its subscription', async () => {
  const event = await tell('PAYMENT.SALE.COMPLETED', sale)
  expect(event).toEqual({
    event_id: 'WH-1',
    at: new Date('2026-02-01T00:00:00Z'),
    gateway_ref: 'I-BW452GLLEP1G',
    // Anyone who starts a subscription at PayPal can choose its `custom_id`.
    subscription_id: null,
    claimed_id: 7,
    facts: [
      {
        kind: 'charge',
        charge_ref: '80F85758S3080410K',
        status: 'paid',
        reason: 'first',
        plan_id: 3,
        amount_minor: 50,
        discount_minor: 50,
        currency: 'USD',
        is_trial: true,
        period_start: '2026-01-31T18:30:00.000Z',
        period_end: '2026-02-28T18:30:00.000Z',
        failure_reason: '',
      },
    ],
  })
  expect(await tell('PAYMENT.SALE.COMPLETED', sale)).toEqual(event)
})

test('a renewal is billed in the morning and pays for the period that begins on that day', async () => {
  const second = {
    ...sale,
    id: 'SALE2',
    create_time: '2026-02-28T10:00:00Z',
    amount: { total: '10.00', currency: 'USD' },
  }
  const { facts } = await tell('PAYMENT.SALE.COMPLETED', second)
  expect(facts[0]).toMatchObject({
    reason: 'renewal',
    is_trial: false,
    discount_minor: 1000,
    period_start: '2026-02-28T18:30:00.000Z',
    period_end: '2026-03-31T18:30:00.000Z',
  })
})

test('a payment that is ten days late pays for the period it was due in', () => {
  const late = {
    charge_ref: 'SALE3',
    status: 'paid' as const,
    amount: { value: '20.00', currency_code: 'USD' },
    time: '2026-04-10T10:00:00Z',
    failure_reason: '',
  }
  const fact = chargeFact(paypalSubscription.parse(subscription), terms, late)
  expect(fact).toMatchObject({ period_start: '2026-03-31T18:30:00.000Z', period_end: '2026-04-30T18:30:00.000Z' })
})

test('counts periods from the first day, also yearly ones', () => {
  const start = new Date(START)
  expect(periodAt(start, 'month', start)).toBe(1)
  expect(periodAt(start, 'month', new Date('2026-02-27T10:00:00Z'))).toBe(1)
  expect(periodAt(start, 'month', new Date('2026-12-31T10:00:00Z'))).toBe(12)
  expect(periodAt(start, 'year', new Date('2026-12-31T10:00:00Z'))).toBe(1)
  expect(periodAt(start, 'year', new Date('2027-01-31T10:00:00Z'))).toBe(2)
})

test('ignores a payment for something else and for a plan that is not the pool’s', async () => {
  expect((await tell('PAYMENT.SALE.COMPLETED', { ...sale, billing_agreement_id: undefined })).facts).toEqual([])
  const foreign = { ...lookups, termsOf: async () => undefined }
  const event = paypalEvent.parse({
    id: 'WH-1',
    event_type: 'PAYMENT.SALE.COMPLETED',
    create_time: START,
    resource: sale,
  })
  expect((await readEvent(event, foreign)).facts).toEqual([])
})

const refund = { id: '4CF18861HF410323U', sale_id: sale.id, amount: { total: '-0.20', currency: 'USD' } }
const given_back = { kind: 'refund', refund_ref: '4CF18861HF410323U', charge_ref: sale.id, amount_minor: 20 }

test('records a refund or a bank reversal as a refund of the payment', async () => {
  for (const type of ['PAYMENT.SALE.REFUNDED', 'PAYMENT.SALE.REVERSED']) {
    expect(await tell(type, refund)).toMatchObject({ gateway_ref: 'I-BW452GLLEP1G', facts: [given_back] })
  }
  const linked = {
    ...refund,
    sale_id: undefined,
    links: [{ rel: 'sale', href: `https://api.paypal.com/v1/payments/sale/${sale.id}` }],
  }
  expect((await tell('PAYMENT.SALE.REFUNDED', linked)).facts).toEqual([given_back])
})

test('a refund in PayPal’s newer format is the same refund', async () => {
  const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${sale.id}` }]
  const newer = { id: refund.id, status: 'COMPLETED', amount: { value: '0.20', currency_code: 'USD' }, links }
  expect((await tell('PAYMENT.CAPTURE.REFUNDED', newer)).facts).toEqual([given_back])
})

test('ignores a refund of something else', async () => {
  expect((await tell('PAYMENT.SALE.REFUNDED', { ...refund, sale_id: 'OTHER' })).facts).toEqual([])
})

const kindsOf = async (type: string, status: string) =>
  (await tell(type, { ...subscription, status })).facts.map(({ kind }) => kind)

test('a cancellation at PayPal is final; suspended and expired subscriptions have ended as well', async () => {
  expect(await kindsOf('BILLING.SUBSCRIPTION.CANCELLED', 'CANCELLED')).toEqual(['cancelled', 'terminated', 'payer'])
  expect(await kindsOf('BILLING.SUBSCRIPTION.SUSPENDED', 'SUSPENDED')).toEqual(['terminated', 'payer'])
  expect(await kindsOf('BILLING.SUBSCRIPTION.EXPIRED', 'EXPIRED')).toEqual(['terminated', 'payer'])
})

test('activating a subscription does not pay for it', async () => {
  expect(await kindsOf('BILLING.SUBSCRIPTION.ACTIVATED', 'ACTIVE')).toEqual(['payer'])
})

test('each attempt of a failed payment is the same charge', async () => {
  const failing = (time: string) =>
    tell('BILLING.SUBSCRIPTION.PAYMENT.FAILED', {
      ...subscription,
      billing_info: { last_failed_payment: { amount: { value: '10.00', currency_code: 'USD' }, time } },
    })
  const facts = (await failing('2026-02-28T10:00:00Z')).facts.filter(({ kind }) => kind === 'charge')
  expect(facts).toEqual([
    expect.objectContaining({ status: 'failed', charge_ref: 'I-BW452GLLEP1G/2', amount_minor: 1000 }),
  ])
  expect(facts[0]).toHaveProperty('failure_reason', expect.stringMatching(/PayPal couldn’t process this payment/))
  expect((await failing('2026-03-05T10:00:00Z')).facts).toContainEqual(facts[0])
})

test('a free period is paid while the subscription is active', () => {
  const free = termsOf(
    { ...plan, trial_price_minor: 0 },
    { isNew: true, coupon: { percent: 100, amount_minor: null, payments: 2 } },
  )
  const active = paypalSubscription.parse(subscription)
  const refs = (now: string) =>
    freePeriods(active, free, new Date(now)).map((fact) => fact.kind === 'charge' && fact.charge_ref)
  expect(refs('2026-02-05T00:00:00Z')).toEqual(['I-BW452GLLEP1G/1'])
  expect(refs('2026-06-05T00:00:00Z')).toEqual(['I-BW452GLLEP1G/1', 'I-BW452GLLEP1G/2'])
  expect(freePeriods({ ...active, status: 'APPROVED' }, free, new Date('2026-02-05'))).toEqual([])
})

test('an unknown event has no facts', async () => {
  expect(await tell('BILLING.PLAN.CREATED', { id: 'P-9' })).toMatchObject({ event_id: 'WH-1', facts: [] })
})
