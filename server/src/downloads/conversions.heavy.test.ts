import { open } from 'node:fs/promises'
import { downloadProfiles, downloads, library, settings, songDetails } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeWav } from '../../test/audio-files.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { unzip } from '../../test/unzip.ts'
import { convertOpened } from '../analysis/conversion/convert.ts'
import { ConversionError, type Converter } from '../analysis/conversion/converter.ts'
import { claimConversion, storeConversion, sweepConversions } from '../media/conversions.ts'
import { convertNext } from './conversion-loop.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from conversion`
  await pool.ctx.sql`delete from setting`
  await pool.ctx.settings.renew()
})

/** Converts in this process. */
const converter: Converter = {
  convert: async ({ source, target, ...options }) => {
    const [from, to] = [await open(source, 'r'), await open(target, 'w')]
    await convertOpened({ source: from.fd, target: to.fd }, options)
    await Promise.all([from.close(), to.close()])
  },
  stop: async () => {},
}

let tone = 200
const aLosslessSong = async (overrides: { title?: string; labels?: string[]; seconds?: number } = {}) => {
  const { title, labels = ['Clean'], seconds = 1 } = overrides
  const wavs = labels.map(() => makeWav({ tone: tone++, seconds }))
  const song = await aSong(pool.ctx, { ...(title ? { title } : {}), versions: labels, wavs, seconds })
  for (const { file_id } of song.files) await analysed(file_id)
  return { ...song, version: song.versionIds[0]! }
}

const analysed = (fileId: number, { rate = 44_100, channels = 2 } = {}) => pool.ctx.sql`
  insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm_confidence,
    key_confidence, loudness_lufs, loudness_range, true_peak_db)
  values (${fileId}, 1, 1, ${rate}, ${channels}, 1411, 0, 0, -9, 3, -1)
  on conflict (file_id) do update set sample_rate = excluded.sample_rate, channels = excluded.channels`

const offeredOf = async ({ entity_id }: { entity_id: number }) =>
  (await pool.ask(songDetails.getSongDetails, { entity_id })).versions.map(({ conversions }) => conversions)

const saveConversions = async (conversions: downloads.ConversionFormat[]) => {
  const { token } = await aMember(pool.ctx, { staff_role: 'admin' })
  const { groups } = await pool.ask(settings.getSettings, {}, token)
  const { version } = groups.conversions
  return pool.ask(settings.saveSettings, { group: 'conversions', version, values: { conversions } }, token)
}

const get = (url: string, headers: Record<string, string> = {}) =>
  pool.app.inject({ url, headers, remoteAddress: '203.0.113.7' })
const usedOf = async (token: string) => (await pool.ask(downloads.customerDownloads, {}, token)).downloads
const convertAll = async () => {
  while (await convertNext(pool.ctx, converter));
}
/** The end of a transfer is recorded after its last byte is sent. */
const untilComplete = (version: number) =>
  expect
    .poll(() => pool.ctx.sql`select 1 from download where song_version_id = ${version} and completed_at is null`)
    .toHaveLength(0)
const states = () => pool.ctx.sql<{ state: string; error: string }[]>`
  select state, error from conversion order by conversion_id`

test('offers conversions of lossless versions only, without what the song already has', async () => {
  const song = await aLosslessSong({ labels: ['Clean', 'Dirty', 'Intro Clean', 'Extended'] })
  const [, aiff, mono, surround] = song.files
  await pool.ctx.sql`update file set format = 'aiff' where file_id = ${aiff!.file_id}`
  await analysed(mono!.file_id, { channels: 1, rate: 50_000 })
  await analysed(surround!.file_id, { channels: 6 })
  expect(await offeredOf(song)).toEqual([['mp3', 'aiff'], ['mp3'], ['aiff'], []])
  expect(await offeredOf(await aSong(pool.ctx))).toEqual([[]])
  // A published MP3 of the same version.
  const both = await aLosslessSong({ labels: ['Clean', 'Clean'] })
  await pool.ctx.sql`update file set format = 'mp3' where file_id = ${both.files[1]!.file_id}`
  expect(await offeredOf(both)).toEqual([['aiff'], []])
})

test('offers what admins choose, and refuses the rest', async () => {
  const song = await aLosslessSong({ title: 'Afterglow' })
  const { token } = await aMember(pool.ctx)
  const { settings: saved } = await saveConversions(['aiff'])
  expect(saved.conversions).toMatchObject({ value: ['aiff'], first: ['mp3', 'aiff'], is_overridden: true })
  expect(await offeredOf(song)).toEqual([['aiff']])
  expect(await pool.ask(downloads.customerDownloads, {}, token)).toMatchObject({ conversions: ['aiff'] })
  const mp3 = pool.ask(downloads.downloadVersion, { version: song.version, format: 'mp3' }, token)
  expect(await errorOf(mp3)).toMatchObject({ code: 'conversion_not_offered' })
  const summary = await pool.ask(downloads.songSummary, { entity_id: song.entity_id }, token)
  expect(summary.conversions).toEqual(['aiff'])
  await saveConversions([])
  expect([await offeredOf(song), await usedOf(token)]).toEqual([[[]], {}])
})

test('counts a conversion once, when it is made, and sends it with tags and in ranges', async () => {
  const song = await aLosslessSong({ title: 'Low Ceiling' })
  const { token } = await aMember(pool.ctx)
  const params = { version: song.version, format: 'mp3' } as const
  const start = () => pool.ask(downloads.downloadVersion, params, token)
  expect(await errorOf(start())).toMatchObject({ status: 409, code: 'conversion_pending' })
  const prepare = () => pool.ask(downloads.prepareDownload, { format: 'mp3', versions: [song.version] }, token)
  expect(await prepare()).toEqual({ ready: 0, files: 1, progress: 0, failed: [], is_ready: false })
  expect(await usedOf(token)).toEqual({})
  await convertAll()
  expect(await prepare()).toMatchObject({ ready: 1, progress: 1, is_ready: true })
  const link = await start()
  expect(link).toMatchObject({ file_name: `${song.artist} - Low Ceiling (Clean).mp3`, used: 1 })
  const whole = await get(link.url)
  expect([whole.headers['content-type'], whole.rawPayload.length]).toEqual(['audio/mpeg', link.bytes])
  const { common, format } = await parseBuffer(whole.rawPayload, { mimeType: 'audio/mpeg' })
  expect(common).toMatchObject({ title: 'Low Ceiling (Clean)', artist: song.artist })
  expect(common.picture?.[0]?.format).toBe('image/jpeg')
  expect(format).toMatchObject({ bitrate: 320_000, sampleRate: 44_100, codecProfile: 'CBR' })
  const rest = await get(link.url, { range: `bytes=${link.bytes - 5000}-`, 'if-range': String(whole.headers.etag) })
  expect([rest.statusCode, rest.rawPayload.equals(whole.rawPayload.subarray(-5000))]).toEqual([206, true])
  expect(await usedOf(token)).toEqual({ [song.version]: 1 })
  await untilComplete(song.version)
  // As any other second download of the version, because the first one is complete.
  expect(await pool.ask(downloads.downloadVersion, { version: song.version }, token)).toMatchObject({
    used: 2,
    file_name: `${song.artist} - Low Ceiling (Clean).wav`,
  })
})

test('another format of a download in progress is not counted again, and has room for its length', async () => {
  const song = await aLosslessSong({ seconds: 10 })
  const { token } = await aMember(pool.ctx)
  const original = await pool.ask(downloads.downloadVersion, { version: song.version }, token)
  const sent = 1_400_000
  expect((await get(original.url, { range: `bytes=0-${sent - 1}` })).statusCode).toBe(206)
  await pool.ask(downloads.prepareDownload, { format: 'mp3', versions: [song.version] }, token)
  await convertAll()
  const mp3 = await pool.ask(downloads.downloadVersion, { version: song.version, format: 'mp3' }, token)
  // More than twice the MP3 was sent. Its cover has up to 150 kB.
  expect([mp3.used, mp3.bytes * 2 < sent]).toEqual([1, true])
  const { statusCode, rawPayload } = await get(mp3.url)
  expect([statusCode, rawPayload.length]).toEqual([200, mp3.bytes])
  // The link of the original still sends the original.
  expect((await get(original.url, { range: 'bytes=0-99' })).headers['content-range']).toBe(
    `bytes 0-99/${original.bytes}`,
  )
})

test('makes one conversion for many requests and workers', async () => {
  const song = await aLosslessSong()
  let calls = 0
  const counted: Converter = {
    ...converter,
    convert: (conversion) => {
      calls += 1
      return converter.convert(conversion)
    },
  }
  const members = await Promise.all(Array.from({ length: 5 }, () => aMember(pool.ctx)))
  await Promise.all(
    members.map(({ token }) =>
      pool.ask(downloads.prepareDownload, { format: 'aiff', versions: [song.version] }, token),
    ),
  )
  const made = await Promise.all([1, 2, 3].map(() => convertNext(pool.ctx, counted)))
  expect([made.filter(Boolean).length, calls]).toEqual([1, 1])
  expect(await states()).toMatchObject([{ state: 'done' }])
  const { token } = members[0]!
  const link = await pool.ask(downloads.downloadVersion, { version: song.version, format: 'aiff' }, token)
  const { rawPayload } = await get(link.url)
  // The samples of the WAV in the other byte order.
  const samples = Buffer.from(song.files[0]!.bytes.subarray(44)).swap16()
  expect([rawPayload.toString('latin1', 0, 4), rawPayload.includes(samples)]).toEqual(['FORM', true])
})

test('a zip has conversions where possible, originals elsewhere, and an exact length', async () => {
  const lossless = await aLosslessSong({ title: 'Glass' })
  const broken = await aLosslessSong({ title: 'Broken' })
  const lossy = await aSong(pool.ctx, { title: 'Tape' })
  const { token } = await aMember(pool.ctx)
  const version_ids = [lossless, broken, lossy].flatMap(({ versionIds }) => versionIds)
  await pool.ask(library.crateChange, { version_ids }, token)
  expect(await pool.ask(downloads.crateSummary, {}, token)).toMatchObject({ conversions: ['mp3', 'aiff'] })
  const request = () => pool.ask(downloads.downloadCrateBundle, { format: 'mp3' }, token)
  expect(await errorOf(request())).toMatchObject({ code: 'conversion_pending' })
  expect(await usedOf(token)).toEqual({})
  const failing: Converter = {
    ...converter,
    convert: async (conversion) => {
      if (!conversion.source.includes(broken.files[0]!.sha256)) return converter.convert(conversion)
      throw new ConversionError('failed', 'The audio can’t be decoded')
    },
  }
  while (await convertNext(pool.ctx, failing));
  expect(await pool.ask(downloads.prepareDownload, { format: 'mp3' }, token)).toEqual({
    ...{ ready: 1, files: 2, progress: 1, is_ready: true },
    failed: [{ song_version_id: broken.version, title: 'Broken (Clean)' }],
  })
  const bundle = await request()
  const zip = await get(bundle.url)
  expect([zip.statusCode, zip.rawPayload.length, Number(zip.headers['content-length'])]).toEqual([
    200,
    bundle.bytes,
    bundle.bytes,
  ])
  for (const [title, extension] of [
    ['Glass', 'mp3'],
    ['Broken', 'wav'],
    ['Tape', 'mp3'],
  ])
    expect(zip.rawPayload.includes(Buffer.from(`${title} (Clean).${extension}`))).toBe(true)
  expect(await usedOf(token)).toEqual(Object.fromEntries(version_ids.map((id) => [id, 1])))
  const single = pool.ask(downloads.downloadVersion, { version: broken.version, format: 'mp3' }, token)
  expect(await errorOf(single)).toMatchObject({ code: 'conversion_failed' })
})

test('a kit has conversions to the format of its profile, and its library file names them, also once they are deleted', async () => {
  const song = await aLosslessSong({ title: 'Glass' })
  const { token } = await aMember(pool.ctx)
  const profile = { name: 'USB', system: 'macos', software: 'rekordbox', music_folder: '/Volumes/USB' } as const
  await pool.ask(downloadProfiles.saveProfile, { ...profile, format: 'mp3' }, token)
  const kit = { source: { song_version_ids: song.versionIds } }
  const request = (with_audio: boolean) =>
    pool.ask(downloads.downloadBoothKit, { software: 'rekordbox', ...kit, with_audio }, token)
  expect(await errorOf(request(true))).toMatchObject({ code: 'conversion_pending' })
  expect(await pool.ask(downloads.prepareDownload, { format: 'mp3', kit }, token)).toMatchObject({ files: 1 })
  await convertAll()
  const filesOf = async ({ url }: { url: string }) => unzip((await get(url)).rawPayload)
  const files = await filesOf(await request(true))
  const name = [...files.keys()].find((each) => each.endsWith('(Clean).mp3'))!
  const located = (xml: Buffer | undefined) => String(xml).match(/Location="[^"]*"/)?.[0]
  const location = located(files.get('dubplate.xml'))
  expect(decodeURIComponent(location!)).toContain(`/Volumes/USB/${name}`)
  await pool.ctx.sql`delete from conversion`
  const alone = await filesOf(await request(false))
  expect(located(alone.get('dubplate.xml'))).toBe(location)
})

test('a zip in another format has room for its length after most of the first one was sent', async () => {
  const song = await aLosslessSong({ seconds: 3 })
  const { token } = await aMember(pool.ctx)
  const { entity_id } = song
  const first = await pool.ask(downloads.downloadSongBundle, { entity_id }, token)
  await get(first.url, { range: `bytes=0-${first.bytes - 1000}` })
  await pool.ask(downloads.prepareDownload, { format: 'mp3', entity_id }, token)
  await convertAll()
  const second = await pool.ask(downloads.downloadSongBundle, { entity_id, format: 'mp3' }, token)
  // Less than half of what was sent.
  expect(second.bytes).toBeLessThan(first.bytes / 2)
  const { statusCode, rawPayload } = await get(second.url)
  expect([statusCode, rawPayload.length]).toEqual([200, second.bytes])
  expect(await usedOf(token)).toEqual({ [song.version]: 1 })
})

test('a conversion lost from the storage is made again, and its download is refunded', async () => {
  const song = await aLosslessSong()
  const { token } = await aMember(pool.ctx)
  const params = { version: song.version, format: 'aiff' } as const
  await pool.ask(downloads.prepareDownload, { format: 'aiff', versions: [song.version] }, token)
  await convertAll()
  const link = await pool.ask(downloads.downloadVersion, params, token)
  const [stored] = await pool.ctx.sql<{ sha256: string }[]>`select encode(sha256, 'hex') as sha256 from conversion`
  await pool.ctx.storage.remove('conversions', stored!.sha256)
  expect((await get(link.url)).statusCode).toBe(404)
  expect([await usedOf(token), await states()]).toMatchObject([{}, [{ state: 'queued' }]])
  // The original is not to blame.
  expect((await pool.ask(downloads.songSummary, { entity_id: song.entity_id }, token)).unavailable).toBe(0)
  expect(await errorOf(pool.ask(downloads.downloadVersion, params, token))).toMatchObject({
    code: 'conversion_pending',
  })
  await convertAll()
  expect((await get((await pool.ask(downloads.downloadVersion, params, token)).url)).statusCode).toBe(200)
})

test('a conversion of a killed worker is claimed by another, and the first cannot end it', async () => {
  const song = await aLosslessSong()
  const { token } = await aMember(pool.ctx)
  await pool.ask(downloads.prepareDownload, { format: 'aiff', versions: [song.version] }, token)
  const killed = await claimConversion(pool.ctx.sql)
  expect(await claimConversion(pool.ctx.sql)).toBeUndefined()
  await pool.ctx.sql`update conversion set updated_at = now() - interval '2 minutes'`
  const second = await claimConversion(pool.ctx.sql)
  expect(second).toMatchObject({ conversion_id: killed!.conversion_id, attempts: 2 })
  const path = await pool.ctx.storage.scratch('late')
  const file = await open(path, 'w')
  await file.write('late')
  await file.close()
  const body = { format: 'aiff', ranges: [], kept: { kind: 'as_is' } } as const
  await storeConversion(pool.ctx, killed!, { path, body: { ...body, ranges: [] } })
  expect(await states()).toMatchObject([{ state: 'running' }])
})

test('deletes conversions of deleted files and unused ones, but no content that another one has', async () => {
  const { token } = await aMember(pool.ctx)
  const [kept, old, gone] = await Promise.all([aLosslessSong(), aLosslessSong(), aLosslessSong()])
  for (const song of [kept, old, gone])
    await pool.ask(downloads.prepareDownload, { format: 'aiff', versions: [song.version] }, token)
  await convertAll()
  const fileOf = (song: typeof kept) => song.files[0]!.file_id
  const shaOf = async (song: typeof kept) => {
    const [row] = await pool.ctx.sql<{ sha256: string }[]>`
      select encode(sha256, 'hex') as sha256 from conversion where file_id = ${fileOf(song)}`
    return row!.sha256
  }
  const [keptSha, oldSha, goneSha] = [await shaOf(kept), await shaOf(old), await shaOf(gone)]
  // Another file with the same recording.
  await pool.ctx.sql`
    insert into conversion (file_id, format, version, is_bulk, state, sha256, bytes, body)
    select null, format, version, is_bulk, state, sha256, bytes, body from conversion where file_id = ${fileOf(kept)}`
  await pool.ctx.sql`update conversion set used_at = now() - interval '31 days' where file_id = ${fileOf(old)}`
  await pool.ctx.sql`delete from song_version where entity_id = ${gone.entity_id}`
  await pool.ctx.sql`delete from file where file_id = ${fileOf(gone)}`
  await sweepConversions(pool.ctx)
  const has = (sha256: string) => pool.ctx.storage.has('conversions', sha256)
  expect([await has(keptSha), await has(oldSha), await has(goneSha)]).toEqual([true, false, false])
  expect(await states()).toHaveLength(1)
})
