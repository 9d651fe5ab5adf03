import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { allRoutes } from '../app.ts'
import { routeGroup } from './request-metrics.ts'

const TOKEN = 'a-token-of-the-metrics-test'
let pool: TestPool
let guarded: TestPool
let port = 0
beforeAll(async () => {
  pool = await openTestPool()
  guarded = await openTestPool({ config: { metricsToken: TOKEN } })
  await pool.app.listen({ host: '127.0.0.1', port: 0 })
  const address = pool.app.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(async () => {
  await Promise.all([pool.close(), guarded.close()])
})

type Inject = { remoteAddress?: string; headers?: Record<string, string> }
const readMetrics = async (options: Inject = {}, of = pool) => {
  const reply = await of.app.inject({ url: '/metrics', ...options })
  return { status: reply.statusCode, hasMetrics: reply.body.includes('dubplate_') }
}
const shown = { status: 200, hasMetrics: true }
const hidden = { status: 404, hasMetrics: false }

test('serves /metrics to a program on this machine', async () => {
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    expect(await readMetrics({ headers: { host } })).toEqual(shown)
  expect(await readMetrics({ remoteAddress: '::1' })).toEqual(shown)
  expect(await readMetrics({ remoteAddress: '::ffff:127.0.0.1' })).toEqual(shown)
})

test('returns 404 to other machines, as for any path that does not exist', async () => {
  for (const remoteAddress of ['203.0.113.9', '172.17.0.1', '10.0.0.4', '2001:db8::1', '::ffff:203.0.113.9'])
    expect(await readMetrics({ remoteAddress })).toEqual(hidden)
  const elsewhere = await pool.app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })
  const unknown = await pool.app.inject({ url: '/api/no-such-call.json', method: 'POST' })
  expect(elsewhere.json().code).toBe(unknown.json().code)
})

test.each([
  ['x-forwarded-for', '203.0.113.9'],
  // A caller behind the trusted proxy may claim any address.
  ['x-forwarded-for', '127.0.0.1'],
  ['forwarded', 'for=127.0.0.1'],
  ['x-real-ip', '127.0.0.1'],
  ['via', '1.1 proxy'],
  ['host', 'pool.example'],
  ['host', 'localhost.pool.example'],
])('does not treat a request through a proxy on this machine as local (%s: %s)', async (name, value) => {
  expect(await readMetrics({ headers: { host: 'localhost:3000', [name]: value } })).toEqual(hidden)
})

/** Returns the first line of the response to a request as nginx sends it without any configured headers. */
function asDefaultNginx(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
    )
    socket.once('data', (data) => {
      socket.destroy()
      resolve(data.toString().split('\r\n')[0] ?? '')
    })
    socket.once('error', reject)
  })
}

test('does not treat nginx as a local program, even if it sends no forwarding headers', async () => {
  expect(await asDefaultNginx()).toContain(' 404 ')
  const direct = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(direct.status).toBe(200)
  await direct.body?.cancel()
})

test('with METRICS_TOKEN only the token gives access to /metrics, from anywhere', async () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  expect(await readMetrics({ ...bearer(TOKEN), remoteAddress: '203.0.113.9' }, guarded)).toEqual(shown)
  expect(await readMetrics(bearer(TOKEN), guarded)).toEqual(shown)
  for (const broken of [{}, bearer('wrong'), bearer(`${TOKEN}x`), { headers: { authorization: TOKEN } }])
    expect(await readMetrics(broken, guarded)).toEqual(hidden)
})

const MAX_CACHED_BYTES = 100_000

test('stays below 100 kB after every endpoint was called', async () => {
  for (const { endpoint } of allRoutes) {
    const { method } = endpoint
    const payload = method === 'POST' ? { payload: {} } : {}
    await pool.app.inject({ method, url: `/api/${endpoint.path}`, ...payload })
  }
  const page = (await pool.app.inject({ url: '/metrics' })).body
  const routes = new Set([...page.matchAll(/^dubplate_route_requests_total\{route="([^"]+)"\}/gm)].map(([, r]) => r))
  expect(routes.size).toBeGreaterThan(250)
  // The size that other status classes would add to the histogram.
  const groups = ['pages', 'staff', 'api', 'health', 'files']
  const perSeries = 9 * 90
  expect(page.length + groups.length * 4 * perSeries).toBeLessThan(MAX_CACHED_BYTES)
})

test.each([
  ['/api/staff/get-jobs', 'staff'],
  ['/api/song/search', 'api'],
  ['/files/:signed/:name', 'files'],
  ['/*', 'pages'],
  ['none', 'pages'],
  ['/readyz', 'health'],
])('counts %s as %s', (route, group) => {
  expect(routeGroup(route)).toBe(group)
})
