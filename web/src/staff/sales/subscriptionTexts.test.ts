import { expect, test } from 'vitest'
import { describeOtherPrices } from './subscriptionTexts.ts'

const price = { price: '15.00', currency: 'USD', interval: 'month' } as const

test('says which subscribers keep their price', () => {
  expect(describeOtherPrices({ agreed: [], subscribers: 0 })).toBe('')
  const one = [{ ...price, subscribers: 1 }]
  expect(describeOtherPrices({ agreed: one, subscribers: 1 })).toBe(
    '1 member on this plan keeps the agreed price: $15.00 every month.',
  )
  expect(describeOtherPrices({ agreed: one, subscribers: 2 })).toBe(
    '2 members on this plan keep the agreed price: $15.00 every month.',
  )
  const two = [...one, { ...price, price: '12.00', subscribers: 2 }]
  expect(describeOtherPrices({ agreed: two, subscribers: 3 })).toBe(
    '3 members on this plan keep their agreed prices: 1 at $15.00 every month, 2 at $12.00 every month.',
  )
})
