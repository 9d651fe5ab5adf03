import { expect, test } from 'vitest'
import { describePaymentMethod, methodName } from './paymentMethodTexts.ts'

test('names a card by its brand and last four digits', () => {
  expect(describePaymentMethod({ kind: 'credit_card', brand: 'Visa', last_four: '4242', expires: '12/27' })).toBe(
    'Visa •••• 4242',
  )
})

test('names other methods, and unknown cards, by their kind', () => {
  expect(describePaymentMethod({ kind: 'paypal', brand: '', last_four: '', expires: '' })).toBe('PayPal')
  expect(describePaymentMethod({ kind: 'credit_card', brand: '', last_four: '', expires: '' })).toBe('Card')
})

test('names the kinds in the history, and leaves other names unchanged', () => {
  expect(methodName('bank_transfer')).toBe('Bank transfer')
  expect(methodName('Visa 4242')).toBe('Visa 4242')
})
