import type { coupons } from '@dubplate/contract'
import { saveCoupon } from '@dubplate/contract/schemas/coupons'
import { expect, test } from 'vitest'
import { newTerms, termsInput, termsOf, validateTerms } from './couponTerms.ts'

const coupon: coupons.Coupon = {
  ...{ coupon_id: 7, code: 'SUMMER', percent: null, amount: '5.00', currency: 'EUR', payments: null, max_uses: 10 },
  ...{ starts_at: null, ends_at: '2026-12-24T18:30:12.345Z', plan_ids: [2], state: 'active', description: '', uses: 0 },
  ...{ discounts: [], promotion: null, version: 3 },
}

test('sends unchanged terms as they are stored, to the millisecond', () => {
  const { percent, amount, currency, payments, max_uses, starts_at, ends_at, plan_ids } = coupon
  const input = { code: 'SUMMER', ...termsInput(termsOf(coupon, 'USD'), coupon) }
  expect(saveCoupon.input.parse(input)).toEqual({
    ...{ code: 'SUMMER', percent, amount, currency, payments, max_uses, starts_at, ends_at, plan_ids },
  })
})

test('sends no amount for a percentage, and all plans when none is chosen', () => {
  expect(termsInput({ ...newTerms('EUR'), amount: '5' })).toMatchObject({ amount: null, plan_ids: null })
  const amount = { ...newTerms('EUR'), discount: 'amount' as const, amount: '5' }
  expect(termsInput(amount)).toMatchObject({ percent: null, amount: '5.00', currency: 'EUR' })
})

test('accepts amounts above zero, currencies with two decimals, and ends after the start', () => {
  const terms = newTerms('EUR')
  expect(validateTerms(terms)).toEqual({})
  expect(validateTerms({ ...terms, discount: 'amount', amount: '0.00', currency: 'JPY' })).toMatchObject({
    amount: 'Enter an amount above zero.',
    currency: expect.any(String),
  })
  const reversed = { ...terms, starts_at: '2026-12-24T10:00', ends_at: '2026-12-01T10:00' }
  expect(validateTerms(reversed)).toHaveProperty('ends_at')
})
