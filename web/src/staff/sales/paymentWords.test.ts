import { expect, test } from 'vitest'
import { gatewayName, isWhole, leftOf, typedAmount, wrongAmount } from './paymentWords.ts'

const payment = { amount: '19.99', refunded: '5.00', currency: 'USD' }

test('leaves out what has already been refunded', () => {
  expect(leftOf(payment)).toBe('14.99')
  expect(wrongAmount('14.99', payment)).toBe('')
  expect(wrongAmount('15', payment)).toContain('14.99')
})

test('accepts an amount above zero with at most two decimals, with a point or a comma', () => {
  expect(wrongAmount('', payment)).toBe('Enter an amount.')
  for (const typed of ['five', '1.999', '-1', '1 000']) expect(wrongAmount(typed, payment)).toContain('two decimals')
  expect(wrongAmount('0.00', payment)).toBe('Enter an amount above zero.')
  expect(wrongAmount('7,5', payment)).toBe('')
  expect(typedAmount(' 7,5 ')).toBe('7.5')
})

test('recognises a full refund of the remaining amount', () => {
  expect(isWhole('14.99', payment)).toBe(true)
  expect(isWhole('14.9', payment)).toBe(false)
  expect(isWhole('', payment)).toBe(false)
})

test('names a provider, and shows the id of an unknown one', () => {
  expect(gatewayName('stripe')).toBe('Stripe')
  expect(gatewayName('another')).toBe('another')
})
