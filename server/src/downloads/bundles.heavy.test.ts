import { randomBytes } from 'node:crypto'
import { truncateSync } from 'node:fs'
import { link, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { downloadProfiles, downloads, type InputOf, library } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { ApiCallError, errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { storedFilePath } from '../../test/stored-file.ts'
import { unzip } from '../../test/unzip.ts'
import { storageKey } from '../platform/storage.ts'
import { completeDownloads } from './grants.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}) => pool.app.inject({ method: 'GET', url, headers })

type ZipCall =
  | typeof downloads.downloadSongBundle
  | typeof downloads.downloadCrateBundle
  | typeof downloads.downloadCollectionBundle
  | typeof downloads.downloadBoothKit
let addressCount = 0

/** Requests a zip, each time from another IP address: one address may do so twelve times a minute. */
async function requestZip<E extends ZipCall>(call: E, input: InputOf<E>, token: string) {
  const response = await pool.app.inject({
    method: call.method,
    url: `/api/${call.path}`,
    payload: input,
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: `10.0.${Math.floor(addressCount / 250)}.${addressCount++ % 250}`,
  })
  if (response.statusCode !== 200) throw new ApiCallError(response.statusCode, response.json())
  return response.json().data as downloads.Bundle
}

const usedOf = async (token: string) => (await pool.ask(downloads.customerDownloads, {}, token)).downloads
const inCrate = async (token: string, songs: { versionIds: number[] }[]) => {
  for (const song of songs) await pool.ask(library.crateChange, { version_ids: song.versionIds }, token)
}
const mp3sIn = async (zip: Buffer) => [...(await unzip(zip)).keys()].filter((name) => name.endsWith('.mp3'))
const isOpen = async (customerId: number, versionId: number | undefined) => {
  const [row] = await pool.ctx.sql`
    select open_download_id is not null as open from download_grant
    where customer_id = ${customerId} and song_version_id = ${versionId ?? 0}`
  return row?.open
}

test('a song’s zip contains every version with tags, and a playlist of them', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Afterglow', artist: 'Mara Voss', versions: ['Clean', 'Intro Dirty'] })
  const bundle = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(bundle).toMatchObject({ zip: 'Mara Voss - Afterglow.zip', files: 2, skipped: [] })
  const response = await get(bundle.url)
  expect(response.rawPayload).toHaveLength(bundle.bytes)
  expect(Number(response.headers['content-length'])).toBe(bundle.bytes)
  const files = await unzip(response.rawPayload)
  expect([...files.keys()]).toEqual([
    'Mara Voss - Afterglow (Intro Dirty).mp3',
    'Mara Voss - Afterglow (Clean).mp3',
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

test('resumes a broken zip transfer in another request with the same bytes, without counting it again', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const { url, bytes } = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  const head = await get(url, { range: 'bytes=0-9999' })
  const again = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(again.bytes).toBe(bytes)
  expect(Object.values((await pool.ask(downloads.customerDownloads, {}, token)).downloads)).toEqual([1, 1])
  const rest = await get(url, { range: 'bytes=10000-', 'if-range': String(head.headers.etag) })
  expect(rest.statusCode).toBe(206)
  const whole = Buffer.concat([head.rawPayload, rest.rawPayload])
  expect(whole).toHaveLength(bytes)
  expect((await unzip(whole)).size).toBe(3)
})

test('completes the downloads of a zip once it was sent in full', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  await get((await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)).url)
  const open = async () =>
    (
      await pool.ctx
        .sql`select 1 from download_grant where customer_id = ${customer_id} and open_download_id is not null`
    ).length
  await expect.poll(open).toBe(0)
  await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(Object.values((await pool.ask(downloads.customerDownloads, {}, token)).downloads)).toEqual([2, 2])
})

test('leaves out and names versions whose limit is used up, and creates no zip when all are', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  for (let n = 0; n < 2; n++) {
    await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)
    const open = await pool.ctx.sql<
      { download_id: number }[]
    >`select download_id from download where customer_id = ${customer_id}`
    await completeDownloads(
      pool.ctx.sql,
      open.map((row) => row.download_id),
    )
  }
  const bundle = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(bundle.files).toBe(1)
  expect(bundle.skipped).toEqual([
    expect.objectContaining({ song_version_id: song.versionIds[0], why: expect.stringContaining('both downloads') }),
  ])
  await pool.ctx.sql`update download_grant set used = 2, open_download_id = null where customer_id = ${customer_id}`
  const refused = requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(await errorOf(refused)).toMatchObject({ code: 'nothing_to_download' })
})

test('counts every file once for twenty simultaneous zips', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  await Promise.all(
    Array.from({ length: 20 }, () => requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)),
  )
  expect(Object.values((await pool.ask(downloads.customerDownloads, {}, token)).downloads)).toEqual([1, 1, 1])
})

test('the crate’s zip contains the songs of the crate, or those of one genre', async () => {
  const { token } = await aMember(pool.ctx)
  const genre = await aGenre(pool.ctx, 'Amapiano')
  const [one, two] = [await aSong(pool.ctx, { genres: [genre] }), await aSong(pool.ctx)]
  expect(await errorOf(requestZip(downloads.downloadCrateBundle, {}, token))).toMatchObject({ code: 'crate_empty' })
  for (const song of [one, two]) await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  expect((await requestZip(downloads.downloadCrateBundle, { genre_id: genre }, token)).files).toBe(1)
  expect((await requestZip(downloads.downloadCrateBundle, {}, token)).files).toBe(2)
})

test('a collection’s zip has the requested versions in order, counts each once and names what it leaves out', async () => {
  const { token } = await aMember(pool.ctx)
  const [one, two, gone] = [
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.ctx),
    await aSong(pool.ctx),
  ]
  await pool.ctx.sql`update song set status = 'unpublished', unpublished_at = now() where entity_id = ${gone.entity_id}`
  const versions = [two, one, gone, one].map(({ versionIds }) => versionIds.at(-1) ?? 0)
  const bundle = await requestZip(downloads.downloadCollectionBundle, { title: 'Peak / time', versions }, token)
  expect(bundle).toMatchObject({ zip: 'Peak - time.zip', files: 2, continue_from: null })
  expect(bundle.skipped).toMatchObject([{ song_version_id: versions[2], why: 'This song is no longer available.' }])
  expect(await usedOf(token)).toEqual({ [versions[0] ?? 0]: 1, [versions[1] ?? 0]: 1 })
  expect(await mp3sIn((await get(bundle.url)).rawPayload)).toEqual([
    `${two.artist} - ${two.title} (Clean).mp3`,
    `${one.artist} - ${one.title} (Dirty).mp3`,
  ])
})

test('a collection’s zip is only for members who may download, and has at most 500 versions', async () => {
  const { versionIds } = await aSong(pool.ctx)
  const ask = (versions: number[], token?: string) =>
    errorOf(pool.ask(downloads.downloadCollectionBundle, { title: 'All', versions }, token))
  const unpaid = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const paid = await aMember(pool.ctx)
  expect(await ask(versionIds)).toMatchObject({ code: 'not_signed_in' })
  expect(await ask(versionIds, unpaid.token)).toMatchObject({ code: 'subscription_required' })
  const tooMany = Array.from({ length: 501 }, (_, n) => n + 1)
  expect(await ask(tooMany, paid.token)).toMatchObject({ code: 'invalid_request' })
  expect(await ask([999_999], paid.token)).toMatchObject({ code: 'nothing_to_download' })
})

test('keeps two songs with the same name as two files in the zip', async () => {
  const { token } = await aMember(pool.ctx)
  const songs = [
    await aSong(pool.ctx, { title: 'Same', artist: 'Name' }),
    await aSong(pool.ctx, { title: 'Same', artist: 'Name', remixer: 'Someone' }),
  ]
  for (const song of songs) await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  const files = await unzip((await get((await requestZip(downloads.downloadCrateBundle, {}, token)).url)).rawPayload)
  expect([...files.keys()].filter((name) => name.endsWith('.mp3'))).toEqual([
    'Name - Same (Clean).mp3',
    'Name - Same (Clean) (2).mp3',
  ])
})

test('refunds a file lost after the zip was created, and the others can be requested again', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const bundle = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  await pool.ctx.storage.remove('audio', song.files[1]?.sha256 ?? '')
  const failed = await get(bundle.url)
  expect([failed.statusCode, failed.body.includes('Back to the site')]).toEqual([404, true])
  const again = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(again).toMatchObject({ files: 1, skipped: [{ song_version_id: song.versionIds[1] }] })
  expect((await pool.ask(downloads.customerDownloads, {}, token)).downloads).toEqual({ [song.versionIds[0] ?? 0]: 1 })
})

test('leaves a damaged file out of the zip and names it in the response and in the zip’s playlist', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Half', artist: 'Cut', versions: ['Clean', 'Dirty'] })
  truncateSync(storedFilePath(pool.ctx, song.files[1]?.sha256 ?? ''), 100)
  const bundle = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  const why = 'The file is damaged on our side. This download wasn’t counted.'
  expect(bundle).toMatchObject({ files: 1, skipped: [{ title: 'Cut - Half (Dirty)', why }] })
  const files = await unzip((await get(bundle.url)).rawPayload)
  expect([...files.keys()]).toEqual(['Cut - Half (Clean).mp3', 'Cut - Half.m3u8'])
  expect(String(files.get('Cut - Half.m3u8'))).toContain(`# Not included: Cut - Half (Dirty). ${why}`)
  expect(await usedOf(token)).toEqual({ [song.versionIds[0] ?? 0]: 1 })
})

test('refunds a file that breaks while the zip is sent, and leaves it out of the next zip', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const { url } = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  const { pieces } = pool.ctx.storage
  const broken = song.files[1]?.sha256 ?? ''
  const reading = vi.spyOn(pool.ctx.storage, 'pieces').mockImplementation(async function* (kind, sha256, ...rest) {
    if (sha256 === broken) truncateSync(storedFilePath(pool.ctx, broken), 1000)
    yield* pieces(kind, sha256, ...rest)
  })
  await get(url).catch(() => undefined)
  await expect.poll(() => usedOf(token)).toEqual({ [song.versionIds[0] ?? 0]: 1 })
  reading.mockRestore()
  const refused = await get(url)
  expect([refused.statusCode, refused.body.includes('can’t be resumed')]).toEqual([410, true])
  const again = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(again).toMatchObject({ files: 1, skipped: [{ song_version_id: song.versionIds[1] }] })
  expect((await unzip((await get(again.url)).rawPayload)).size).toBe(2)
  expect(await usedOf(token)).toEqual({ [song.versionIds[0] ?? 0]: 1 })
})

test('the same zip requested again has the same bytes, and bytes sent before still count', async () => {
  const { token } = await aMember(pool.ctx)
  const songs = [await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }), await aSong(pool.ctx)]
  await inCrate(token, songs)
  const ask = () => requestZip(downloads.downloadCrateBundle, {}, token)
  const first = await ask()
  const whole = async (zip: downloads.Bundle) => get(zip.url, { range: `bytes=0-${zip.bytes - 2}` })
  const [one, two] = [await whole(first), await whole(await ask())]
  expect([one.statusCode, two.statusCode, one.headers.etag]).toEqual([206, 206, two.headers.etag])
  // Neither another link nor a slightly different zip of the same files sends them a third time.
  expect((await whole(await ask())).statusCode).toBe(410)
  const otherMember = await aMember(pool.ctx)
  await inCrate(otherMember.token, songs)
  const other = await requestZip(downloads.downloadCrateBundle, {}, otherMember.token)
  for (let n = 0; n < 2; n++) expect((await whole(other)).statusCode).toBe(206)
  await pool.ask(library.crateAddRemove, { songId: songs[1]?.entity_id ?? 0 }, otherMember.token)
  expect((await whole(await requestZip(downloads.downloadCrateBundle, {}, otherMember.token))).statusCode).toBe(410)
})

test('names an unpublished version among those left out of the crate’s zip', async () => {
  const { token } = await aMember(pool.ctx)
  const [published, unpublished] = [await aSong(pool.ctx), await aSong(pool.ctx, { title: 'Gone', artist: 'Away' })]
  await inCrate(token, [published, unpublished])
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${unpublished.entity_id}`
  const why = 'This song is no longer available.'
  expect(await requestZip(downloads.downloadCrateBundle, {}, token)).toMatchObject({
    files: 1,
    skipped: [{ song_version_id: unpublished.versionIds[0], title: 'Away - Gone (Clean)', why }],
  })
  expect(await usedOf(token)).toEqual({ [published.versionIds[0] ?? 0]: 1 })
})

test('leaves out a song unpublished after the zip was created, and completes only the downloads that were sent', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const [published, unpublished] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  await inCrate(token, [published, unpublished])
  const { url } = await requestZip(downloads.downloadCrateBundle, {}, token)
  const unpublish = (song: { entity_id: number }) =>
    pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${song.entity_id}`
  await unpublish(unpublished)
  expect(await mp3sIn((await get(url)).rawPayload)).toEqual([`${published.artist} - ${published.title} (Clean).mp3`])
  await expect.poll(() => isOpen(customer_id, published.versionIds[0])).toBe(false)
  expect(await isOpen(customer_id, unpublished.versionIds[0])).toBe(true)
  await unpublish(published)
  const nothing = await get(url)
  expect([nothing.statusCode, nothing.body.includes('None of the songs in this zip')]).toEqual([404, true])
})

test('leaves a refunded file out of the zip, even when it is available again', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Twice', artist: 'Lost', versions: ['Clean', 'Dirty'] })
  const { url } = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  await pool.ctx.storage.remove('audio', song.files[1]?.sha256 ?? '')
  expect((await get(url)).statusCode).toBe(404)
  await pool.ctx.storage.putBytes('audio', song.files[1]?.bytes ?? Buffer.alloc(0))
  expect(await mp3sIn((await get(url)).rawPayload)).toEqual(['Lost - Twice (Clean).mp3'])
  expect(await usedOf(token)).toEqual({ [song.versionIds[0] ?? 0]: 1 })
})

test('a zip’s link expires 15 minutes after it was downloaded', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const { url } = await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  const completed = (minutes: number) => pool.ctx.sql`
    update bundle set completed_at = now() - make_interval(mins => ${minutes}) where customer_id = ${customer_id}`
  await completed(14)
  expect((await get(url)).statusCode).toBe(200)
  await completed(16)
  expect((await get(url)).statusCode).toBe(410)
})

/** Adds more versions like the first, each with a file of its own that has the same content. */
async function addVersions(first: number | undefined, sha256: string, count: number): Promise<number[]> {
  const { sql, config } = pool.ctx
  const filePathOf = (hash: string) => path.join(config.dataDir, 'media', storageKey('audio', hash))
  const hashes = Array.from({ length: count }, () => randomBytes(32))
  for (const hash of hashes) {
    const filePath = filePathOf(hash.toString('hex'))
    await mkdir(path.dirname(filePath), { recursive: true })
    await link(filePathOf(sha256), filePath)
  }
  const rows = await sql<{ song_version_id: number }[]>`
    with made as (
      insert into file (sha256, bytes, format, body)
      select hash, f.bytes, f.format, f.body from unnest(${sql.array(hashes, 1001)}::bytea[]) hash
      join file f on f.sha256 = ${Buffer.from(sha256, 'hex')} returning file_id)
    insert into song_version (entity_id, version_kind_id, version_label, position, file_id, duration_seconds)
    select entity_id, version_kind_id, version_label || made.file_id, 9, made.file_id, 1
    from song_version, made where song_version_id = ${first ?? 0} returning song_version_id`
  return rows.map((row) => row.song_version_id)
}

test('splits a crate of 1,001 versions into three zips without common files, counting each version once', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean'] })
  await addVersions(song.versionIds[0], song.files[0]?.sha256 ?? '', 1000)
  await pool.ctx.sql`
    insert into crate_item (customer_id, entity_id, song_version_id)
    select ${customer_id}, entity_id, song_version_id from song_version where entity_id = ${song.entity_id}`
  const versionsOf = async () => {
    const [newest] = await pool.ctx.sql<{ ids: number[] }[]>`
      select array(select (d->>'song_version_id')::bigint from jsonb_array_elements(downloads) d) as ids
      from bundle where customer_id = ${customer_id} order by bundle_id desc limit 1`
    return (newest?.ids ?? []).map(Number)
  }
  const zips: downloads.Bundle[] = []
  const contents: number[][] = []
  // As in the user interface: the next zip is requested while the first one is downloading.
  for (let next: number | null | undefined; next !== null; next = zips.at(-1)?.continue_from) {
    zips.push(await requestZip(downloads.downloadCrateBundle, next ? { continue_from: next } : {}, token))
    contents.push(await versionsOf())
  }
  expect(zips.map(({ files, part, parts, skipped }) => ({ files, part, parts, skipped }))).toEqual([
    { files: 400, part: 1, parts: 3, skipped: [] },
    { files: 400, part: 2, parts: 3, skipped: [] },
    { files: 201, part: 3, parts: 3, skipped: [] },
  ])
  expect(zips.map(({ zip }) => zip.slice(-12))).toEqual(['(1 of 3).zip', '(2 of 3).zip', '(3 of 3).zip'])
  expect(new Set(contents.flat()).size).toBe(1001)
  const used = await usedOf(token)
  expect([Object.keys(used).length, Math.max(...Object.values(used))]).toEqual([1001, 1])
  // A program that requests the crate again after each zip also gets the remaining versions.
  await pool.ctx.sql`
    update download_grant set open_download_id = null
    where customer_id = ${customer_id} and song_version_id = any(${contents[0] ?? []}::bigint[])`
  const again = await requestZip(downloads.downloadCrateBundle, {}, token)
  expect([again.files, again.parts, again.skipped.length]).toEqual([400, 2, 400])
  expect(again.skipped[0]?.why).toContain('You’ve downloaded it before')
  expect(await versionsOf()).toEqual(contents[1])
  expect(Math.max(...Object.values(await usedOf(token)))).toBe(1)
  const stranger = await aMember(pool.ctx)
  const foreign = requestZip(downloads.downloadCrateBundle, { continue_from: zips[0]?.continue_from }, stranger.token)
  expect(await errorOf(foreign)).toMatchObject({ code: 'unknown_bundle' })
})

test('limits an IP address to twelve zips a minute', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const ask = async (call: ZipCall) => (await pool.request(call, { entity_id: song.entity_id }, token)).statusCode
  await inCrate(token, [song])
  for (const call of [downloads.downloadSongBundle, downloads.downloadCrateBundle]) {
    const statuses: number[] = []
    for (let n = 0; n < 13; n++) statuses.push(await ask(call))
    expect([statuses.filter((status) => status === 200).length, statuses[12]]).toEqual([12, 429])
  }
})

test('the versions of one song share one cover in a zip', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
  const artwork = await pool.ctx.storage.putBytes('images', await picture.png().toBuffer())
  await pool.ctx.sql`
    with kept as (insert into artwork (sha256, width, height) values (${Buffer.from(artwork.sha256, 'hex')}, 8, 8) returning artwork_id)
    update song set artwork_id = (select artwork_id from kept) where entity_id = ${song.entity_id}`
  const storageChecks = vi.spyOn(pool.ctx.storage, 'has')
  await requestZip(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
  expect(storageChecks.mock.calls.filter(([kind]) => kind === 'images')).toHaveLength(1)
  storageChecks.mockRestore()
})

test('each zip of a kit has a library file and playlists with names of their own', async () => {
  const { token } = await aMember(pool.ctx)
  const profile = { name: 'USB', system: 'macos', software: 'rekordbox', music_folder: '/Volumes/USB' } as const
  await pool.ask(downloadProfiles.saveProfile, profile, token)
  const song = await aSong(pool.ctx, { versions: ['Clean'] })
  const added = await addVersions(song.versionIds[0], song.files[0]?.sha256 ?? '', 400)
  const source = { song_version_ids: [...song.versionIds, ...added], title: 'Set' }
  const first = await requestZip(downloads.downloadBoothKit, { software: 'rekordbox', source }, token)
  const { continue_from } = first
  const second = await requestZip(downloads.downloadCrateBundle, { continue_from }, token)
  const { rawPayload } = await pool.app.inject({ url: second.url })
  const names = [...(await unzip(rawPayload)).keys()]
  expect(names.slice(1)).toEqual(['dubplate (2 of 2).xml', 'Set (2 of 2).m3u8', 'Set (2 of 2) (whole paths).m3u8'])
})
