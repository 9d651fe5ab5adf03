import { merchandise } from '@dubplate/contract'
import { expect, test } from 'vitest'
import {
  newProduct,
  type ProductEntry,
  productEntryOf,
  productWish,
  usualCurrency,
  wrongProduct,
} from './productEntry.ts'

const bag: ProductEntry = { ...newProduct('EUR'), title: 'Record bag', url: 'https://store.example/bag', price: '24.5' }

const read: merchandise.StaffProduct = {
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
  expect(productWish(bag, undefined)).toMatchObject({ price_minor: 2450, currency: 'EUR' })
  expect(productWish({ ...bag, price: ' 24,00 ' }, 7)).toMatchObject({ product_id: 7, price_minor: 2400 })
})

test('uses the decimals of the price’s currency', () => {
  expect(productWish({ ...bag, price: '2400', currency: 'JPY' }, undefined).price_minor).toBe(2400)
  expect(wrongProduct({ ...bag, price: '24.5', currency: 'JPY' })).toEqual({
    price: 'Enter a whole number in JPY, such as 2400.',
  })
  expect(productWish({ ...bag, price: '2.4', currency: 'KWD' }, undefined).price_minor).toBe(2400)
  expect(productEntryOf({ ...read, price_minor: 2400, currency: 'JPY' }).price).toBe('2400')
})

test('sends no currency without a price', () => {
  expect(productWish({ ...bag, price: '' }, undefined)).toMatchObject({ price_minor: null, currency: null })
  expect(wrongProduct({ ...bag, price: '', currency: '' })).toEqual({})
})

test('accepts a currency in lower case', () => {
  expect(productWish({ ...bag, currency: ' usd ' }, undefined).currency).toBe('USD')
})

test.each<[string, ProductEntry]>([
  ['a whole product', bag],
  ['one at a path of the pool', { ...bag, url: '/shop/bag' }],
  ['one without a title', { ...bag, title: ' ' }],
  ['one without an address', { ...bag, url: '' }],
  ['one with an address that is none', { ...bag, url: 'store.example/bag' }],
  ['one that runs', { ...bag, url: 'javascript:alert(1)' }],
  ['one whose currency is none', { ...bag, currency: 'euro' }],
])('reports the same error for %s as the API', (_, entry) => {
  const said = merchandise.saveProduct.input.safeParse(productWish(entry, undefined))
  const fields = said.success
    ? {}
    : Object.fromEntries(said.error.issues.map((issue) => [issue.path[0], issue.message]))
  expect(wrongProduct(entry)).toEqual(fields)
})

test('does not send an invalid price', () => {
  expect(wrongProduct({ ...bag, price: 'cheap' })).toHaveProperty('price')
  expect(wrongProduct({ ...bag, price: '24.505' })).toHaveProperty('price')
})

test('sends loaded values back unchanged', () => {
  const { image: _, source: __, ...wish } = read
  expect(productWish(productEntryOf(read), 7)).toEqual(wish)
  expect(usualCurrency([read])).toBe('USD')
  expect(usualCurrency([])).toBe('EUR')
})
