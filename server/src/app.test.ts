import { once } from 'node:events'
import { get } from 'node:http'
import { membership } from '@dubplate/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../test/makers.ts'
import { openTestPool, type TestPool } from '../test/pool.ts'
import { makeApp } from './app.ts'
import type { Config } from './platform/config.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

/** Returns the reply of a separate app with these settings; /who returns the caller's address. */
async function replyOf(config: Partial<Config>, requestOptions: InjectOptions) {
  const app = await makeApp({ ...pool.ctx, config: { ...pool.ctx.config, ...config } })
  app.get('/who', async (request) => request.ip)
  const reply = await app.inject(requestOptions)
  await app.close()
  return reply
}

test.each([
  ['https://pool.example', 'max-age=31536000'],
  ['http://pool.example', undefined],
])('sends HSTS only with an https PUBLIC_URL: %s: %s', async (publicUrl, hsts) => {
  const { headers } = await replyOf({ publicUrl }, { url: '/healthz' })
  expect(headers['strict-transport-security']).toBe(hsts)
  expect(headers['x-frame-options']).toBe('DENY')
})

const CLIENT_ADDRESS = '203.0.113.9'
test.each([
  [['loopback'], '127.0.0.1', `198.51.100.1, ${CLIENT_ADDRESS}`, CLIENT_ADDRESS],
  [['loopback'], '10.0.0.2', CLIENT_ADDRESS, '10.0.0.2'],
  [['10.0.0.0/8'], '10.0.0.2', `198.51.100.1, ${CLIENT_ADDRESS}, 10.0.0.3`, CLIENT_ADDRESS],
  [['10.0.0.2'], '10.0.0.3', CLIENT_ADDRESS, '10.0.0.3'],
  [1, '10.0.0.2', `198.51.100.1, ${CLIENT_ADDRESS}`, CLIENT_ADDRESS],
  [2, '10.0.0.2', `198.51.100.1, ${CLIENT_ADDRESS}, 10.0.0.3`, CLIENT_ADDRESS],
  [['loopback'], '127.0.0.1', `${CLIENT_ADDRESS}:4711`, CLIENT_ADDRESS],
  [['10.0.0.0/8'], '10.0.0.2', `${CLIENT_ADDRESS}:4711, 10.0.0.3:4711`, CLIENT_ADDRESS],
  [['loopback'], '127.0.0.1', '[2001:db8::9]:4711', '2001:db8::9'],
  [['loopback'], '127.0.0.1', '"[2001:db8::9]"', '2001:db8::9'],
  [['loopback'], '127.0.0.1', 'unknown', '127.0.0.1'],
  [['10.0.0.0/8'], '10.0.0.2', '_hidden, 10.0.0.3', '10.0.0.3'],
  [2, '10.0.0.2', 'unknown, 10.0.0.3', '10.0.0.3'],
])('with the proxies %j, a request by %s for %s comes from %s', async (trustProxy, remoteAddress, forwarded, ip) => {
  const headers = { 'x-forwarded-for': forwarded }
  expect((await replyOf({ trustProxy }, { url: '/who', remoteAddress, headers })).body).toBe(ip)
})

test.each([[[]], [['loopback']]])(
  'remembers the address of a caller who has disconnected, trusting %j',
  async (trustProxy) => {
    const app = await makeApp({ ...pool.ctx, config: { ...pool.ctx.config, trustProxy } })
    const requestOptions = new Promise<string>((resolve) => {
      app.get('/who', async (request) => {
        const socketClosed = once(request.raw.socket, 'close')
        pendingRequest.destroy()
        await socketClosed
        resolve(request.ip)
        return ''
      })
    })
    const pendingRequest = get(`${await app.listen({ host: '127.0.0.1', port: 0 })}/who`).on('error', () => {})
    expect(await requestOptions).toBe('127.0.0.1')
    await app.close()
  },
)

test.each([['unknown'], ['203.0.113.9:4711'], ['_hidden'], ['[2001:db8::9]:4711'], ['203.0.113.9, , "'], ['\u00ff']])(
  'signs in a member whose proxy reports the address as %j',
  async (forwarded) => {
    const { email } = await aMember(pool.ctx, { password: 'correct horse battery' })
    const reply = await pool.app.inject({
      method: 'POST',
      url: `/api/${membership.signIn.path}`,
      payload: { email, password: 'correct horse battery' },
      headers: { 'x-forwarded-for': forwarded },
    })
    expect(reply.statusCode).toBe(200)
  },
)

test('a rate limit counts all addresses of one household together', async () => {
  const from = (remoteAddress: string) =>
    pool.app.inject({ method: 'POST', url: `/api/${membership.signIn.path}`, payload: {}, remoteAddress })
  for (let n = 1; n <= 30; n++) expect((await from(`2001:db8:0:1::${n}`)).statusCode).toBe(400)
  expect((await from('2001:db8:0:1:a:b:c:d')).statusCode).toBe(429)
  expect((await from('2001:db8:0:2::1')).statusCode).toBe(400)
})
