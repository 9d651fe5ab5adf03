import { expect, test } from 'vitest'
import { fc, runCount } from '../../../test/properties.ts'
import { amountOf, termsOf } from '../amounts.ts'
import type { Terms } from '../gateway.ts'
import { periodEnd } from '../periods.ts'
import { billingOf, trialEnd } from './plans.ts'

const MINUTES_AT_THE_PAGE = 7

const begunAfter = (opened: Date): Date => new Date(opened.getTime() + MINUTES_AT_THE_PAGE * 60_000)

/** Returns what Stripe invoices as payment `n` for these terms, by the rules of its coupons and trials. */
function invoiced(terms: Terms, n: number, opened: Date): number {
  const { coupon, first_line_minor } = billingOf(terms)
  const begun = begunAfter(opened)
  if (first_line_minor !== undefined && n === 1) return first_line_minor
  const paidAt =
    first_line_minor === undefined
      ? n === 1
        ? begun
        : periodEnd(begun, terms.interval, n - 1)
      : n === 2
        ? trialEnd(terms, opened)
        : periodEnd(trialEnd(terms, opened), terms.interval, n - 2)
  const holds =
    coupon?.duration === 'forever' ||
    (coupon?.duration === 'once' && n === 1) ||
    (coupon?.duration === 'repeating' && paidAt < periodEnd(begun, 'month', coupon.months))
  return terms.price_minor - (holds ? (coupon?.amount_off ?? 0) : 0)
}

const money = fc.integer({ min: 1, max: 30_000 })
const coupon = fc.oneof(
  fc.constant(undefined),
  fc.record({
    percent: fc.integer({ min: 1, max: 100 }),
    amount_minor: fc.constant(null),
    payments: fc.option(fc.integer({ min: 1, max: 14 })),
  }),
  fc.record({ percent: fc.constant(null), amount_minor: money, payments: fc.option(fc.integer({ min: 1, max: 14 })) }),
)
const terms = fc
  .record({
    price_minor: money,
    trial_price_minor: fc.integer({ min: 0, max: 30_000 }),
    interval: fc.constantFrom('month' as const, 'year' as const),
    coupon,
  })
  .map(({ coupon, trial_price_minor, ...plan }) =>
    termsOf(
      {
        plan_id: 1,
        title: 'Pool',
        currency: 'USD',
        trial_price_minor: Math.min(trial_price_minor, plan.price_minor),
        ...plan,
      },
      { isNew: true, coupon },
    ),
  )
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2032-12-31'), noInvalidDate: true })

test('for any trial price and coupon, Stripe invoices what was agreed, payment for payment', {
  tags: 'property',
}, () => {
  fc.assert(
    fc.property(terms, moment, fc.integer({ min: 1, max: 30 }), (agreed, opened, n) => {
      // If the member is on Stripe's page at midnight, the subscription starts on another day than the trial was
      // counted from.
      fc.pre(opened.getUTCDate() === begunAfter(opened).getUTCDate())
      expect(invoiced(agreed, n, opened)).toBe(amountOf(agreed, n).amount_minor)
    }),
    { numRuns: runCount(2000) },
  )
})

const plan = { plan_id: 1, title: 'Pool', currency: 'USD', interval: 'month' as const, price_minor: 2000 }

test('a trial price alone is one coupon of the difference, used once', () => {
  const agreed = termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true })
  expect(billingOf(agreed)).toEqual({
    coupon: { amount_off: 1900, duration: 'once', months: 0 },
    first_line_minor: undefined,
  })
})

test('a trial price and a coupon of one payment are combined in one coupon', () => {
  const one = { percent: 50, amount_minor: null, payments: 1 }
  const agreed = termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true, coupon: one })
  expect(billingOf(agreed).coupon).toEqual({ amount_off: 1950, duration: 'once', months: 0 })
})

test('a trial price and a coupon of three payments are a first line, and the coupon for two more months', () => {
  const three = { percent: 50, amount_minor: null, payments: 3 }
  const agreed = termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true, coupon: three })
  expect(billingOf(agreed)).toEqual({
    coupon: { amount_off: 1000, duration: 'repeating', months: 2 },
    first_line_minor: 50,
  })
})
