import { rm } from 'node:fs/promises'
import { downloads, library } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { completeDownloads } from './grants.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}) => pool.app.inject({ method: 'GET', url, headers })

/** What an independent reader finds in a zip; it checks every CRC. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (opened ? resolve(opened) : reject(error))),
  )
  const found = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve(found))
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (!stream) return reject(error)
        const pieces: Buffer[] = []
        for await (const piece of stream) pieces.push(piece as Buffer)
        found.set(entry.fileName, Buffer.concat(pieces))
        zip.readEntry()
      }),
    )
    zip.readEntry()
  })
}

test('a song’s bundle holds every version, tagged, and a playlist of them', async () => {
  const { token } = await aMember(pool.world)
  const song = await aSong(pool.world, { title: 'Afterglow', artist: 'Mara Voss', versions: ['Clean', 'Intro Dirty'] })
  const bundle = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(bundle).toMatchObject({ zip: 'Mara Voss - Afterglow.zip', files: 2, skipped: [] })
  const response = await get(bundle.url)
  expect(response.rawPayload).toHaveLength(bundle.bytes)
  expect(Number(response.headers['content-length'])).toBe(bundle.bytes)
  const files = await unzip(response.rawPayload)
  expect([...files.keys()]).toEqual([
    'Mara Voss - Afterglow (Clean).mp3',
    'Mara Voss - Afterglow (Intro Dirty).mp3',
    'Mara Voss - Afterglow.m3u8',
  ])
  const { common } = await parseBuffer(files.get('Mara Voss - Afterglow (Clean).mp3') ?? Buffer.alloc(0), {
    mimeType: 'audio/mpeg',
  })
  expect(common.title).toBe('Afterglow (Clean)')
  expect(String(files.get('Mara Voss - Afterglow.m3u8'))).toContain(
    '#EXTINF:1,Mara Voss - Afterglow (Clean)\nMara Voss - Afterglow (Clean).mp3',
  )
})

test('a broken transfer of a zip goes on with the same bytes, from another request and uncounted', async () => {
  const { token } = await aMember(pool.world)
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty'] })
  const { url, bytes } = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  const head = await get(url, { range: 'bytes=0-9999' })
  const again = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(again.bytes).toBe(bytes)
  expect(Object.values((await pool.ask(downloads.customerDownloads, {}, token)).downloads)).toEqual([1, 1])
  const rest = await get(url, { range: 'bytes=10000-', 'if-range': String(head.headers.etag) })
  expect(rest.statusCode).toBe(206)
  const whole = Buffer.concat([head.rawPayload, rest.rawPayload])
  expect(whole).toHaveLength(bytes)
  expect((await unzip(whole)).size).toBe(3)
})

test('once a zip has gone out whole, its files count as fetched', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty'] })
  await get((await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)).url)
  const open = async () =>
    (
      await pool.world
        .sql`select 1 from download_grant where customer_id = ${customer_id} and open_download_id is not null`
    ).length
  await expect.poll(open).toBe(0)
  await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(Object.values((await pool.ask(downloads.customerDownloads, {}, token)).downloads)).toEqual([2, 2])
})

test('versions whose limit is used up are left out and named; when all are, nothing is made', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty'] })
  for (let n = 0; n < 2; n++) {
    await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)
    const open = await pool.world.sql<
      { download_id: number }[]
    >`select download_id from download where customer_id = ${customer_id}`
    await completeDownloads(
      pool.world.sql,
      open.map((row) => row.download_id),
    )
  }
  const bundle = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(bundle.files).toBe(1)
  expect(bundle.skipped).toEqual([
    expect.objectContaining({ song_version_id: song.versionIds[0], why: expect.stringContaining('both downloads') }),
  ])
  await pool.world.sql`update download_grant set used = 2, open_download_id = null where customer_id = ${customer_id}`
  const refused = pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(await refusalOf(refused)).toMatchObject({ code: 'nothing_to_download' })
})

test('twenty bundles at once count every file once', async () => {
  const { token } = await aMember(pool.world)
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty', 'Intro'] })
  await Promise.all(
    Array.from({ length: 20 }, () => pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)),
  )
  expect(Object.values((await pool.ask(downloads.customerDownloads, {}, token)).downloads)).toEqual([1, 1, 1])
})

test('the crate’s bundle holds what is in the crate, of one genre when asked', async () => {
  const { token } = await aMember(pool.world)
  const genre = await aGenre(pool.world, 'Amapiano')
  const [one, two] = [await aSong(pool.world, { genres: [genre] }), await aSong(pool.world)]
  expect(await refusalOf(pool.ask(downloads.downloadCrateBundle, {}, token))).toMatchObject({ code: 'crate_empty' })
  for (const song of [one, two]) await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  expect((await pool.ask(downloads.downloadCrateBundle, { genre_id: genre }, token)).files).toBe(1)
  expect((await pool.ask(downloads.downloadCrateBundle, {}, token)).files).toBe(2)
})

test('two songs of one name keep two files in the zip', async () => {
  const { token } = await aMember(pool.world)
  const songs = [
    await aSong(pool.world, { title: 'Same', artist: 'Name' }),
    await aSong(pool.world, { title: 'Same', artist: 'Name', remixer: 'Somebody' }),
  ]
  for (const song of songs) await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  const files = await unzip((await get((await pool.ask(downloads.downloadCrateBundle, {}, token)).url)).rawPayload)
  expect([...files.keys()].filter((name) => name.endsWith('.mp3'))).toEqual([
    'Name - Same (Clean).mp3',
    'Name - Same (Clean) (2).mp3',
  ])
})

test('a file lost after the zip was made is given back, and the rest can be asked for again', async () => {
  const { token } = await aMember(pool.world)
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty'] })
  const bundle = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  await rm(pool.world.storage.path('audio', song.files[1]?.sha256 ?? ''))
  const lost = await get(bundle.url)
  expect([lost.statusCode, lost.body.includes('Back to the pool')]).toEqual([404, true])
  const again = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(again).toMatchObject({ files: 1, skipped: [{ song_version_id: song.versionIds[1] }] })
  expect((await pool.ask(downloads.customerDownloads, {}, token)).downloads).toEqual({ [song.versionIds[0] ?? 0]: 1 })
})
