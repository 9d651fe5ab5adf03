import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchExternal, isPublic, lookupPublic } from './external-fetch.ts'

let server: Server
let port = 0
let requestCount = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    requestCount += 1
    if (request.url === '/hangs') return
    if (request.url === '/drips') {
      response.write('a')
      return
    }
    if (request.url === '/large') return response.end(Buffer.alloc(3 * 1024 * 1024))
    if (request.url === '/moved') return response.writeHead(302, { location: '/fine' }).end()
    response.end('fine')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

const fetchLocal = (path: string, within_ms = 5000) =>
  fetchExternal(new URL(`http://127.0.0.1:${port}${path}`), { within_ms, maxBytes: 1024 * 1024, allowsPrivate: true })

test('returns a whole response with its status and does not follow redirects', async () => {
  expect(await fetchLocal('/fine')).toEqual({ status: 200, bytes: Buffer.from('fine') })
  expect((await fetchLocal('/moved')).status).toBe(302)
})

test('gives up on a response that hangs, drips or is too large', async () => {
  await expect(fetchLocal('/hangs', 50)).rejects.toThrow('did not respond within 1 second')
  await expect(fetchLocal('/drips', 50)).rejects.toThrow('did not respond within')
  await expect(fetchLocal('/large')).rejects.toThrow('returned more than 1 MB')
})

test('reports a host that cannot be reached', async () => {
  const unreachable = fetchExternal(new URL('http://127.0.0.1:1/'), {
    within_ms: 5000,
    maxBytes: 1,
    allowsPrivate: true,
  })
  await expect(unreachable).rejects.toThrow('could not be reached (ECONNREFUSED)')
})

test.each([
  'http://shop.example/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://localhost/',
  'https://intranet/',
  'https://shop.example:8443/',
  'https://user@shop.example/',
  'file:///etc/passwd',
])('does not request %s', async (address) => {
  const before = requestCount
  const rejected = fetchExternal(new URL(address), { within_ms: 5000, maxBytes: 1024, allowsPrivate: false })
  await expect(rejected).rejects.toThrow(/^(does not use https|is at an address that is not allowed)$/)
  expect(requestCount).toBe(before)
})

test.each([{ all: true }, { all: false }, {}])(
  'does not connect to a name that resolves to this machine (%j)',
  async (options) => {
    const lookupResult = new Promise((done) =>
      lookupPublic('localhost', options, (error, address) => done(error ?? address)),
    )
    expect(await lookupResult).toMatchObject({ message: 'is at an address that is not allowed' })
  },
)

test('classifies addresses as public or special-purpose', () => {
  const open = ['1.1.1.1', '23.227.38.65', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1']
  expect(open.filter((address) => !isPublic(address))).toEqual([])
  const privateAddresses = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1'],
    ...['2002:7f00:1::', '64:ff9b::7f00:1', '2001::1', 'not an address'],
  ]
  expect(privateAddresses.filter(isPublic)).toEqual([])
})
