import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { fc } from '../../test/properties.ts'
import { ConfigError, readConfig } from './config.ts'
import { readRangeHeader } from './send-bytes.ts'
import { SharedReplies } from './shared-replies.ts'
import { createSigning } from './signing.ts'

const secret = 'a secret of at least thirty-two characters'
afterEach(() => vi.useRealTimers())

test('names an invalid setting and the expected value', () => {
  expect(() => readConfig({ PORT: 'eighty', SECRET: secret })).toThrow(
    'Invalid PORT="eighty": expected a port number from 0 to 65535.',
  )
  expect(() => readConfig({ DATABASE_URL: 'mysql://x', SECRET: secret })).toThrow(ConfigError)
  expect(() => readConfig({ STORE_URL: 'javascript:alert(1)', SECRET: secret })).toThrow(/full URL of the store/)
  expect(() => readConfig({ SECRET: 'short' })).toThrow(/at least 32 random characters/)
})

test('single sign-on needs all of its settings or none', () => {
  const whole = {
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'pool',
    OIDC_CLIENT_SECRET: 'kept between us',
    OIDC_NAME: 'Night Shift',
  }
  expect(readConfig({ SECRET: secret }).oidc).toBeUndefined()
  expect(readConfig({ SECRET: secret, ...whole }).oidc).toEqual({
    issuer: 'https://id.example',
    clientId: 'pool',
    clientSecret: 'kept between us',
    name: 'Night Shift',
  })
  expect(() => readConfig({ SECRET: secret, ...whole, OIDC_CLIENT_SECRET: '' })).toThrow(
    'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME also requires OIDC_CLIENT_SECRET. Set all of them or none.',
  )
  for (const issuer of ['http://id.example', 'id.example', 'javascript:alert(1)']) {
    expect(() => readConfig({ SECRET: secret, ...whole, OIDC_ISSUER: issuer })).toThrow(
      /Invalid OIDC_ISSUER=.*https URL/,
    )
  }
  expect(readConfig({ SECRET: secret, ...whole, OIDC_ISSUER: 'http://127.0.0.1:9000' }).oidc?.issuer).toBe(
    'http://127.0.0.1:9000',
  )
  expect(() => readConfig({ SECRET: secret, STAFF_TWO_STEP: 'yes' })).toThrow(/"optional" or "required"/)
})

test('trusted proxies are addresses, networks or a number', () => {
  const readTrusted = (TRUST_PROXY?: string) => readConfig({ SECRET: secret, TRUST_PROXY }).trustProxy
  expect(readTrusted()).toEqual(['loopback'])
  expect(readTrusted('10.0.0.2, 192.168.0.0/16,fd00::/8')).toEqual(['10.0.0.2', '192.168.0.0/16', 'fd00::/8'])
  expect(readTrusted('loopback,uniquelocal')).toEqual(['loopback', 'uniquelocal'])
  expect(readTrusted('2')).toBe(2)
  for (const broken of ['0', '10', 'true', 'proxy.example', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.2,', '1/2/3']) {
    expect(() => readTrusted(broken)).toThrow(`Invalid TRUST_PROXY="${broken}": expected IP addresses or networks`)
  }
})

test('a missing or empty setting has its default', () => {
  expect(readConfig({ PORT: '', SECRET: secret })).toMatchObject({
    port: 3000,
    host: 'localhost',
    settings: { publicBrowsing: true, downloadLimit: 2, uploadDays: 90 },
  })
})

test('the URL of a pool on IPv6 can be opened by a browser', () => {
  expect(readConfig({ HOST: '::1', SECRET: secret }).publicUrl).toBe('http://[::1]:3000')
})

test('creates a secret once, keeps it, and makes it readable by its owner only', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-config-'))
  const first = readConfig({ DATA_DIR: folder }).secret
  expect(first.length).toBeGreaterThan(40)
  expect(readConfig({ DATA_DIR: folder }).secret).toBe(first)
  expect(statSync(path.join(folder, 'secret')).mode & 0o077).toBe(0)
  rmSync(folder, { recursive: true })
})

test('a signed value can be opened until it expires; other texts cannot', { tags: 'property' }, () => {
  const signing = createSigning(secret)
  const now = new Date('2026-11-21T12:00:00Z')
  const signed = signing.sign('file', [7, 'x'], new Date('2026-11-21T13:00:00Z'))
  expect(signing.open('file', signed, now)).toEqual(['7', 'x'])
  expect(() => signing.open('bundle', signed, now)).toThrow('modified')
  expect(() => signing.open('file', signed, new Date('2026-11-21T13:00:02Z'))).toThrow('expired')
  expect(() => createSigning(`${secret}!`).open('file', signed, now)).toThrow('modified')
  fc.assert(
    fc.property(fc.nat(signed.length - 1), fc.constantFrom('0', 'A', '_', '.'), (at, email) => {
      fc.pre(signed[at] !== email)
      expect(() => signing.open('file', signed.slice(0, at) + email + signed.slice(at + 1), now)).toThrow()
    }),
  )
})

test.each([
  ['bytes=0-99', { from: 0, to: 100 }],
  ['bytes=990-', { from: 990, to: 1000 }],
  ['bytes=-10', { from: 990, to: 1000 }],
  ['bytes=0-5000', { from: 0, to: 1000 }],
  ['bytes=1000-', null],
  ['bytes=-0', null],
  ['bytes=0-9,20-29', undefined],
  ['lines=1-2', undefined],
  [undefined, undefined],
])('of 1,000 bytes, the range %s is %o', (header, part) => {
  expect(readRangeHeader(header, 1000)).toEqual(part)
})

test('renders a shared reply once for concurrent requests, and does not cache a failure', async () => {
  const replies = new SharedReplies()
  let rendered = 0
  const render = async () => Buffer.from(`reply ${++rendered}`)
  const both = await Promise.all([replies.getOrRender('a', render), replies.getOrRender('a', render)])
  expect(both.map((reply) => String(reply.bytes))).toEqual(['reply 1', 'reply 1'])
  expect(String((await replies.getOrRender('another', render)).bytes)).toBe('reply 2')
  await expect(replies.getOrRender('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(String((await replies.getOrRender('b', render)).bytes)).toBe('reply 3')
})

test('drops expired replies when another one is rendered', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const replies = new SharedReplies()
  const render = async () => Buffer.from('reply')
  for (const key of ['a', 'b']) await replies.getOrRender(key, render)
  vi.advanceTimersByTime(600)
  await replies.getOrRender('c', render)
  expect(replies.size).toBe(3)
  vi.advanceTimersByTime(600)
  await replies.getOrRender('d', render)
  expect(replies.size).toBe(2)
})

test('renders a reply that never changes once, and again only after a failure', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const replies = new SharedReplies()
  let rendered = 0
  const render = async () => Buffer.from(`reply ${++rendered}`)
  await expect(replies.getConstant('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  const first = await replies.getConstant('a', render)
  vi.advanceTimersByTime(3_600_000)
  await replies.getOrRender('another', render)
  expect(await replies.getConstant('a', render)).toBe(first)
  expect(String(first.bytes)).toBe('reply 1')
})

test('counts the size of requests like that of replies: long requests evict the oldest reply', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const replies = new SharedReplies()
  let rendered = 0
  const callFrom = (n: number) =>
    replies.getOrRender(`${n} ${'q'.repeat(1 << 20)}`, async () => Buffer.from(String(++rendered)))
  for (let n = 0; n < 20; n++) await callFrom(n)
  await callFrom(19)
  expect(rendered).toBe(20)
  await callFrom(0)
  expect(rendered).toBe(21)
})
