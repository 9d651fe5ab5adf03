import { expect, test } from 'vitest'
import { gatewayName, isFullRefund, refundableAmount, refundError } from './refunds.ts'

const payment = { amount: '19.99', refunded: '5.00', currency: 'USD' }

test('refunds at most what has not been refunded yet', () => {
  expect(refundableAmount(payment)).toBe('14.99')
  expect(refundError('14.99', payment)).toBeUndefined()
  expect(refundError('15', payment)).toContain('14.99')
  expect(refundError('0.00', payment)).toBe('Enter an amount above zero.')
})

test('recognises a full refund of the remaining amount', () => {
  expect(isFullRefund('14.99', payment)).toBe(true)
  expect(isFullRefund('14.90', payment)).toBe(false)
  expect(isFullRefund('', payment)).toBe(false)
})

test('names a provider, and shows the id of an unknown one', () => {
  expect(gatewayName('stripe')).toBe('Stripe')
  expect(gatewayName('another')).toBe('another')
})
