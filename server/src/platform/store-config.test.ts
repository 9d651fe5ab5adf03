import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SECRET = 'a secret of at least thirty-two characters'
const SHOPIFY_TOKEN = '0123456789abcdef0123456789abcdef'
const read = (settings: Record<string, string> = {}) => readConfig({ SECRET, ...settings }).store

test('a pool has no Shopify store until both its host and its token are set', () => {
  expect(read()).toBeUndefined()
  expect(() => read({ SHOPIFY_STORE: 'shop.myshopify.com' })).toThrow(
    'SHOPIFY_STORE also requires SHOPIFY_TOKEN. Set both or neither.',
  )
  expect(() => read({ SHOPIFY_TOKEN })).toThrow('SHOPIFY_TOKEN also requires SHOPIFY_STORE. Set both or neither.')
})

test('accepts a host in any notation and only uses https', () => {
  for (const SHOPIFY_STORE of ['shop.myshopify.com', 'https://Shop.myshopify.com/', 'shop.myshopify.com/']) {
    expect(read({ SHOPIFY_STORE, SHOPIFY_TOKEN })).toMatchObject({
      origin: 'https://shop.myshopify.com',
      token: SHOPIFY_TOKEN,
      allowsPrivate: false,
    })
  }
  expect(read({ SHOPIFY_STORE: 'shop.example', SHOPIFY_TOKEN, SHOPIFY_VERSION: '2027-01' })?.version).toBe('2027-01')
})

test.each([
  'http://shop.myshopify.com',
  'localhost',
  '127.0.0.1',
  '[::1]',
  'shop.myshopify.com:8443',
  'shop.myshopify.com/products',
  'user@shop.myshopify.com',
  'shop',
])('refuses to start with the store %s', (SHOPIFY_STORE) => {
  expect(() => read({ SHOPIFY_STORE, SHOPIFY_TOKEN })).toThrow(
    `Invalid SHOPIFY_STORE="${SHOPIFY_STORE}": expected the store’s domain`,
  )
})

test('refuses to start with an Admin API token or an invalid version', () => {
  const SHOPIFY_STORE = 'shop.myshopify.com'
  const admin = 'shpat_0123456789abcdef'
  const start = () => read({ SHOPIFY_STORE, SHOPIFY_TOKEN: admin })
  expect(start).toThrow('not an Admin API token')
  expect(start).not.toThrow(admin)
  expect(() => read({ SHOPIFY_STORE, SHOPIFY_TOKEN, SHOPIFY_VERSION: '2026-13' })).toThrow('SHOPIFY_VERSION="2026-13"')
})
