import type { merchandise } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { inputOf, newProduct, usualCurrency, validatePrice, valuesOf } from './productValues.ts'

const bag = { ...newProduct('EUR'), title: 'Record bag', url: 'https://store.example/bag', price: '24.5' }

const stored: merchandise.StaffProduct = {
  product_id: 7,
  title: 'Slipmat',
  image: '/images/x/320.webp',
  url: '/shop/slipmat',
  price_minor: 1205,
  currency: 'USD',
  is_published: false,
  source: 'staff',
}

test('accepts a price with a point or a comma, and sends it in hundredths', () => {
  expect(inputOf(bag)).toMatchObject({ price_minor: 2450, currency: 'EUR' })
  expect(inputOf({ ...bag, price: ' 24,00 ', product_id: 7 })).toMatchObject({ product_id: 7, price_minor: 2400 })
})

test('uses the decimals of the price’s currency', () => {
  expect(inputOf({ ...bag, price: '2400', currency: 'JPY' }).price_minor).toBe(2400)
  expect(validatePrice({ ...bag, price: '24.5', currency: 'JPY' })).toEqual({
    price: 'Enter a whole number in JPY, such as 2400.',
  })
  expect(inputOf({ ...bag, price: '2.4', currency: 'KWD' }).price_minor).toBe(2400)
  expect(valuesOf({ ...stored, price_minor: 2400, currency: 'JPY' }).price).toBe('2400')
})

test('sends no currency without a price', () => {
  expect(inputOf({ ...bag, price: '' })).toMatchObject({ price_minor: null, currency: null })
})

test('accepts a currency in lower case', () => {
  expect(inputOf({ ...bag, currency: ' usd ' }).currency).toBe('USD')
})

test('refuses a price that is none, or that has too many decimals', () => {
  expect(validatePrice({ ...bag, price: 'cheap' })).toHaveProperty('price')
  expect(validatePrice({ ...bag, price: '24.505' })).toHaveProperty('price')
  expect(validatePrice(bag)).toEqual({})
})

test('sends loaded values back unchanged', () => {
  const { image: _, source: __, ...input } = stored
  expect(inputOf(valuesOf(stored))).toEqual(input)
  expect(usualCurrency([stored])).toBe('USD')
  expect(usualCurrency([])).toBe('EUR')
})
