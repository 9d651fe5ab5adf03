import { expect, test } from 'vitest'
import { formatDueToday } from './stripeFields.ts'

const dueAmount = (minorUnitsAmount: number, minorUnitsAmountDivisor: number) =>
  formatDueToday({ total: { total: { minorUnitsAmount } }, minorUnitsAmountDivisor })

test('what Stripe takes is said in whole units of its currency, however many parts one has', () => {
  expect(dueAmount(1999, 100)).toBe('19.99')
  expect(dueAmount(500, 1)).toBe('500.00')
  expect(dueAmount(0, 100)).toBe('0.00')
})
