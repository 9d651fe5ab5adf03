import { maskitoTransform } from '@maskito/core'
import { expect, test } from 'vitest'
import { cardBrand, ccvLength, ccvMask, expiryMask, numberMask, validateCard } from './card.ts'
import { type CardFields, fieldOfCard } from './cardFields.ts'

const NOW = new Date('2026-11-21T12:00:00')

const GOOD: CardFields = {
  cardholder_name: 'Maya Voss',
  card_number: '4242 4242 4242 4242',
  card_type: 'Visa',
  expire_date: '11/29',
  ccv: '123',
}
const errorsFor = (change: Partial<CardFields>) => validateCard({ ...GOOD, ...change }, NOW)

test('accepts a valid card', () => {
  expect(errorsFor({})).toEqual({})
  expect(errorsFor({ card_number: '3782 822463 10005', card_type: 'Amex', ccv: '1234' })).toEqual({})
  expect(errorsFor({ card_number: '5555 5555 5555 4444', card_type: 'MasterCard' })).toEqual({})
  expect(errorsFor({ card_number: '6011 1111 1111 1117', card_type: 'Discover' })).toEqual({})
})

test('detects the brand from the first digits', () => {
  expect(cardBrand('4242')).toBe('Visa')
  expect(cardBrand('5555')).toBe('MasterCard')
  expect(cardBrand('2221 00')).toBe('MasterCard')
  expect(cardBrand('6011 1')).toBe('Discover')
  expect(cardBrand('37')).toBe('Amex')
  expect(cardBrand('')).toBeUndefined()
  expect(cardBrand('3530 1113')).toBeUndefined()
})

test('groups the number in fours; four, six and five for American Express', () => {
  expect(maskitoTransform('4242424242424242', numberMask)).toBe('4242 4242 4242 4242')
  expect(maskitoTransform('4242-4242-4242-42421', numberMask)).toBe('4242 4242 4242 4242')
  expect(maskitoTransform('378282246310005', numberMask)).toBe('3782 822463 10005')
  expect(maskitoTransform('42a4', numberMask)).toBe('424')
})

test('formats the expiry date as month and year, however it was typed', () => {
  expect(maskitoTransform('1129', expiryMask)).toBe('11/29')
  expect(maskitoTransform('11/2029', expiryMask)).toBe('11/29')
  expect(maskitoTransform('11/29', expiryMask)).toBe('11/29')
})

test('expects a code of three digits, or four for American Express', () => {
  expect(ccvLength('4242')).toBe(3)
  expect(ccvLength('37')).toBe(4)
  expect(maskitoTransform('12345', ccvMask(3))).toBe('123')
  expect(errorsFor({ ccv: '12' }).ccv).toBe('Enter the 3-digit security code (CCV).')
  expect(errorsFor({ card_number: '3782 822463 10005', card_type: 'Amex' }).ccv).toBe(
    'Enter the 4-digit security code (CCV).',
  )
})

test('finds a number that is too short or has a wrong digit', () => {
  const sentence = 'This card number is incomplete or incorrect.'
  expect(errorsFor({ card_number: '4242 4242 4242' }).card_number).toBe(sentence)
  expect(errorsFor({ card_number: '4242 4242 4242 4241' }).card_number).toBe(sentence)
})

test('names a brand that is not accepted', () => {
  expect(errorsFor({ card_number: '3530 1113 3330 0000' }).card_number).toContain(
    'Use Visa, MasterCard, Discover or Amex',
  )
})

test('finds a card type that does not match the number', () => {
  expect(errorsFor({ card_type: 'Discover' }).card_type).toBe(
    'This is a Visa card number. Select Visa as the card type.',
  )
})

test('accepts a card until the end of its month', () => {
  expect(errorsFor({ expire_date: '11/26' }).expire_date).toBeUndefined()
  expect(errorsFor({ expire_date: '10/26' }).expire_date).toBe('This card has expired. Use another card.')
  expect(errorsFor({ expire_date: '12/25' }).expire_date).toBe('This card has expired. Use another card.')
  for (const odd of ['13/29', '00/29', '1/29', '11'])
    expect(errorsFor({ expire_date: odd }).expire_date).toBe('Enter the expiration date as MM/YY.')
})

test('ignores blank fields', () => {
  expect(validateCard({ cardholder_name: '', card_number: '', card_type: '', expire_date: '', ccv: '' }, NOW)).toEqual(
    {},
  )
})

test('maps the paths of a call’s input to the fields of the form', () => {
  expect(fieldOfCard('formData.card_number')).toBe('card_number')
  expect(fieldOfCard('coupon')).toBe('coupon')
})
