import { expect, test } from 'vitest'
import { formatDueToday } from './stripeFields.ts'

const dueAmount = (minorUnitsAmount: number, minorUnitsAmountDivisor: number) =>
  formatDueToday({ total: { total: { minorUnitsAmount } }, minorUnitsAmountDivisor })

test('formats Stripe’s amounts in whole units for currencies with any number of decimals', () => {
  expect(dueAmount(1999, 100)).toBe('19.99')
  expect(dueAmount(500, 1)).toBe('500.00')
  expect(dueAmount(0, 100)).toBe('0.00')
})
