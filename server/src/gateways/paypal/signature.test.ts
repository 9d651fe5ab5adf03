import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { certificate, signAsPaypal } from '../../../test/paypal-signature.ts'
import { ProviderUnavailableError } from '../gateway.ts'
import { paypalCheck } from './signature.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })

const DAY_MS = 86_400_000
const days = (n: number) => new Date(Date.now() + n * DAY_MS)
const good = certificate(publicKey, privateKey, days(-1), days(365))
const expired = certificate(publicKey, privateKey, days(-30), days(-1))

const LIVE = 'https://api-m.paypal.com'
const CERTIFICATE = 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77'
const raw = Buffer.from('{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED","summary":"déjà payé"}')

type SignatureOptions = { body?: Buffer; webhookId?: string; key?: KeyObject; address?: string }
const headers = ({
  body = raw,
  webhookId = 'WEBHOOK1',
  key = privateKey,
  address = CERTIFICATE,
}: SignatureOptions = {}) => signAsPaypal(body, { webhookId, key, address })

/** Returns a check whose fetch always returns the same certificate. */
function checking(pem = good, api = LIVE) {
  const requestedUrls: string[] = []
  const fetchFrom: typeof fetch = async (address, options) => {
    requestedUrls.push(`${address}`)
    // A redirect by PayPal would be trusted like PayPal itself.
    expect(options?.redirect).toBe('error')
    return new Response(pem)
  }
  const config = { clientId: 'client', secret: 'secret', webhookId: 'WEBHOOK1', api }
  return { check: paypalCheck(config, fetchFrom), requestedUrls }
}

const refused = { code: 'invalid_signature' }

test('accepts what PayPal signed for this webhook, and fetches its certificate once', async () => {
  const { check, requestedUrls } = checking()
  await check(raw, headers())
  await check(raw, headers())
  expect(requestedUrls).toEqual([CERTIFICATE])
})

test('refuses a body that was changed by a single byte', async () => {
  const { check } = checking()
  await expect(check(Buffer.from(raw.toString().replace('WH-1', 'WH-2')), headers())).rejects.toMatchObject(refused)
  await expect(check(Buffer.concat([raw, Buffer.from(' ')]), headers())).rejects.toMatchObject(refused)
})

test('rejects an event signed for another webhook or by another key', async () => {
  const { check } = checking()
  await expect(check(raw, headers({ webhookId: 'WEBHOOK2' }))).rejects.toMatchObject(refused)
  await expect(check(raw, headers({ key: other.privateKey }))).rejects.toMatchObject(refused)
})

test('refuses a changed or missing header', async () => {
  const { check } = checking()
  const all = headers()
  for (const name of Object.keys(all)) {
    await expect(check(raw, { ...all, [name]: undefined }), name).rejects.toMatchObject(refused)
  }
  await expect(check(raw, { ...all, 'paypal-transmission-time': '2026-11-22T12:00:00Z' })).rejects.toMatchObject(
    refused,
  )
  await expect(check(raw, { ...all, 'paypal-auth-algo': 'SHA1withRSA' })).rejects.toMatchObject(refused)
})

test('does not fetch a certificate from anywhere except PayPal’s own path for certificates', async () => {
  const { check, requestedUrls } = checking()
  const path = '/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77'
  const foreignUrls = [
    `https://evil.example${path}`,
    `http://api.paypal.com${path}`,
    `https://api.paypal.com.evil.example${path}`,
    `https://evil.example/?https://api.paypal.com${path}`,
    `https://api.paypal.com@evil.example${path}`,
    `https://api.paypal.com:8443${path}`,
    `https://www.paypal.com${path}`,
    'https://api.paypal.com/v1/notifications/certs/../../other/CERT-1',
    `https://api.sandbox.paypal.com${path}`,
    'api.paypal.com',
    'https://api.paypal.com/v1/notifications/certs/anything-else',
    'https://api.paypal.com/v1/notifications/certs/CERT-1',
  ]
  for (const address of foreignUrls) {
    await expect(check(raw, headers({ address })), address).rejects.toMatchObject(refused)
  }
  expect(requestedUrls).toEqual([])
})

test('certificates of the sandbox are only accepted in the sandbox', async () => {
  const address = CERTIFICATE.replace('api.paypal.com', 'api.sandbox.paypal.com')
  await checking(good, 'https://api-m.sandbox.paypal.com').check(raw, headers({ address }))
  await expect(checking(good, 'https://api-m.sandbox.paypal.com').check(raw, headers())).rejects.toMatchObject(refused)
})

test('refuses an expired or invalid certificate', async () => {
  await expect(checking(expired).check(raw, headers())).rejects.toMatchObject(refused)
  await expect(checking('<html>').check(raw, headers())).rejects.toMatchObject(refused)
})

test('asks for the message again when the certificate cannot be fetched', async () => {
  const config = { clientId: 'client', secret: 'secret', webhookId: 'WEBHOOK1', api: LIVE }
  const unreachableCheck = paypalCheck(config, async () => Promise.reject(new TypeError('fetch failed')))
  await expect(unreachableCheck(raw, headers())).rejects.toThrow(ProviderUnavailableError)
})

test('fetches invented certificate names only a few times a minute, and each one once', async () => {
  const requestedUrls: string[] = []
  const fetchFrom: typeof fetch = async (address) => {
    requestedUrls.push(`${address}`)
    return new Response('no', { status: 404 })
  }
  const check = paypalCheck({ clientId: 'client', secret: 'secret', webhookId: 'WEBHOOK1', api: LIVE }, fetchFrom)
  const fakeCertificateUrl = (n: number) => `${CERTIFICATE.slice(0, -8)}${n.toString(16).padStart(8, '0')}`
  const tell = (n: number) => check(raw, headers({ address: fakeCertificateUrl(n) }))
  await Promise.allSettled([tell(1), tell(1), tell(1)])
  await expect(tell(1)).rejects.toMatchObject(refused)
  expect(requestedUrls).toEqual([fakeCertificateUrl(1)])
  for (let n = 2; n <= 50; n += 1) await tell(n).catch(() => {})
  expect(requestedUrls).toHaveLength(5)
})

test('refuses a malformed signature before anything is fetched', async () => {
  const { check, requestedUrls } = checking()
  await expect(check(raw, { ...headers(), 'paypal-transmission-sig': 'short' })).rejects.toMatchObject(refused)
  await expect(check(raw, { ...headers(), 'paypal-transmission-id': '../x' })).rejects.toMatchObject(refused)
  expect(requestedUrls).toEqual([])
})
