import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type BodyWatcher,
  CONNECTION_TIMEOUTS,
  closeSlowBodies,
  IDLE_BODY_MS,
  LINGER_MS,
  MIN_BYTES_PER_WINDOW,
  RATE_WINDOW_MS,
} from './slow-bodies.ts'

let app: FastifyInstance
let watcher: BodyWatcher
let port: number
let answered: string[]
beforeEach(async () => {
  answered = []
  app = Fastify({ ...CONNECTION_TIMEOUTS, bodyLimit: 1 << 20 })
  watcher = closeSlowBodies(app)
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    async (_request: unknown, body: unknown) => body,
  )
  app.post('/', async ({ body }) => {
    answered.push(`${(body as Buffer).length}`)
    return 'thanks'
  })
  app.post('/refused', {
    onRequest: async (_request, reply) => reply.code(403).send('no'),
    handler: async () => 'never',
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as { port: number }).port
})
afterEach(() => app.close())

const LENGTH = 200_000

/** A request that has sent its headers and some bytes of its body, and the server's response. */
async function begin(
  url: string,
  bytes = 10,
): Promise<{ socket: Socket; said: () => string; closed: Promise<unknown> }> {
  const before = watcher.size
  const socket = connect(port, '127.0.0.1')
  let output = ''
  socket.on('data', (data) => {
    output += data
  })
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(
    `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\ncontent-length: ${LENGTH}\r\n\r\n`,
  )
  socket.write(Buffer.alloc(bytes))
  await vi.waitUntil(() => watcher.size > before)
  return { socket, said: () => output, closed }
}

/** Sends more and waits until the server has received it. */
async function send(socket: Socket, bytes: number): Promise<void> {
  const [connection] = await connectionUrls()
  const target = connection!.bytesRead + bytes
  socket.write(Buffer.alloc(bytes))
  await vi.waitUntil(() => connection!.bytesRead >= target)
}

const open = new Set<Socket>()
const connectionUrls = async () => [...open]
beforeEach(() => {
  open.clear()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
})

test('a body without a byte for half a minute ends in 408 and a closed connection', async () => {
  const { said: output, closed } = await begin('/')
  const now = performance.now()
  watcher.check(now)
  watcher.check(now + IDLE_BODY_MS - 1000)
  expect(output()).toBe('')
  watcher.check(now + IDLE_BODY_MS + 1)
  await closed
  expect(output()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
  expect([answered, watcher.size]).toEqual([[], 0])
})

test('closes the connection of a body that trickles for a minute, although bytes keep arriving', async () => {
  const { socket, said: output, closed } = await begin('/')
  const now = performance.now()
  for (let n = 1; n <= 3; n++) {
    await send(socket, 100)
    watcher.check(now + (n * RATE_WINDOW_MS) / 4)
    expect(output()).toBe('')
  }
  await send(socket, 100)
  watcher.check(now + RATE_WINDOW_MS + 1)
  await closed
  expect(output()).toContain('408')
})

test('accepts a slow body with steady progress, however long it takes', async () => {
  const { socket, said: output } = await begin('/', 0)
  const start = performance.now()
  let sent = 0
  for (let minute = 1; sent < LENGTH; minute++) {
    const bytes = Math.min(MIN_BYTES_PER_WINDOW + 1000, LENGTH - sent)
    await send(socket, bytes)
    sent += bytes
    for (const part of [0.4, 0.8, 1.001]) {
      // The slowest accepted connection: something every 24 seconds.
      if (sent < LENGTH) await send(socket, 1).then(() => sent++)
      watcher.check(start + (minute - 1 + part) * RATE_WINDOW_MS)
    }
  }
  await vi.waitUntil(() => output().includes('thanks'))
  expect(answered).toEqual([`${LENGTH}`])
})

test('an error reply reaches the caller, and the connection is closed if the rest of the body does not arrive', async () => {
  const { said: output, closed } = await begin('/refused')
  await vi.waitUntil(() => output().includes('403'))
  const now = performance.now()
  watcher.check(now)
  expect(watcher.size).toBe(1)
  watcher.check(now + LINGER_MS + 1)
  await closed
  expect(output()).not.toContain('408')
})

test('headers have to arrive within 15 seconds', () => {
  expect([app.server.headersTimeout, app.server.requestTimeout, app.server.timeout]).toEqual([15_000, 0, 300_000])
})
