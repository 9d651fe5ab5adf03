import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { reject } from './error-replies.ts'
import { findRemoteIndication, type IncomingCall, rejectRemoteCallers } from './local-only.ts'

const LOCAL = { host: 'localhost:3000' }
const sign = (headers: IncomingCall['headers'], remoteAddress: string | undefined = '127.0.0.1', httpVersion = '1.1') =>
  findRemoteIndication({ headers, httpVersion, socket: { remoteAddress } }, new Set(['pool.local']))

test.each([
  [LOCAL],
  [{ host: '127.0.0.1:3000' }],
  [{ host: '127.8.9.10' }],
  [{ host: '[::1]:3000' }, '::1'],
  [{ host: 'LOCALHOST:5173' }, '::ffff:127.0.0.1'],
  [{ host: 'pool.local:3000' }],
  [{ ...LOCAL, 'x-forwarded-for': '127.0.0.1, ::1', forwarded: 'for="[::1]:4711";host=localhost:3000;proto=http' }],
  [{ ...LOCAL, 'x-forwarded-for': '127.0.0.1:4711', 'x-forwarded-host': 'localhost:5173' }],
  // Links from emails or other sites are allowed.
  [{ ...LOCAL, referer: 'https://mail.example/inbox', 'sec-fetch-site': 'cross-site' }],
  [{ ...LOCAL, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }],
])('accepts %j from this computer', (headers, remoteAddress?: string) => {
  expect(sign(headers as IncomingCall['headers'], remoteAddress)).toBeUndefined()
})

test.each([
  ['host', { host: 'evil.example' }],
  ['host', { host: 'localhost.evil.example' }],
  ['host', { host: 'evil.example@localhost' }],
  ['host', { host: '192.168.1.20:3000' }],
  ['host', {}],
  ['x-forwarded-for', { ...LOCAL, 'x-forwarded-for': '203.0.113.9' }],
  ['x-forwarded-for', { ...LOCAL, 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }],
  ['x-forwarded-for', { ...LOCAL, 'x-forwarded-for': 'unknown' }],
  ['x-real-ip', { ...LOCAL, 'x-real-ip': '2001:db8::9' }],
  ['cf-connecting-ip', { ...LOCAL, 'cf-connecting-ip': '203.0.113.9' }],
  ['x-forwarded-host', { ...LOCAL, 'x-forwarded-host': 'demo.example' }],
  ['forwarded', { ...LOCAL, forwarded: 'for="[2001:db8::9]:4711"' }],
  ['forwarded', { ...LOCAL, forwarded: 'for=_hidden' }],
  ['forwarded', { ...LOCAL, forwarded: 'for=127.0.0.1;host=demo.example' }],
  ['via', { ...LOCAL, via: '1.1 Caddy' }],
  ['origin', { ...LOCAL, origin: 'https://demo.example', 'sec-fetch-site': 'same-origin' }],
  ['origin', { ...LOCAL, referer: 'https://demo.example/home', 'sec-fetch-site': 'same-origin' }],
])('recognises a remote caller by %s: %j', (reason, headers) => {
  expect(sign(headers as IncomingCall['headers'])).toBe(reason)
})

test('recognises a remote caller by the connection, and a proxy that forwards by HTTP/1.0', () => {
  expect(sign(LOCAL, '203.0.113.9')).toBe('address')
  expect(sign(LOCAL, '')).toBe('address')
  expect(sign(LOCAL, '127.0.0.1', '1.0')).toBe('http version')
})

async function appOf(isLocalOnly: boolean) {
  const warnings: unknown[] = []
  const app = Fastify()
  app.setErrorHandler((error, request, reply) => reject(error, request, reply))
  const config = { isLocalOnly, host: 'localhost', publicUrl: 'http://localhost:3000' }
  rejectRemoteCallers(app, config, { warn: (...args: unknown[]) => void warnings.push(args) })
  app.all('/*', async () => 'content')
  return { warnings, ask: (url: string, headers: Record<string, string>) => app.inject({ url, headers }) }
}

test('explains which settings to change, as a page for browsers and as JSON for programs, and logs it once', async () => {
  const { ask: pingDatabase, warnings } = await appOf(true)
  const page = await pingDatabase('/home', { host: 'evil.example', accept: 'text/html,*/*' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([421, 'text/html; charset=utf-8'])
  expect(page.body).toContain('DEMO=on')
  expect(page.body).toContain('PUBLIC_URL=')
  const call = await pingDatabase('/api/site/get-pool.json', { host: 'evil.example', accept: 'text/html,*/*' })
  expect([call.statusCode, call.json().code]).toEqual([421, 'local_only'])
  expect(call.json().message).toContain('set DEMO=on and PUBLIC_URL')
  expect(warnings).toHaveLength(1)
  expect((await pingDatabase('/home', { host: 'localhost:3000' })).body).toBe('content')
})

test('a pool that others may use responds under every host name', async () => {
  const { ask: pingDatabase } = await appOf(false)
  expect((await pingDatabase('/home', { host: 'pool.example', 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(200)
})

const SECRET = 'x'.repeat(32)
test.each([
  [{}, true],
  [{ DEMO: 'on' }, true],
  [{ DEMO: 'off' }, true],
  [{ DEMO: 'off', GATEWAYS: 'sandbox' }, false],
  [{ GATEWAYS: 'sandbox' }, true],
  [{ DEMO: 'off', GATEWAYS: 'manual' }, false],
  [{ PUBLIC_URL: 'https://pool.example' }, false],
  [{ DEMO: 'on', PUBLIC_URL: 'https://pool.example' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }, true],
  [{ DATABASE_URL: 'postgres://database/pool' }, true],
  [{ DATABASE_URL: 'postgres://database/pool', NODE_ENV: 'production' }, false],
])('with the settings %j only this computer is served: %s', (env, isLocalOnly) => {
  expect(readConfig({ SECRET, ...env }).isLocalOnly).toBe(isLocalOnly)
})

test('a public demo accepts test cards, a public pool does not', () => {
  const readGateways = (env: Record<string, string>) => readConfig({ SECRET, ...env }).payments.gateways
  expect(readGateways({ DEMO: 'on', PUBLIC_URL: 'https://pool.example' })).toEqual(['sandbox'])
  expect(readGateways({ PUBLIC_URL: 'https://pool.example' })).toEqual(['manual'])
})
