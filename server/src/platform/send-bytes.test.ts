import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { sendBytes } from './send-bytes.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

const PIECE = 64 * 1024

async function* zeros(from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += PIECE) yield Buffer.alloc(Math.min(PIECE, to - at))
}

type Read = (from: number, to: number) => AsyncIterable<Uint8Array>

/** A server of `length` zeros, which records how each transfer ended. */
function serve(length: number, { idleMs, read = zeros }: { idleMs?: number; read?: Read } = {}) {
  const sent = vi.fn()
  const ended = vi.fn()
  app = Fastify({ forceCloseConnections: true })
  app.get('/', (request, reply) => {
    reply.raw.on('close', ended)
    const key = { length, etag: '"e"', type: 'audio/mpeg', cacheControl: 'no-cache', read, onEnd: sent }
    return sendBytes(request, reply, key, idleMs)
  })
  return { app, sent, ended }
}

const KB = 1024

test.each([
  [undefined, { from: 0, sent: 1000 * KB }],
  ['bytes=0-', { from: 0, sent: 1000 * KB }],
  [`bytes=${500 * KB}-`, { from: 500 * KB, sent: 500 * KB }],
  ['bytes=-128', { from: 1000 * KB - 128, sent: 128 }],
  [`bytes=0-${999 * KB - 1}`, { from: 0, sent: 999 * KB }],
])('sending %s ends with what was sent', async (range, part) => {
  const { app, sent } = serve(1000 * KB)
  const reply = await app.inject({ method: 'GET', url: '/', headers: range ? { range } : {} })
  expect(reply.statusCode).toBe(range ? 206 : 200)
  await expect.poll(() => sent.mock.calls).toEqual([[{ ...part, isFinished: true }]])
})

test('closes a connection without progress, and not one that is read to its end', async () => {
  const { app, sent, ended } = serve(64 * 1024 * KB, { idleMs: 200 })
  await app.listen({ port: 0, host: 'localhost' })
  const { port } = app.server.address() as AddressInfo
  const begin = async () => {
    const [response] = await once(httpRequest({ host: 'localhost', port, agent: false }).end(), 'response')
    return response as IncomingMessage
  }
  const read = await begin()
  let bytes = 0
  for await (const chunk of read) bytes += (chunk as Buffer).length
  expect(bytes).toBe(64 * 1024 * KB)
  await expect.poll(() => sent.mock.calls).toEqual([[{ from: 0, sent: bytes, isFinished: true }]])
  const stalled = await begin()
  stalled.on('error', () => {})
  await expect.poll(() => ended.mock.calls.length, { timeout: 60_000 }).toBe(2)
  expect(sent.mock.lastCall).toEqual([{ from: 0, sent: expect.any(Number), isFinished: false }])
  stalled.destroy()
})

test('rejects a file that cannot be read at its start, without promising it or counting it as sent', async () => {
  const { app, sent, ended } = serve(1000, {
    read: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(Object.assign(new Error('away'), { statusCode: 503 })),
      }),
    }),
  })
  const reply = await app.inject({ method: 'GET', url: '/' })
  expect([reply.statusCode, reply.headers.etag, reply.json().message]).toEqual([503, undefined, 'away'])
  await expect.poll(() => ended.mock.calls.length).toBe(1)
  expect(sent).not.toHaveBeenCalled()
})

test.each([
  ['fails', new Error('The disk went away.')],
  ['ends early', undefined],
])('reports a transfer whose source %s fails, with the reason', async (_how, failure) => {
  let closed = false
  const { app, sent } = serve(1000 * KB, {
    read: async function* () {
      try {
        yield Buffer.alloc(100 * KB)
        if (failure) throw failure
      } finally {
        closed = true
      }
    },
  })
  await app.listen({ port: 0, host: 'localhost' })
  const { port } = app.server.address() as AddressInfo
  const whole = fetch(`http://localhost:${port}/`).then((reply) => reply.arrayBuffer())
  await expect(whole).rejects.toThrow()
  expect(closed).toBe(true)
  const readError =
    failure ?? expect.objectContaining({ message: expect.stringContaining('Sent 102400 of 1024000 announced bytes') })
  await expect.poll(() => sent.mock.calls).toEqual([[{ from: 0, sent: 100 * KB, isFinished: false, readError }]])
})

test('leaves no source open if the client disconnects during the transfer', async () => {
  const closed = vi.fn()
  const { app, sent } = serve(64 * 1024 * KB, {
    read: async function* (from, to) {
      try {
        yield* zeros(from, to)
      } finally {
        closed()
      }
    },
  })
  await app.listen({ port: 0, host: 'localhost' })
  const { port } = app.server.address() as AddressInfo
  const asking = httpRequest({ host: 'localhost', port, agent: false }).end()
  const [response] = await once(asking, 'response')
  response.on('error', () => {})
  expect(closed).not.toHaveBeenCalled()
  asking.destroy()
  await expect.poll(() => closed.mock.calls.length).toBe(1)
  await expect.poll(() => sent.mock.calls).toEqual([[{ from: 0, sent: expect.any(Number), isFinished: false }]])
})
