import type { coupons } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { couponEntryOf, couponWish, newCoupon, termsOf, wrongCoupon } from './couponEntry.ts'

const coupon: coupons.Coupon = {
  ...{ coupon_id: 7, code: 'SUMMER', percent: null, amount: '5.00', currency: 'EUR', payments: null, max_uses: 10 },
  ...{ starts_at: null, ends_at: '2026-12-24T18:30:12.345Z', plan_ids: [2], state: 'active', description: '', uses: 0 },
  ...{ discounts: [], promotion: null, version: 3 },
}

test('sends an unchanged coupon as it is stored, to the millisecond', () => {
  const { code, amount, currency, payments, max_uses, starts_at, ends_at, plan_ids } = coupon
  expect(couponWish(couponEntryOf(coupon, 'USD'), coupon)).toEqual({
    ...{
      coupon_id: 7,
      version: 3,
      code,
      percent: null,
      amount,
      currency,
      payments,
      max_uses,
      starts_at,
      ends_at,
      plan_ids,
    },
  })
})

test('sends no amount for a percentage, and all plans when none is chosen', () => {
  expect(termsOf({ ...newCoupon('EUR'), amount: '5' })).toMatchObject({ percent: 20, amount: null, plan_ids: null })
  const amount = { ...newCoupon('EUR'), takes: 'amount' as const, amount: '5' }
  expect(termsOf(amount)).toMatchObject({ percent: null, amount: '5.00', currency: 'EUR' })
})

test('returns errors by field', () => {
  const entry = { ...newCoupon('EUR'), code: 'OK1' }
  expect(wrongCoupon(entry)).toEqual({})
  expect(wrongCoupon({ ...entry, code: 'a b' })).toHaveProperty('code')
  expect(wrongCoupon({ ...entry, percent: '0' })).toHaveProperty('percent')
  expect(wrongCoupon({ ...entry, takes: 'amount', amount: '0.00', currency: 'JPY' })).toMatchObject({
    amount: 'Enter an amount.',
    currency: expect.any(String),
  })
  expect(wrongCoupon({ ...entry, starts_at: '2026-12-24T10:00', ends_at: '2026-12-01T10:00' })).toHaveProperty(
    'ends_at',
  )
})
