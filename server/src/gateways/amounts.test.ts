import { expect, test } from 'vitest'
import { fc } from '../../test/properties.ts'
import { amountOf, type CouponTerms, discountOf, proration, termsOf } from './amounts.ts'
import { toDecimal, toMinor } from './money.ts'

const coupon = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 100 }), amount_minor: fc.constant(null), payments: payments() }),
  fc.record({ percent: fc.constant(null), amount_minor: fc.integer({ min: 1, max: 500_000 }), payments: payments() }),
)
function payments() {
  return fc.option(fc.integer({ min: 1, max: 12 }), { nil: null })
}
const PLAN = { plan_id: 1, title: 'Standard', currency: 'USD', interval: 'month' } as const

test('a discount is never negative and never exceeds the price, for any coupon', { tags: 'property' }, () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), coupon, (amount, terms) => {
      const off = discountOf(amount, terms)
      expect(off).toBeGreaterThanOrEqual(0)
      expect(off).toBeLessThanOrEqual(amount)
      expect(Number.isInteger(off)).toBe(true)
    }),
  )
})

test('rounds a percentage to the nearest cent', () => {
  expect(discountOf(1499, { percent: 20, amount_minor: null, payments: 1 })).toBe(300)
  expect(discountOf(999, { percent: 50, amount_minor: null, payments: 1 })).toBe(500)
  expect(discountOf(1499, { percent: 100, amount_minor: null, payments: 1 })).toBe(1499)
})

test('a fixed discount above the price takes off the whole price', () => {
  expect(discountOf(300, { percent: null, amount_minor: 500, payments: 1 })).toBe(300)
})

const priced = (isNew: boolean, terms?: CouponTerms) =>
  termsOf({ ...PLAN, price_minor: 1499, trial_price_minor: 100 }, { isNew, coupon: terms })

test('the trial price applies to the first payment of a member who never paid', () => {
  expect([1, 2].map((n) => amountOf(priced(true), n).amount_minor)).toEqual([100, 1499])
  expect([1, 2].map((n) => amountOf(priced(false), n).amount_minor)).toEqual([1499, 1499])
})

test('a coupon applies to its number of payments', () => {
  const three = priced(false, { percent: null, amount_minor: 500, payments: 3 })
  expect([1, 2, 3, 4].map((n) => amountOf(three, n))).toEqual([
    { amount_minor: 999, discount_minor: 500 },
    { amount_minor: 999, discount_minor: 500 },
    { amount_minor: 999, discount_minor: 500 },
    { amount_minor: 1499, discount_minor: 0 },
  ])
  const always = priced(true, { percent: 50, amount_minor: null, payments: null })
  expect([1, 2, 40].map((n) => amountOf(always, n).amount_minor)).toEqual([50, 749, 749])
})

test('the rest of a period costs its share of the difference, and nothing at its end', () => {
  const period = { period_start: new Date('2026-11-01'), period_end: new Date('2026-12-01') }
  const dearer = { ...period, from_minor: 1499, to_minor: 2499 }
  expect(proration({ ...dearer, now: new Date('2026-11-01') })).toBe(1000)
  expect(proration({ ...dearer, now: new Date('2026-11-16') })).toBe(500)
  expect(proration({ ...dearer, now: new Date('2026-12-01') })).toBe(0)
  expect(proration({ ...dearer, from_minor: 2499, to_minor: 1499, now: new Date('2026-11-16') })).toBe(0)
})

test('an amount survives formatting and parsing', { tags: 'property' }, () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999 }), (minor) => toMinor(toDecimal(minor)) === minor))
  expect(toDecimal(-5)).toBe('-0.05')
  expect(() => toMinor('1.999')).toThrow('1.999 isn’t a valid amount')
})
