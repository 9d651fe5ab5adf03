import { expect, test } from 'vitest'
import { formatPrice, parsePrice } from './prices.ts'

test.each([
  ['24.0', 'EUR', 2400, '24.00 EUR'],
  ['24', 'USD', 2400, '24.00 USD'],
  ['0.05', 'USD', 5, '0.05 USD'],
  ['0', 'GBP', 0, '0.00 GBP'],
  ['19.990', 'EUR', 1999, '19.99 EUR'],
  ['1500.0', 'JPY', 1500, '1500 JPY'],
  ['12.5', 'KWD', 12500, '12.500 KWD'],
  ['0.005', 'BHD', 5, '0.005 BHD'],
  // 8.2 * 100 is 819.9999999999999.
  ['8.2', 'EUR', 820, '8.20 EUR'],
  ['1.1', 'TND', 1100, '1.100 TND'],
])('%s %s is %i in the smallest unit, formatted as %s', (decimal, currency, minor, words) => {
  expect(parsePrice(decimal, currency)).toBe(minor)
  expect(formatPrice(minor, currency)).toBe(words)
})

test.each([
  ['', 'EUR'],
  ['free', 'EUR'],
  ['-1.00', 'EUR'],
  ['1e3', 'EUR'],
  ['1,50', 'EUR'],
  ['.5', 'EUR'],
  ['24.005', 'EUR'],
  ['1500.5', 'JPY'],
  ['999999999999', 'EUR'],
])('%s %s is not a price', (decimal, currency) => expect(parsePrice(decimal, currency)).toBeUndefined())
