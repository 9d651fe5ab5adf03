import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { invoiceSettingsFor } from './payment-config.ts'

const SECRET = 'x'.repeat(32)
const HERE = { SECRET }
const THERE = { SECRET, PUBLIC_URL: 'https://pool.example' }
const paymentsOf = (env: Record<string, string>) => readConfig(env).payments

test('the sandbox is available on localhost, and elsewhere only if allowed', () => {
  expect(paymentsOf(HERE).gateways).toEqual(['sandbox'])
  expect(paymentsOf(THERE).gateways).toEqual(['manual'])
  expect(() => paymentsOf({ ...THERE, GATEWAYS: 'sandbox' })).toThrow('takes no real payments')
  expect(() => paymentsOf({ ...HERE, NODE_ENV: 'production', GATEWAYS: 'manual,sandbox' })).toThrow(
    'takes no real payments',
  )
  expect(paymentsOf({ ...THERE, GATEWAYS: 'sandbox', SANDBOX_IN_PRODUCTION: 'yes' }).gateways).toEqual(['sandbox'])
})

test('names a gateway and its missing keys', () => {
  expect(() => paymentsOf({ ...THERE, GATEWAYS: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1' })).toThrow(
    'GATEWAYS includes stripe, which also requires STRIPE_WEBHOOK_SECRET.',
  )
  expect(() => paymentsOf({ ...THERE, GATEWAYS: 'paypal' })).toThrow(
    'PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID',
  )
  expect(() => paymentsOf({ ...THERE, GATEWAYS: 'bitcoin' })).toThrow(
    'expected one or more of sandbox, manual, stripe, paypal',
  )
})

test('cards are entered on Stripe’s page, and on a page of the pool only with the publishable key', () => {
  const stripe = { GATEWAYS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const embedded = { ...THERE, ...stripe, STRIPE_CHECKOUT: 'embedded' }
  expect(paymentsOf({ ...THERE, ...stripe }).stripe?.checkout).toBe('redirect')
  expect(() => paymentsOf(embedded)).toThrow('GATEWAYS includes stripe, which also requires STRIPE_PUBLISHABLE_KEY.')
  expect(paymentsOf({ ...embedded, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }).stripe).toMatchObject({
    checkout: 'embedded',
    publishableKey: 'pk_test_1',
  })
  expect(() => paymentsOf({ ...embedded, STRIPE_CHECKOUT: 'elsewhere' })).toThrow('"redirect" or "embedded"')
})

test('the seller on invoices is a name and an address, or the pool', () => {
  expect(invoiceSettingsFor(paymentsOf(HERE).invoice, 'Dubplate').seller).toEqual({
    name: 'Dubplate',
    lines: [],
    tax_number: '',
  })
  const rawSettings = { INVOICE_FROM: 'Night Shift GmbH; Weserstr. 1; 12047 Berlin', INVOICE_TAX_NUMBER: 'DE123' }
  expect(paymentsOf({ ...HERE, ...rawSettings }).invoice.seller).toEqual({
    ...{ name: 'Night Shift GmbH', lines: ['Weserstr. 1', '12047 Berlin'], tax_number: 'DE123' },
  })
})
