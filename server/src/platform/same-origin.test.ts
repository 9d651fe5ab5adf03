import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { publicUrl: 'https://pool.example' } })
})
afterAll(() => pool.close())

const sendChange = (headers: Record<string, string>, url = '/api/song/get-new-release.json') =>
  pool.app.inject({ method: 'POST', url, payload: {}, headers: { host: '10.0.0.7:3000', ...headers } })

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another host of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://pool.example' }],
  ['an origin that is neither host nor public address', { origin: 'https://evil.example' }],
  ['an origin that only begins like it', { origin: 'https://pool.example.evil.test' }],
  ['another port', { origin: 'http://10.0.0.7:8080' }],
  ['a page without an origin', { origin: 'null' }],
])('refuses a change from %s', async (_what, headers) => {
  const response = await sendChange(headers as Record<string, string>)
  expect([response.statusCode, response.json().code]).toEqual([403, 'cross_origin_request'])
})

test.each([
  ['a program that is not a browser', {}],
  ['the page at the requested host', { origin: 'http://10.0.0.7:3000' }],
  ['the page at the public address', { origin: 'https://pool.example', 'sec-fetch-site': 'same-origin' }],
  ['a page that sends no origin to its own server', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
])('accepts a change from %s', async (_what, headers) => {
  expect((await sendChange(headers as Record<string, string>)).statusCode).toBe(200)
})

test('also refuses a request with an escaped path', async () => {
  const response = await sendChange({ 'sec-fetch-site': 'cross-site' }, '/%61pi/song/get-new-release.json')
  expect(response.statusCode).not.toBe(200)
})

test('accepts a read from another site', async () => {
  const response = await pool.app.inject({ url: '/healthz', headers: { 'sec-fetch-site': 'cross-site' } })
  expect(response.statusCode).toBe(200)
})

test('every reply has security headers, which forbid other sites to embed the page', async () => {
  const { headers } = await sendChange({})
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  expect(headers['permissions-policy']).toContain('camera=()')
})
