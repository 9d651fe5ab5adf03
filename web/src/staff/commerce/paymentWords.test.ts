import { expect, test } from 'vitest'
import { gatewayName, isWhole, leftOf, typedAmount, wrongAmount } from './paymentWords.ts'

const payment = { amount: '19.99', refunded: '5.00', currency: 'USD' }

test('what was given back already is not given back again', () => {
  expect(leftOf(payment)).toBe('14.99')
  expect(wrongAmount('14.99', payment)).toBe('')
  expect(wrongAmount('15', payment)).toContain('14.99')
})

test('an amount is a number above zero with at most two decimals; a comma is as good as a point', () => {
  expect(wrongAmount('', payment)).toBe('Enter an amount.')
  for (const typed of ['five', '1.999', '-1', '1 000']) expect(wrongAmount(typed, payment)).toContain('two decimals')
  expect(wrongAmount('0.00', payment)).toBe('Enter an amount above zero.')
  expect(wrongAmount('7,5', payment)).toBe('')
  expect(typedAmount(' 7,5 ')).toBe('7.5')
})

test('a refund is whole where it gives back all that is left', () => {
  expect(isWhole('14.99', payment)).toBe(true)
  expect(isWhole('14.9', payment)).toBe(false)
  expect(isWhole('', payment)).toBe(false)
})

test('a provider is called by its name, one that is not known by its own', () => {
  expect(gatewayName('stripe')).toBe('Stripe')
  expect(gatewayName('another')).toBe('another')
})
