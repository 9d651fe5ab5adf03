import { readFileSync } from 'node:fs'
import { readdir, rm, stat, truncate, utimes } from 'node:fs/promises'
import path from 'node:path'
import { downloads } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeWav } from '../../test/audio-files.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { storedFilePath } from '../../test/stored-file.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { makeApp } from '../app.ts'
import { StorageUnavailableError } from '../platform/storage.ts'
import { createTaggedCopies, sweepTaggedCopies, taggedFolder } from './tagged-copies.ts'
import { sweepTransferReports, TRANSFER_REPORT_PATH } from './transfer-reports.ts'
import { closeSentTransfers } from './transfers.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { sendfile: 'nginx' } })
})
afterAll(() => pool.close())

const OFFER = { 'x-sendfile-type': 'X-Accel-Redirect' }
const VISITOR = { 'x-forwarded-for': '203.0.113.7' }

/** A request as nginx passes it on from a visitor. */
const get = (url: string, headers: Record<string, string> = {}, from = pool.app) =>
  from.inject({ method: 'GET', url, headers: { ...OFFER, ...VISITOR, ...headers }, remoteAddress: '127.0.0.1' })

const link = async (version: number | undefined, token: string) =>
  (await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)).url

/** A song whose file was requested before, so that the next request finds a copy. */
async function aRequestedSong(overrides: Parameters<typeof aSong>[1] = {}) {
  const song = await aSong(pool.ctx, overrides)
  const version = song.versionIds[0]
  const staff = await aMember(pool.ctx, { staff_role: 'admin' })
  const bytes = (await get(await link(version, staff.token))).rawPayload
  expect(bytes.length).toBeGreaterThan(0)
  return { ...song, version, bytes, staff }
}

const mediaFile = (location: unknown, prefix: string): Buffer =>
  readFileSync(path.join(pool.ctx.config.dataDir, 'media', String(location).slice(prefix.length)))

const DOWNLOADS = '/_dubplate/downloads/'

async function readTransfer(customer_id: number) {
  const [transfer] = await pool.ctx.sql<
    { sent_bytes: number; bytes: number; open_download_id: number | null; used: number; reports: number }[]
  >`
    select t.sent_bytes, t.bytes, g.open_download_id, g.used, (select count(*)::int from transfer_report
      join download_link using (link_id) where transfer_id = t.transfer_id) as reports
    from download_transfer t join download d using (download_id)
      join download_grant g on g.customer_id = t.customer_id and g.song_version_id = d.song_version_id
    where t.customer_id = ${customer_id} order by t.transfer_id desc limit 1`
  return transfer
}

type Report = { sent: number; status?: string; completion?: string }

/** The report that nginx makes at the end of a transfer. */
const report = (
  transfer: unknown,
  { sent, status = '200', completion = 'OK' }: Report,
  { headers = {}, remoteAddress = '127.0.0.1' }: { headers?: Record<string, string>; remoteAddress?: string } = {},
) =>
  pool.app.inject({
    method: 'POST',
    url: TRANSFER_REPORT_PATH,
    remoteAddress,
    headers: {
      'x-transfer': String(transfer),
      'x-transfer-bytes': String(sent),
      'x-transfer-status': status,
      'x-transfer-completion': completion,
      ...headers,
    },
  })

test('the second request for a file is answered with a copy of exactly its bytes, for nginx to send', async () => {
  const { version, bytes } = await aRequestedSong()
  const { token } = await aMember(pool.ctx)
  const reply = await get(await link(version, token))
  expect([reply.statusCode, reply.rawPayload.length]).toEqual([200, 0])
  expect(reply.headers).toMatchObject({ 'content-type': 'audio/mpeg', 'cache-control': 'private, no-cache' })
  expect(reply.headers.etag).toMatch(/^"[\w-]{27}"$/)
  expect(reply.headers['accept-ranges']).toBeUndefined()
  expect(mediaFile(reply.headers['x-accel-redirect'], DOWNLOADS).equals(bytes)).toBe(true)
})

test('a stored file that is sent unchanged needs no copy', async () => {
  const song = await aSong(pool.ctx)
  const [file] = song.files
  await pool.ctx.sql`update file set body = ${pool.ctx.sql.json({
    format: 'mp3',
    ranges: [{ start: 0, end: file?.bytes.length ?? 0, crc32: 0 }],
    kept: { kind: 'as_is' },
  })} where file_id = ${file?.file_id ?? 0}`
  const { token } = await aMember(pool.ctx)
  const reply = await get(await link(song.versionIds[0], token))
  expect(mediaFile(reply.headers['x-accel-redirect'], DOWNLOADS).equals(file?.bytes ?? Buffer.alloc(0))).toBe(true)
  expect(reply.headers['x-accel-redirect']).toContain('/audio/')
})

test.each([
  ['no offer', { 'x-sendfile-type': '' }, '127.0.0.1'],
  ['the offer of another front server', { 'x-sendfile-type': 'X-Sendfile' }, '127.0.0.1'],
  ['an offer without a visitor’s address', { 'x-forwarded-for': '' }, '127.0.0.1'],
  ['an offer by a visitor who connects directly', {}, '203.0.113.7'],
])('sends the file itself after %s', async (_name, headers, remoteAddress) => {
  const { version, bytes } = await aRequestedSong()
  const { token } = await aMember(pool.ctx)
  const url = await link(version, token)
  const all: Record<string, string> = { ...OFFER, ...VISITOR, ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  const reply = await pool.app.inject({ method: 'GET', url, headers: sent, remoteAddress })
  expect(reply.headers['x-accel-redirect']).toBeUndefined()
  expect(reply.rawPayload.equals(bytes)).toBe(true)
})

test.each<Record<string, string>>([
  { range: 'bytes=0-1,5-9' },
  { range: 'bytes= 0-9' },
  { 'if-match': '"other"' },
  { 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-9', 'if-range': 'Sun, 06 Nov 1994 08:49:37 GMT' },
])('sends the file itself if nginx would answer %j in another way', async (headers) => {
  const { version, bytes } = await aRequestedSong()
  const { token } = await aMember(pool.ctx)
  const reply = await get(await link(version, token), headers)
  expect([reply.statusCode, reply.rawPayload.equals(bytes)]).toEqual([200, true])
})

describe('counting', () => {
  async function aTransfer(headers: Record<string, string> = {}) {
    const { version, bytes } = await aRequestedSong()
    const member = await aMember(pool.ctx)
    const url = await link(version, member.token)
    const reply = await get(url, headers)
    expect(reply.headers['x-accel-redirect']).toContain(DOWNLOADS)
    return { ...member, url, version, length: bytes.length, transfer: reply.headers['x-transfer'] }
  }

  test('completes a download whose every byte was reported as sent, and no second report changes it', async () => {
    const { customer_id, length, transfer } = await aTransfer()
    expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: length, reports: 1 })
    expect((await report(transfer, { sent: length })).statusCode).toBe(204)
    const ended = { sent_bytes: length, reports: 0, open_download_id: null, used: 1 }
    expect(await readTransfer(customer_id)).toMatchObject(ended)
    await report(transfer, { sent: 0, completion: '' })
    expect(await readTransfer(customer_id)).toMatchObject(ended)
  })

  test('releases what was not sent of an interrupted transfer, which can be continued', async () => {
    const { customer_id, length, transfer, url } = await aTransfer()
    await report(transfer, { sent: 1000, completion: '' })
    expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: 1000, reports: 0 })
    expect((await readTransfer(customer_id))?.open_download_id).not.toBeNull()
    const rest = await get(url, { range: 'bytes=1000-' })
    await report(rest.headers['x-transfer'], { sent: length - 1000, status: '206' })
    expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: length, open_download_id: null })
  })

  test('does not count an error page of nginx as the file', async () => {
    const { customer_id, transfer } = await aTransfer()
    await report(transfer, { sent: 500, status: '502' })
    expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: 0, reports: 0 })
  })

  test('without a report, the download stays in progress for a day, and one more copy is sent and counted', async () => {
    const { customer_id, length, token, version } = await aTransfer()
    const { sql } = pool.ctx
    await sql`update download_transfer set sent_at = now() - interval '2 hours' where customer_id = ${customer_id}`
    await closeSentTransfers(pool.ctx)
    expect((await readTransfer(customer_id))?.open_download_id).not.toBeNull()
    // The lost transfer may still be running, so this process sends and counts the second one.
    const again = await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)
    expect(again.used).toBe(1)
    const second = await get(again.url)
    expect([second.headers['x-accel-redirect'], second.rawPayload.length]).toEqual([undefined, length])
    await waitUntil(async () =>
      expect(await readTransfer(customer_id)).toMatchObject({
        sent_bytes: 2 * length,
        open_download_id: null,
        used: 1,
      }),
    )
  })

  test('forgets a transfer that was not reported within a day, and logs it', async () => {
    const { customer_id, transfer } = await aTransfer()
    const { sql } = pool.ctx
    const warn = vi.spyOn(pool.ctx.log, 'warn')
    await sweepTransferReports(pool.ctx)
    expect(await readTransfer(customer_id)).toMatchObject({ reports: 1 })
    await sql`update transfer_report set created_at = created_at - interval '25 hours'`
    await sweepTransferReports(pool.ctx)
    expect(warn).toHaveBeenCalledWith(
      { transfers: expect.any(Number) },
      expect.stringContaining('nginx did not report the end of some downloads'),
    )
    const before = await readTransfer(customer_id)
    expect(before).toMatchObject({ reports: 0 })
    await report(transfer, { sent: 0 })
    expect(await readTransfer(customer_id)).toEqual(before)
  })

  test('sends a file itself that nginx could not read, counts it once and logs why', async () => {
    const error = vi.spyOn(pool.ctx.log, 'error')
    const { customer_id, length, transfer, url } = await aTransfer()
    const reply = await get(url, { 'x-sendfile-failed': String(transfer) })
    expect([reply.headers['x-accel-redirect'], reply.rawPayload.length]).toEqual([undefined, length])
    await waitUntil(async () =>
      expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: length, reports: 0, open_download_id: null }),
    )
    expect(error).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: expect.stringContaining('read access') }) },
      'The front server cannot read DATA_DIR/media, so this process sends the files.',
    )
  })

  test('does not send more than twice the length', async () => {
    const { length, transfer, url } = await aTransfer()
    await report(transfer, { sent: length })
    const second = await get(url)
    await report(second.headers['x-transfer'], { sent: length })
    expect((await get(url)).statusCode).toBe(410)
  })
})

describe('a report', () => {
  test.each([
    ['a visitor through nginx', { headers: VISITOR }],
    ['a visitor through another proxy', { headers: { forwarded: 'for=203.0.113.7' } }],
    ['a computer that is not a trusted proxy', { remoteAddress: '203.0.113.7' }],
  ])('is not accepted from %s', async (_name, origin) => {
    const { version, bytes } = await aRequestedSong()
    const { customer_id, token } = await aMember(pool.ctx)
    const { headers } = await get(await link(version, token))
    const before = await readTransfer(customer_id)
    expect((await report(headers['x-transfer'], { sent: bytes.length }, origin)).statusCode).toBe(404)
    expect(await readTransfer(customer_id)).toEqual(before)
  })

  test('is not accepted with a changed token, a link, or without either', async () => {
    const { version, bytes } = await aRequestedSong()
    const { customer_id, token } = await aMember(pool.ctx)
    const url = await link(version, token)
    const { headers } = await get(url)
    const before = await readTransfer(customer_id)
    const [id = '', ...rest] = String(headers['x-transfer']).split('.')
    for (const forged of [[Number(id) + 1, ...rest].join('.'), url.split('/')[2], '', 'undefined'])
      expect((await report(forged, { sent: bytes.length })).json()).toMatchObject({ code: 'invalid_link' })
    expect(await readTransfer(customer_id)).toEqual(before)
  })

  test('counts no negative, no broken and no larger number of bytes', async () => {
    for (const [sent, counted] of [
      [-5, 0],
      [Number.NaN, 0],
      [1e12, 1],
    ] as const) {
      const { version, bytes } = await aRequestedSong()
      const { customer_id, token } = await aMember(pool.ctx)
      const { headers } = await get(await link(version, token))
      await report(headers['x-transfer'], { sent, completion: '' })
      expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: counted * bytes.length })
    }
  })

  test('has no endpoint without SENDFILE=nginx', async () => {
    for (const sendfile of ['off', 'apache'] as const) {
      const app = await makeApp({ ...pool.ctx, config: { ...pool.ctx.config, sendfile } })
      const reply = await app.inject({ method: 'POST', url: TRANSFER_REPORT_PATH })
      expect(reply.statusCode).toBe(404)
      await app.close()
    }
  })
})

test('with Apache, a whole file is complete when it begins, and parts are sent by this process', async () => {
  const { version, bytes } = await aRequestedSong()
  const app = await makeApp({ ...pool.ctx, config: { ...pool.ctx.config, sendfile: 'apache' } })
  const offer = { 'x-sendfile-type': 'X-Sendfile' }
  const { customer_id, token } = await aMember(pool.ctx)
  const url = await link(version, token)
  const part = await get(url, { ...offer, range: 'bytes=0-9' }, app)
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10])
  // Another process, which has not seen the first request.
  const first = await get(url, offer, app)
  expect(readFileSync(String(first.headers['x-sendfile'])).equals(bytes)).toBe(true)
  expect(await readTransfer(customer_id)).toMatchObject({ reports: 0, open_download_id: null })
  await app.close()
})

describe('copies', () => {
  const listCopies = async (own = pool) =>
    (await readdir(taggedFolder(own.ctx.config.dataDir), { recursive: true }).catch(() => [])).filter(
      (name) => name.length > 60,
    )
  const countCopies = async () => (await listCopies()).length

  test('are not made on a disk that is nearly full', async () => {
    const space = { free_bytes: 1e9, disk_bytes: 1e12 }
    const copies = createTaggedCopies(pool.ctx, async () => space)
    const bytes = Buffer.from('the bytes of a download')
    const file = {
      ...{ sha256: 'a'.repeat(64), etag: '"nearly-full"', length: bytes.length },
      read: async function* () {
        yield bytes
      },
    }
    const requestTwice = async () => (await copies.find(file)) ?? (await copies.find(file))
    expect(await requestTwice()).toBeUndefined()
    space.free_bytes = 1e12
    const copy = await requestTwice()
    expect(readFileSync(path.join(pool.ctx.config.dataDir, 'media', copy ?? ''))).toEqual(bytes)
  })

  test('of originals that cannot be read are not made, and nothing is counted', async () => {
    const { version } = await aRequestedSong()
    const { customer_id, token } = await aMember(pool.ctx)
    const url = await link(version, token)
    const before = await countCopies()
    vi.spyOn(pool.ctx.storage, 'pieces').mockImplementationOnce(async function* () {
      yield Buffer.alloc(1000)
      throw new StorageUnavailableError('away')
    })
    expect((await get(url)).statusCode).toBe(503)
    expect(await countCopies()).toBe(before)
    expect(await readTransfer(customer_id)).toMatchObject({ sent_bytes: 0, reports: 0 })
  })

  test('are not used for an original that was lost, and the download is refunded', async () => {
    const { version, files } = await aRequestedSong()
    const other = await aMember(pool.ctx)
    expect((await get(await link(version, other.token))).headers['x-accel-redirect']).toBeDefined()
    const { customer_id, token } = await aMember(pool.ctx)
    const url = await link(version, token)
    await rm(storedFilePath(pool.ctx, files[0]?.sha256 ?? ''))
    expect((await get(url)).statusCode).toBe(404)
    expect(await readTransfer(customer_id)).toMatchObject({ used: 0 })
  })

  test('are made again when their length is wrong', async () => {
    const { version, bytes, staff } = await aRequestedSong()
    const { headers } = await get(await link(version, staff.token))
    const copy = path.join(
      pool.ctx.config.dataDir,
      'media',
      String(headers['x-accel-redirect']).slice(DOWNLOADS.length),
    )
    await truncate(copy, 10)
    expect((await get(await link(version, staff.token))).rawPayload.equals(bytes)).toBe(true)
    expect((await get(await link(version, staff.token))).headers['x-accel-redirect']).toBeDefined()
    expect(readFileSync(copy).equals(bytes)).toBe(true)
  })

  test('that were used longest ago are deleted beyond the limit', async () => {
    // A copy has 530 kB of audio and about 100 kB of tags with a cover: less than a quarter of the limit; eight are above it.
    const limit_bytes = 3_000_000
    const own = await openTestPool({ config: { sendfile: 'nginx', sendfileCacheBytes: limit_bytes } })
    const staff = await aMember(own.ctx, { staff_role: 'admin' })
    const folder = taggedFolder(own.ctx.config.dataDir)
    let oldest: string | undefined
    for (let n = 0; n < 8; n++) {
      const song = await aSong(own.ctx, { wavs: [makeWav({ seconds: 3, tone: 300 + n })] })
      for (let request = 0; request < 2; request++) {
        const { url } = await own.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, staff.token)
        await get(url, {}, own.app)
      }
      oldest ??= (await listCopies(own))[0]
      if (n === 0) await utimes(path.join(folder, oldest ?? ''), 1, 1)
    }
    const sizes = await Promise.all(
      (await listCopies(own)).map(async (name) => (await stat(path.join(folder, name))).size),
    )
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit_bytes)
    expect(await listCopies(own)).not.toContain(oldest)
    await own.close()
  })

  test('are deleted after SENDFILE was turned off', async () => {
    expect(await countCopies()).not.toBe(0)
    await sweepTaggedCopies(pool.ctx)
    expect(await countCopies()).not.toBe(0)
    await sweepTaggedCopies({ config: { ...pool.ctx.config, sendfile: 'off' } })
    await expect(stat(taggedFolder(pool.ctx.config.dataDir))).rejects.toThrow('ENOENT')
  })
})
