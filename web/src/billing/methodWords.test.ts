import { expect, test } from 'vitest'
import { describePaymentMethod, methodName } from './paymentMethodTexts.ts'

test('a card is named by its brand and its last four digits', () => {
  expect(describePaymentMethod({ kind: 'credit_card', brand: 'Visa', last_four: '4242', expires: '12/27' })).toBe(
    'Visa •••• 4242',
  )
})

test('what is no card, or not known yet, is named by its kind', () => {
  expect(describePaymentMethod({ kind: 'paypal', brand: '', last_four: '', expires: '' })).toBe('PayPal')
  expect(describePaymentMethod({ kind: 'credit_card', brand: '', last_four: '', expires: '' })).toBe('Card')
})

test('the history names a kind, and leaves other words as they came', () => {
  expect(methodName('bank_transfer')).toBe('Bank transfer')
  expect(methodName('Visa 4242')).toBe('Visa 4242')
})
