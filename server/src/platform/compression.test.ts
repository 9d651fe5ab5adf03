import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressReplies, ENCODINGS, MIN_COMPRESSED_BYTES } from './compression.ts'

const SONGS = JSON.stringify(Array.from({ length: 100 }, (_, n) => ({ name: `Song ${n} · é`, bpm: 120 })))

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  compressReplies(app)
  app.get('/songs', (_request, reply) => reply.type('application/json').send(SONGS))
  app.get('/page', (_request, reply) =>
    reply.type('text/html').header('vary', 'origin').header('content-length', SONGS.length).send(SONGS),
  )
  app.get('/short', (_request, reply) => reply.type('text/plain').send('x'.repeat(MIN_COMPRESSED_BYTES - 1)))
  app.get('/picture', (_request, reply) => reply.type('image/webp').send(Buffer.alloc(5000)))
  app.get('/part', (_request, reply) => reply.code(206).type('text/plain').send('x'.repeat(5000)))
  app.get('/unchanged', (_request, reply) =>
    reply.type('text/plain').header('cache-control', 'no-store, no-transform').send('x'.repeat(5000)),
  )
  app.get('/compressed', (_request, reply) =>
    reply
      .type('text/plain')
      .header('content-encoding', 'gzip')
      .send(zlib.gzipSync(Buffer.alloc(9000, SONGS))),
  )
  app.get('/stream', (_request, reply) => reply.type('text/csv').send(Readable.from([SONGS])))
  await app.ready()
})
afterAll(() => app.close())

const get = (url: string, accepted?: string) =>
  app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

const decompress: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: (zlib as unknown as { zstdDecompressSync: (bytes: Buffer) => Buffer }).zstdDecompressSync,
}

test.each(ENCODINGS)('sends %s to a client that accepts it, with the same text inside', async (encoding) => {
  const { headers, rawPayload } = await get('/songs', encoding)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(rawPayload.length).toBeLessThan(SONGS.length / 5)
  expect(decompress[encoding]?.(rawPayload).toString()).toBe(SONGS)
})

test.each([
  ['gzip, deflate, br, zstd', ENCODINGS[0]],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', ENCODINGS[0]],
  ['deflate', undefined],
  ['gzip;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('to a client that sends Accept-Encoding: %s, replies with %s', async (accepted, encoding) => {
  const { headers, body } = await get('/songs', accepted)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers.vary).toBe('accept-encoding')
  if (!encoding) expect(body).toBe(SONGS)
})

test('corrects the length, and keeps what else the reply varies by', async () => {
  const { headers, rawPayload } = await get('/page', 'br')
  expect(headers).toMatchObject({ vary: 'origin, accept-encoding', 'content-length': String(rawPayload.length) })
  expect(zlib.brotliDecompressSync(rawPayload).toString()).toBe(SONGS)
})

test.each(['/short', '/picture', '/part', '/unchanged', '/stream'])('sends %s as it is', async (url) => {
  const [plain, accepting] = [await get(url), await get(url, 'zstd, br, gzip')]
  expect(accepting.headers['content-encoding']).toBeUndefined()
  expect(accepting.rawPayload.equals(plain.rawPayload)).toBe(true)
})

test('does not compress twice', async () => {
  const { rawPayload } = await get('/compressed', 'br')
  expect(zlib.gunzipSync(rawPayload).length).toBe(9000)
})

test('replies to HEAD with the headers of GET', async () => {
  const headers = { 'accept-encoding': 'br' }
  const head = await app.inject({ method: 'HEAD', url: '/songs', headers })
  const got = await app.inject({ url: '/songs', headers })
  expect(head.headers['content-encoding']).toBe('br')
  expect(head.headers['content-length']).toBe(got.headers['content-length'])
})
