import { expect, test } from 'vitest'
import { fc, runCount } from '../../../test/properties.ts'
import { ApiError } from '../../platform/api-error.ts'
import { amountOf, termsOf } from '../amounts.ts'
import { toMinor } from '../money.ts'
import { cyclesOf } from './plans.ts'

const plan = { plan_id: 1, title: 'Pool', currency: 'USD', interval: 'month' as const, price_minor: 2000 }

/** Returns what PayPal bills as payment `n`: each cycle as often as it says, where 0 is without an end. */
function billed(cycles: ReturnType<typeof cyclesOf>, n: number): number {
  let left = n
  for (const { total_cycles, pricing_scheme } of [...cycles].sort((a, b) => a.sequence - b.sequence)) {
    if (total_cycles === 0 || left <= total_cycles) return toMinor(pricing_scheme.fixed_price.value)
    left -= total_cycles
  }
  throw new Error('The cycles have an end.')
}

const coupon = fc.option(
  fc.record({
    percent: fc.integer({ min: 1, max: 99 }),
    amount_minor: fc.constant(null),
    payments: fc.option(fc.integer({ min: 1, max: 14 })),
  }),
  { nil: undefined },
)

test('for any trial price and coupon, PayPal bills what was agreed in at most two trial cycles', {
  tags: 'property',
}, () => {
  const price = fc.integer({ min: 100, max: 30_000 })
  fc.assert(
    fc.property(price, fc.nat(30_000), coupon, fc.integer({ min: 1, max: 30 }), (price_minor, trial, coupon, n) => {
      const terms = termsOf(
        { ...plan, price_minor, trial_price_minor: Math.min(trial, price_minor) },
        { isNew: true, coupon },
      )
      const cycles = cyclesOf(terms)
      expect(billed(cycles, n)).toBe(amountOf(terms, n).amount_minor)
      expect(cycles.filter(({ tenure_type }) => tenure_type === 'TRIAL').length).toBeLessThanOrEqual(2)
      expect(cycles.at(-1)).toMatchObject({ tenure_type: 'REGULAR', total_cycles: 0 })
    }),
    { numRuns: runCount(1000) },
  )
})

test('refuses a plan that is always free, but not one that is free for a while', () => {
  const free = { percent: 100, amount_minor: null, payments: null }
  expect(() => cyclesOf(termsOf({ ...plan, trial_price_minor: 0 }, { isNew: true, coupon: free }))).toThrow(ApiError)
  const twice = { ...free, payments: 2 }
  expect(cyclesOf(termsOf({ ...plan, trial_price_minor: 0 }, { isNew: true, coupon: twice }))).toHaveLength(2)
})
