import type { coupons } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { agreedWords, limitWords } from './commerceWords.ts'

const price = { price: '15.00', currency: 'USD', interval: 'month' } as const

test('says which subscribers keep their price', () => {
  expect(agreedWords({ agreed: [], subscribers: 0 })).toBe('')
  const one = [{ ...price, subscribers: 1 }]
  expect(agreedWords({ agreed: one, subscribers: 1 })).toBe(
    '1 member on this plan keeps the agreed price: $15.00 every month.',
  )
  expect(agreedWords({ agreed: one, subscribers: 2 })).toBe(
    '2 members on this plan keep the agreed price: $15.00 every month.',
  )
  const two = [...one, { ...price, price: '12.00', subscribers: 2 }]
  expect(agreedWords({ agreed: two, subscribers: 3 })).toBe(
    '3 members on this plan keep their agreed prices: 1 at $15.00 every month, 2 at $12.00 every month.',
  )
})

test('counts the uses of a coupon', () => {
  const limit = (uses: number, max_uses: number | null) =>
    limitWords({ starts_at: null, ends_at: null, max_uses, uses } as coupons.Coupon)
  expect([0, 1, 2].map((uses) => limit(uses, null))).toEqual(['0 uses', '1 use', '2 uses'])
  expect(limit(0, 1)).toBe('0 of 1 use')
  expect(limit(1, 2)).toBe('1 of 2 uses')
})
