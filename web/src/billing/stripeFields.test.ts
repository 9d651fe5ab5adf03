import { expect, test } from 'vitest'
import { dueToday } from './stripeFields.ts'

const due = (minorUnitsAmount: number, minorUnitsAmountDivisor: number) =>
  dueToday({ total: { total: { minorUnitsAmount } }, minorUnitsAmountDivisor })

test('what Stripe takes is said in whole units of its currency, however many parts one has', () => {
  expect(due(1999, 100)).toBe('19.99')
  expect(due(500, 1)).toBe('500.00')
  expect(due(0, 100)).toBe('0.00')
})
