import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { catalogue, downloads } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readBucket } from '../src/platform/storage-config.ts'
import { startBucket, type TestBucket } from './bucket.ts'
import { aMember, aSong } from './makers.ts'
import { errorOf, openTestPool, type TestPool } from './pool.ts'

let bucket: TestBucket
let pool: TestPool
let address = ''
beforeAll(async () => {
  bucket = await startBucket()
  pool = await openTestPool({ config: { bucket: readBucket(bucket.settings) } })
  await pool.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(pool.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await pool.close()
  await bucket.close()
})
beforeEach(() => {
  bucket.requests.length = 0
})
afterEach(() => {
  bucket.setUnavailable(false)
  bucket.breakReplies(0, 0)
})

const sendToNext = (url: string, headers: Record<string, string> = {}) =>
  fetch(address + url, { headers, redirect: 'manual' })
const readBytes = async (reply: Response | Promise<Response>) => Buffer.from(await (await reply).arrayBuffer())
const isInProgress = async (customerId: number) => {
  const [row] = await pool.ctx.sql`
    select open_download_id is not null as open, used from download_grant where customer_id = ${customerId}`
  return row
}
const link = async (version: number | undefined, token: string) =>
  (await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)).url
const readPreview = async (entity_id: number) =>
  (await pool.ask(catalogue.getSong, { entity_id })).song.version[0]?.mp3 ?? ''
const isOnDisk = (kind: string) => existsSync(path.join(pool.ctx.config.dataDir, 'media', kind))

/** Noise in a WAV: longer than the buffers in between. */
function randomBytesOf(megabytes: number): Buffer {
  const data = randomBytes(megabytes * 1024 * 1024)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(2, 22)
  head.writeUInt32LE(44_100, 24)
  head.writeUInt32LE(176_400, 28)
  head.writeUInt16LE(4, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

test('a download from the bucket has current tags around the unchanged audio, and can be resumed', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Afterglow', artist: 'Mara Voss' })
  const url = await link(song.versionIds[0], token)
  const whole = await readBytes(sendToNext(url))
  expect((await parseBuffer(whole, { mimeType: 'audio/mpeg' })).common.title).toBe('Afterglow (Clean)')
  const soundBytes = song.files[0]?.bytes.subarray(0, -128) ?? Buffer.alloc(0)
  expect(whole.subarray(-soundBytes.length).equals(soundBytes)).toBe(true)
  await expect.poll(async () => (await isInProgress(customer_id))?.open).toBe(false)
  bucket.requests.length = 0
  const head = await sendToNext(url, { range: 'bytes=0-999' })
  const from = whole.length - 2000
  const rest = await sendToNext(url, { range: `bytes=${from}-`, 'if-range': head.headers.get('etag') ?? '' })
  expect([rest.status, (await readBytes(rest)).equals(whole.subarray(from))]).toEqual([206, true])
  // Only the requested part of the original was fetched; the first 1,000 bytes are all tag.
  const ranges = bucket.requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers.range)
  expect(ranges).toEqual([`bytes=${soundBytes.length - 2000}-${soundBytes.length - 1}`])
  expect([isOnDisk('audio'), isOnDisk('previews')]).toEqual([false, false])
})

test('a zip from the bucket has the announced length, and any range of it is correct', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const zip = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  const whole = await readBytes(sendToNext(zip.url))
  expect(whole).toHaveLength(zip.bytes)
  for (const { bytes } of song.files) expect(whole.includes(bytes.subarray(0, -128))).toBe(true)
  const [from, to] = [10_000, whole.length - 5000]
  expect(
    (await readBytes(sendToNext(zip.url, { range: `bytes=${from}-${to - 1}` }))).equals(whole.subarray(from, to)),
  ).toBe(true)
})

test('previews are sent by the pool, and so are pictures and their other sizes', async () => {
  const song = await aSong(pool.ctx)
  const preview = await sendToNext(await readPreview(song.entity_id), { range: 'bytes=1000-1999' })
  expect([preview.status, (await readBytes(preview)).length]).toEqual([206, 1000])
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#0000ff' } })
  const { sha256 } = await pool.ctx.storage.putBytes('images', await picture.png().toBuffer())
  const shown = await sendToNext(`/images/${sha256}/96.webp`)
  expect([shown.status, (await sharp(await readBytes(shown)).metadata()).width]).toEqual([200, 96])
  expect((await sendToNext(`/images/${'ab'.repeat(32)}/96.webp`)).status).toBe(404)
})

test('a picture deleted by another machine also disappears here', async () => {
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#00ff00' } })
  const { sha256 } = await pool.ctx.storage.putBytes('images', await picture.png().toBuffer())
  const shown = async () => (await sendToNext(`/images/${sha256}/96.webp`)).status
  expect(await shown()).toBe(200)
  await pool.ctx.storage.remove('images', sha256)
  const { now } = pool.ctx
  pool.ctx.now = () => new Date(Date.now() + 11 * 60_000)
  await expect.poll(shown).toBe(404)
  pool.ctx.now = now
})

test('a file missing in the bucket is not counted; an error reading it does not mark it as missing', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const url = await link(song.versionIds[0], token)
  bucket.setUnavailable(true)
  const error = await sendToNext(url)
  expect([error.status, error.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await error.text()).toContain('<h1>Storage is temporarily unavailable</h1>')
  expect(await errorOf(link(song.versionIds[0], token))).toMatchObject({ status: 503, code: 'storage_unavailable' })
  expect(await isInProgress(customer_id)).toEqual({ open: true, used: 1 })
  bucket.setUnavailable(false)
  expect((await pool.ask(catalogue.getSong, { entity_id: song.entity_id })).song.version[0]?.available).toBe(true)
  await pool.ctx.storage.remove('audio', song.files[0]?.sha256 ?? '')
  expect((await sendToNext(url)).status).toBe(404)
  expect(await isInProgress(customer_id)).toEqual({ open: false, used: 0 })
})

test('while the bucket is unavailable everything else works, and the error says so', async () => {
  const song = await aSong(pool.ctx)
  const preview = await readPreview(song.entity_id)
  bucket.setUnavailable(true)
  expect((await pool.ask(catalogue.getSong, { entity_id: song.entity_id })).song.title).toBe(song.title)
  const silent = await sendToNext(preview)
  expect([silent.status, ((await silent.json()) as { code: string }).code]).toEqual([503, 'storage_unavailable'])
  const ready = await sendToNext('/readyz')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', store: 'away' }])
  expect(await (await sendToNext('/metrics')).text()).toContain('dubplate_store_up 0')
})

test('an outage of the bucket interrupts a transfer, which can be resumed without being counted again', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { wavs: [randomBytesOf(8)] })
  const url = await link(song.versionIds[0], token)
  const broken = await sendToNext(url)
  const length = Number(broken.headers.get('content-length'))
  const actual: Uint8Array[] = []
  const reading = async () => {
    for await (const chunk of (broken.body ?? []) as AsyncIterable<Uint8Array>) {
      bucket.setUnavailable(true)
      actual.push(chunk)
    }
  }
  await expect(reading()).rejects.toThrow()
  const part = Buffer.concat(actual)
  expect(part.length).toBeLessThan(length)
  expect(await isInProgress(customer_id)).toEqual({ open: true, used: 1 })
  bucket.setUnavailable(false)
  const rest = await readBytes(sendToNext(url, { range: `bytes=${part.length}-` }))
  expect(Buffer.concat([part, rest]).includes(song.files[0]?.bytes.subarray(44) ?? '')).toBe(true)
  await expect.poll(() => isInProgress(customer_id)).toEqual({ open: false, used: 1 })
})

test('a broken connection to the bucket is not noticed by the downloading client', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { wavs: [randomBytesOf(2)] })
  const url = await link(song.versionIds[0], token)
  bucket.breakReplies(3, 300_000)
  expect((await readBytes(sendToNext(url))).includes(song.files[0]?.bytes.subarray(44) ?? '')).toBe(true)
})

test('a client that disconnects leaves no transfer from the bucket open', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { wavs: [randomBytesOf(16)] })
  const url = await link(song.versionIds[0], token)
  const leaving = new AbortController()
  const reply = await fetch(address + url, { signal: leaving.signal })
  await reply.body?.getReader().read()
  await expect.poll(() => bucket.countActive()).toBe(1)
  leaving.abort()
  await expect.poll(() => bucket.countActive()).toBe(0)
})

test('an unchanged file is downloaded from the bucket directly, with its name, and counted', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Raw', artist: 'Vex' })
  const bytes = song.files[0]?.bytes ?? Buffer.alloc(0)
  const body = { format: 'mp3', ranges: [{ start: 0, end: bytes.length, crc32: 0 }], kept: { kind: 'as_is' } }
  await pool.ctx.sql`update file set body = ${pool.ctx.sql.json(body)} where file_id = ${song.files[0]?.file_id ?? 0}`
  const url = await link(song.versionIds[0], token)
  expect((await sendToNext(url, { range: 'bytes=5-9' })).status).toBe(206)
  expect((await isInProgress(customer_id))?.open).toBe(true)
  const sent = await sendToNext(url)
  expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
  const target = new URL(sent.headers.get('location') ?? '')
  expect(target.origin).toBe(bucket.endpoint)
  expect(target.searchParams.get('response-content-disposition')).toContain('Vex - Raw (Clean).mp3')
  expect(target.searchParams.get('X-Amz-Expires')).toBe('900')
  expect(await isInProgress(customer_id)).toEqual({ open: false, used: 1 })
})

test('does not redirect browsers to a bucket they cannot reach', async () => {
  const STORAGE_URL = bucket.settings.STORAGE_URL.replace('redirect=on', 'redirect=off')
  const inside = await openTestPool({ config: { bucket: readBucket({ ...bucket.settings, STORAGE_URL }) } })
  const { token } = await aMember(inside.ctx)
  const song = await aSong(inside.ctx)
  const bytes = song.files[0]?.bytes ?? Buffer.alloc(0)
  const body = { format: 'mp3', ranges: [{ start: 0, end: bytes.length, crc32: 0 }], kept: { kind: 'as_is' } }
  await inside.ctx.sql`update file set body = ${inside.ctx.sql.json(body)}`
  const { url } = await inside.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)
  const sent = await inside.app.inject({ url })
  expect([sent.statusCode, sent.rawPayload.equals(bytes)]).toEqual([200, true])
  await inside.close()
})
