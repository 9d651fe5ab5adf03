import { expect, test } from 'vitest'
import { periodEnd } from '../gateways/periods.ts'
import { type AgreedTerms, type ChargeFact, findDifference } from './agreed-price.ts'
import type { Subscription } from './subscriptions.ts'

const START = new Date('2026-01-31T18:30:00Z')

/** A subscription of 20.00 a month. */
const termsWith = (fields: Partial<Subscription> = {}, more: Partial<AgreedTerms> = {}): AgreedTerms => ({
  subscription: {
    ...{
      subscription_id: 7,
      plan_id: 3,
      currency: 'USD',
      interval: 'month',
      price_minor: 2000,
      first_price_minor: 2000,
    },
    ...{ coupon_terms: null, next_plan_id: null, next_price_minor: null, next_from: null, next_keeps_coupon: false },
    ...{ pending_change: null, paid_until: null, created_at: START, ...fields },
  } as Subscription,
  agreed_prices: {},
  anchor: START,
  ...more,
})

/** Payment `n` of a subscription, 1 being the first. */
const payment = (n: number, amount_minor: number, fields: Partial<ChargeFact> = {}): ChargeFact => ({
  ...{ kind: 'charge', charge_ref: `in_${n}`, status: 'paid', reason: n === 1 ? 'first' : 'renewal' },
  ...{ plan_id: 3, amount_minor, discount_minor: 0, currency: 'USD', is_trial: false, failure_reason: '' },
  period_start: (n === 1 ? START : periodEnd(START, 'month', n - 1)).toISOString(),
  period_end: periodEnd(START, 'month', n).toISOString(),
  ...fields,
})

const differenceReason = (agreed: AgreedTerms, fact: ChargeFact) => findDifference(agreed, fact)?.reason

test('accepts every payment of a plain plan at the agreed price, also in months of 28 days', () => {
  for (let n = 1; n <= 14; n += 1)
    expect(differenceReason(termsWith(), payment(n, 2000)), `payment ${n}`).toBeUndefined()
})

test('reports another amount, currency, period, plan or mode as a difference', () => {
  const differs = (fields: Partial<ChargeFact>) => differenceReason(termsWith(), payment(1, 2000, fields))
  expect(differs({ amount_minor: 1999 })).toBe('amount')
  expect(differs({ amount_minor: 2001 })).toBe('amount')
  expect(differs({ currency: 'JPY' })).toBe('currency')
  expect(differs({ period_end: '2036-01-31T18:30:00Z' })).toBe('period')
  expect(differs({ period_end: periodEnd(START, 'month', 2).toISOString() })).toBe('period')
  expect(differs({ period_end: '2026-02-07T18:30:00Z' })).toBe('period')
  expect(differs({ plan_id: 4 })).toBe('plan')
  expect(differs({ is_other_mode: true })).toBe('mode')
})

test('expects one payment a year for a yearly plan', () => {
  const yearly = termsWith({ interval: 'year' })
  const end = (years: number) => ({ period_end: periodEnd(START, 'year', years).toISOString() })
  expect(differenceReason(yearly, payment(1, 2000, end(1)))).toBeUndefined()
  expect(differenceReason(yearly, payment(1, 2000))).toBe('period')
  expect(differenceReason(yearly, payment(1, 2000, end(2)))).toBe('period')
})

test('accepts a first payment whose period started before its page was closed', () => {
  const late = { period_start: '2026-01-31T19:29:00Z' }
  expect(differenceReason(termsWith(), payment(1, 2000, late))).toBeUndefined()
})

test('expects the trial price only for the first payment', () => {
  const trial = termsWith({ is_trial: true, first_price_minor: 100 })
  expect(differenceReason(trial, payment(1, 100))).toBeUndefined()
  expect(differenceReason(trial, payment(1, 2000))).toBe('amount')
  expect(differenceReason(trial, payment(2, 100))).toBe('amount')
  expect(differenceReason(trial, payment(2, 2000))).toBeUndefined()
})

test('expects a coupon for as many payments as it applies to', () => {
  const half = termsWith({ coupon_terms: { percent: 50, amount_minor: null, payments: 3 } })
  for (const [n, amount] of [
    [1, 1000],
    [2, 1000],
    [3, 1000],
    [5, 2000],
    [6, 2000],
  ] as const)
    expect(differenceReason(half, payment(n, amount)), `payment ${n}`).toBeUndefined()
  expect(differenceReason(half, payment(6, 1000))).toBe('amount')
  const alwaysDiscounted = termsWith({ coupon_terms: { percent: null, amount_minor: 500, payments: null } })
  expect(differenceReason(alwaysDiscounted, payment(9, 1500))).toBeUndefined()
  expect(differenceReason(alwaysDiscounted, payment(9, 2000))).toBe('amount')
  const free = termsWith({ coupon_terms: { percent: 100, amount_minor: null, payments: 1 } })
  expect(differenceReason(free, payment(1, 0))).toBeUndefined()
  expect(differenceReason(termsWith(), payment(1, 0))).toBe('amount')
})

test('ignores tax and credit at the provider when comparing the plan’s price', () => {
  expect(differenceReason(termsWith(), payment(1, 2380, { billed_minor: 2000 }))).toBeUndefined()
  expect(differenceReason(termsWith(), payment(2, 0, { billed_minor: 2000 }))).toBeUndefined()
  expect(differenceReason(termsWith(), payment(1, 2000, { billed_minor: 1 }))).toBe('amount')
})

const change = { key: 'change-1', due_now_minor: 512, at: START.toISOString() }
const upgrade = (amount_minor: number, fields: Partial<ChargeFact> = {}) =>
  payment(1, amount_minor, {
    ...{ reason: 'upgrade', plan_id: 4, period_start: '2026-02-10T12:00:00Z', period_end: '2026-02-28T18:30:00Z' },
    ...fields,
  })

test('expects the quoted price for the rest of a period on a more expensive plan', () => {
  const paid_until = periodEnd(START, 'month', 1)
  const next = { next_plan_id: 4, next_price_minor: 3000, next_from: new Date('2026-02-10T12:00:00Z'), paid_until }
  const agreedTerms = termsWith({ ...next, pending_change: change })
  expect(differenceReason(agreedTerms, upgrade(512))).toBeUndefined()
  expect(differenceReason(agreedTerms, upgrade(511))).toBe('amount')
  expect(differenceReason(agreedTerms, upgrade(512, { period_end: '2027-02-28T18:30:00Z' }))).toBe('period')
  expect(differenceReason(agreedTerms, upgrade(512, { plan_id: 5 }))).toBe('plan')
  expect(differenceReason(termsWith({ paid_until }), upgrade(512, { plan_id: 3 }))).toBe('plan')
})

test('expects the new price after a change of plan, with or without the coupon', () => {
  const coupon_terms = { percent: 50, amount_minor: null, payments: null }
  const next = { next_plan_id: 4, next_price_minor: 3000, next_from: periodEnd(START, 'month', 2), coupon_terms }
  const paid = (amount: number) => payment(3, amount, { plan_id: 4 })
  expect(differenceReason(termsWith(next), paid(3000))).toBeUndefined()
  expect(differenceReason(termsWith(next), paid(1500))).toBe('amount')
  expect(differenceReason(termsWith({ ...next, next_keeps_coupon: true }), paid(1500))).toBeUndefined()
  // The change may have been approved at PayPal or not: until PayPal confirms it, both prices are expected.
  const pendingChange = termsWith({ ...next, coupon_terms: null, pending_change: change })
  expect(
    [2000, 3000].map((amount) => differenceReason(pendingChange, payment(3, amount, { plan_id: undefined as never }))),
  ).toEqual([undefined, undefined])
  const since = termsWith({ plan_id: 4, price_minor: 3000 }, { agreed_prices: { 3: 2000, 4: 3000 } })
  expect(differenceReason(since, payment(3, 2000))).toBeUndefined()
})
