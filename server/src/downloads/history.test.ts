import { downloads } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { unpublishSong } from '../catalogue/publication.ts'
import { MAX_FEW_ROWS } from '../platform/few-rows.ts'
import { completeDownloads, refundDownload } from './grants.ts'

let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool()
})
beforeEach(async () => {
  member = await aMember(pool.ctx)
})
afterAll(() => pool.close())

type Input = Parameters<typeof pool.ask<typeof downloads.downloadRescue>>[1]
const rescue = (input: Input = {}) => pool.ask(downloads.downloadRescue, input, member.token)
const titles = async (input: Input = {}) => (await rescue(input)).results.map(({ title }) => title)

const download = (version: number | undefined, token = member.token) =>
  pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)

/** The ids of all downloads in progress. */
const idsInProgress = async () => {
  const rows = await pool.ctx.sql<{ download_id: number }[]>`
    select download_id from download where customer_id = ${member.customer_id} and completed_at is null`
  return rows.map(({ download_id }) => download_id)
}

/** Adds a download at a time in the past, as it would have been recorded. */
async function downloadOn(at: string, { entity_id, versionIds }: Pick<Song, 'entity_id' | 'versionIds'>) {
  await pool.ctx.sql`
    insert into download (download_id, customer_id, song_version_id, entity_id, at, completed_at)
    values (nextval('download_id'), ${member.customer_id}, ${versionIds[0] ?? 0}, ${entity_id}, ${at}, ${at})`
}
type Song = Awaited<ReturnType<typeof aSong>>

test('lists a download with its song, its version and the downloads used', async () => {
  const song = await aSong(pool.ctx, { title: 'Night Bus', artist: 'Kwame', versions: ['Clean', 'Dirty'] })
  await pool.ctx.sql`
    update song_version set bpm = 98, bpm_to = 124, song_key = 'F#m' where song_version_id = ${song.versionIds[1] ?? 0}`
  const before = Date.now()
  await download(song.versionIds[1])
  const { results, pagination } = await rescue()
  expect(results).toEqual([
    {
      title: 'Night Bus',
      artist: 'Kwame',
      version: { version_label: 'Dirty', song_version_id: song.versionIds[1] },
      min_bpm: 98,
      max_bpm: 124,
      song_key: 'F#m',
      created_at: expect.any(String),
      entity_id: song.entity_id,
      song_section_id: 1,
      used: 1,
      limit: 2,
      listed: true,
      available: true,
      can_fetch_free: true,
      is_corrected: false,
    },
  ])
  expect(pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 1 })
  expect(Math.abs(Date.parse(results[0]?.created_at ?? '') - before)).toBeLessThan(60_000)
})

test('each counted download has a row of its own, newest first', async () => {
  const song = await aSong(pool.ctx)
  await download(song.versionIds[0])
  await download(song.versionIds[0])
  expect(await titles()).toHaveLength(1)
  await completeDownloads(pool.ctx.sql, await idsInProgress())
  await download(song.versionIds[0])
  const { results } = await rescue()
  expect(results.map(({ used }) => used)).toEqual([2, 2])
  expect(results[0]?.created_at).not.toBe(results[1]?.created_at)
  expect([...results].sort((a, b) => b.created_at.localeCompare(a.created_at))).toEqual(results)
})

test('a download that did not complete can be repeated for free for a day, a complete one cannot', async () => {
  const song = await aSong(pool.ctx)
  const isFree = async () => (await rescue()).results[0]?.can_fetch_free
  await download(song.versionIds[0])
  expect(await isFree()).toBe(true)
  expect(await download(song.versionIds[0])).toMatchObject({ used: 1 })
  await pool.ctx.sql`
    update download_grant set opened_at = now() - interval '25 hours' where customer_id = ${member.customer_id}`
  expect(await isFree()).toBe(false)
  await download(song.versionIds[0])
  await completeDownloads(pool.ctx.sql, await idsInProgress())
  expect(await isFree()).toBe(false)
})

test('leaves out refunded downloads', async () => {
  const song = await aSong(pool.ctx)
  await download(song.versionIds[0])
  const [id] = await idsInProgress()
  await refundDownload(pool.ctx.sql, id ?? 0)
  expect(await rescue()).toEqual({ results: [], pagination: { page: 1, perPageLimit: 24, totalCount: 0 } })
})

test('a member sees neither the downloads of others nor how often others downloaded a version', async () => {
  const other = await aMember(pool.ctx)
  const [shared, otherSong] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  await download(shared.versionIds[0])
  await download(shared.versionIds[0], other.token)
  await completeDownloads(pool.ctx.sql, await idsInProgress())
  await download(otherSong.versionIds[0], other.token)
  const { results, pagination } = await rescue()
  expect(results).toMatchObject([{ title: shared.title, used: 1, can_fetch_free: false }])
  expect(pagination.totalCount).toBe(1)
})

test('a member whose plan has lapsed can still read their downloads', async () => {
  const song = await aSong(pool.ctx)
  await download(song.versionIds[0])
  await pool.ctx.sql`
    update customer set payment_profile_status = 'unpaid' where customer_id = ${member.customer_id}`
  expect(await titles()).toEqual([song.title])
  expect(await errorOf(download(song.versionIds[0]))).toMatchObject({ code: 'subscription_required' })
})

test('an unpublished song is still listed, as unavailable', async () => {
  const { sql } = pool.ctx
  const [unpublished, short, lost] = [
    await aSong(pool.ctx, { title: 'Gone' }),
    await aSong(pool.ctx, { title: 'Short', versions: ['Clean', 'Dirty'] }),
    await aSong(pool.ctx, { title: 'Lost' }),
  ]
  for (const { versionIds } of [unpublished, short, lost]) await download(versionIds[0])
  await sql`update song set status = 'unpublished' where entity_id = ${unpublished.entity_id}`
  await sql`update song_version set status = 'unpublished' where song_version_id = ${short.versionIds[0] ?? 0}`
  await sql`update file set missing_since = now() where file_id = ${lost.files[0]?.file_id ?? 0}`
  expect((await rescue()).results).toMatchObject([
    { title: 'Lost', listed: true, available: false },
    { title: 'Short', listed: true, available: false, version: { version_label: 'Clean' } },
    { title: 'Gone', listed: false, available: false },
  ])
})

test('dates are whole days in UTC, the first and the last included', async () => {
  const edges = {
    before: '2026-10-31T23:59:59.999Z',
    first: '2026-11-01T00:00:00Z',
    last: '2026-11-30T23:59:59.999Z',
    after: '2026-12-01T00:00:00Z',
  }
  for (const [title, at] of Object.entries(edges)) await downloadOn(at, await aSong(pool.ctx, { title, artist: at }))
  const startDate = { day: 1, month: 11, year: 2026 }
  const endDate = { day: 30, month: 11, year: 2026 }
  expect(await titles({ startDate, endDate })).toEqual(['last', 'first'])
  expect((await rescue({ startDate, endDate })).pagination.totalCount).toBe(2)
  expect(await titles({ startDate })).toEqual(['after', 'last', 'first'])
  expect(await titles({ endDate })).toEqual(['last', 'first', 'before'])
  expect(await titles({ startDate: null, endDate: null })).toHaveLength(4)
  const refused = await errorOf(rescue({ endDate: { ...endDate, day: 31 } }))
  expect(refused).toMatchObject({ code: 'invalid_request', message: '31/11/2026 isn’t a valid date.' })
})

test('a search finds parts of titles and artists in any case, and every word must match', async () => {
  const songs = [
    { title: 'Midnight Bus', artist: 'Kwame' },
    { title: 'Night Shift', artist: 'Ama Serwaa' },
    { title: 'Sunrise', artist: 'The Knights' },
  ]
  for (const song of songs) await download((await aSong(pool.ctx, song)).versionIds[0])
  expect(await titles({ search: 'NIGHT' })).toEqual(['Sunrise', 'Night Shift', 'Midnight Bus'])
  expect(await titles({ search: '  kwa bus ' })).toEqual(['Midnight Bus'])
  expect(await titles({ search: 'kwa shift' })).toEqual([])
  expect(await titles({ search: 'buskwame' })).toEqual([])
  const { pagination } = await rescue({ search: 'night', pageLimit: 2, page: 2 })
  expect(pagination).toEqual({ page: 2, perPageLimit: 2, totalCount: 3 })
})

test('a search that many downloads match has all of their pages', async () => {
  const { entity_id, versionIds } = await aSong(pool.ctx, { title: 'Every Weekend', artist: 'Kwame' })
  const times = MAX_FEW_ROWS + 2
  await pool.ctx.sql`
    insert into download (download_id, customer_id, song_version_id, entity_id, at, completed_at)
    select nextval('download_id'), ${member.customer_id}, ${versionIds[0] ?? 0}, ${entity_id}, at, at
    from generate_series(1, ${times}::int) n, lateral (select now() - make_interval(days => n) as at) day`
  const [page, pageLimit] = [6, 100]
  const { results, pagination } = await rescue({ search: 'every', page, pageLimit })
  expect(results).toHaveLength(2)
  expect(pagination).toEqual({ page, perPageLimit: pageLimit, totalCount: times })
})

test('searches for %, _ and \\ literally', async () => {
  // Songs whose titles differ only in punctuation are the same song, so each has its own artist.
  const named = ['100% Pure', '100 Pure', 'under_score', 'underXscore', 'back\\slash', 'backslash']
  for (const [n, title] of named.entries()) {
    await download((await aSong(pool.ctx, { title, artist: `Signs ${n}` })).versionIds[0])
  }
  expect(await titles({ search: '0%' })).toEqual(['100% Pure'])
  expect(await titles({ search: 'r_s' })).toEqual(['under_score'])
  expect(await titles({ search: 'k\\s' })).toEqual(['back\\slash'])
  expect(await titles({ search: '%' })).toEqual(['100% Pure'])
})

test('pages have no gaps or repeated rows, even when all downloads have the same time', async () => {
  const { sql } = pool.ctx
  const song = await aSong(pool.ctx)
  await sql`
    with more as (
      insert into song_version (entity_id, version_kind_id, version_label, recipe, duration_seconds)
      select entity_id, version_kind_id, 'Take ' || n, '{}', 1 from song_version, generate_series(1, 60) n
      where entity_id = ${song.entity_id} returning song_version_id, entity_id)
    insert into download (download_id, customer_id, song_version_id, entity_id, at, completed_at)
    select nextval('download_id'), ${member.customer_id}, song_version_id, entity_id, t, t
    from more, lateral (select timestamptz '2026-11-01' + song_version_id % 3 * interval '1 day' as t) moment`
  const pages: number[][] = []
  for (const page of [1, 2, 3, 4]) {
    pages.push((await rescue({ page })).results.map(({ version }) => version.song_version_id))
  }
  expect(pages.map(({ length }) => length)).toEqual([24, 24, 12, 0])
  expect(new Set(pages.flat()).size).toBe(60)
  const whole = (await rescue({ pageLimit: 100 })).results.map(({ version }) => version.song_version_id)
  expect(pages.flat()).toEqual(whole)
  expect((await rescue({ page: 4 })).pagination).toEqual({ page: 4, perPageLimit: 24, totalCount: 60 })
  expect(await errorOf(rescue({ pageLimit: 101 }))).toMatchObject({ code: 'invalid_request' })
})

const complete = async () => completeDownloads(pool.ctx.sql, await idsInProgress())
const unpublish = (song: Song) => pool.ctx.sql.begin((sql) => unpublishSong(sql, song.entity_id))

test('only members who had downloaded a version can download it for 30 days after it is unpublished', async () => {
  const song = await aSong(pool.ctx, { title: 'Gone but kept' })
  const version = song.versionIds[0] ?? 0
  await download(version)
  await complete()
  await unpublish(song)
  expect((await rescue()).results).toMatchObject([{ title: 'Gone but kept', listed: false, available: true }])
  const { url, used } = await download(version)
  expect(used).toBe(2)
  expect((await pool.app.inject({ url })).statusCode).toBe(200)
  const other = await aMember(pool.ctx)
  expect(await errorOf(download(version, other.token))).toMatchObject({ code: 'unknown_version' })

  await pool.ctx.sql`update song set unpublished_at = now() - interval '31 days' where entity_id = ${song.entity_id}`
  expect((await rescue()).results[0]).toMatchObject({ title: 'Gone but kept', available: false })
  expect(await errorOf(download(version))).toMatchObject({ code: 'unknown_version' })
})

/** Sets the times so that tags were corrected a minute ago, and downloads made an hour before that. */
async function correct(song: Song) {
  await pool.ctx.sql`
    update download_grant set opened_at = opened_at - interval '1 hour' where customer_id = ${member.customer_id}`
  await pool.ctx.sql`
    update song set tags_changed_at = now() - interval '1 minute' where entity_id = ${song.entity_id}`
}

test('corrected tags allow one more free download, also when the limit is used up', async () => {
  const song = await aSong(pool.ctx)
  const version = song.versionIds[0] ?? 0
  for (let n = 0; n < 2; n++) {
    await download(version)
    await complete()
  }
  expect(await errorOf(download(version))).toMatchObject({ code: 'download_limit_reached' })
  await correct(song)
  expect((await rescue()).results[0]).toMatchObject({ can_fetch_free: true, is_corrected: true, used: 2 })
  const correctedFlags = async () =>
    (await pool.ctx.sql`select 1 from download_outbox where entity_id = ${song.entity_id}`).length
  const before = await correctedFlags()
  expect(await download(version)).toMatchObject({ used: 2 })
  await complete()
  expect(await correctedFlags(), 'downloads for the charts').toBe(before)
  expect((await rescue()).results.map(({ is_corrected }) => is_corrected)).toEqual([false, false])
  expect(await errorOf(download(version))).toMatchObject({ code: 'download_limit_reached' })
})

test('refunding a free download does not reduce the count', async () => {
  const song = await aSong(pool.ctx)
  const version = song.versionIds[0] ?? 0
  await download(version)
  await complete()
  await correct(song)
  await download(version)
  const [id] = await idsInProgress()
  await refundDownload(pool.ctx.sql, id ?? 0)
  expect((await rescue()).results).toMatchObject([{ used: 1 }])
})

test('a free download that could not be delivered stays free', async () => {
  const song = await aSong(pool.ctx)
  const version = song.versionIds[0] ?? 0
  for (let n = 0; n < 2; n++) {
    await download(version)
    await complete()
  }
  await correct(song)
  await download(version)
  const [id] = await idsInProgress()
  await refundDownload(pool.ctx.sql, id ?? 0)
  expect((await rescue()).results[0]).toMatchObject({ is_corrected: true, used: 2 })
  expect(await download(version)).toMatchObject({ used: 2 })
  await complete()
  expect(await errorOf(download(version))).toMatchObject({ code: 'download_limit_reached' })
})

test('unpublishing a song does not restart the 30 days of a version unpublished long before', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const version = song.versionIds[0] ?? 0
  await download(version)
  await complete()
  await pool.ctx.sql`
    update song_version set status = 'unpublished', unpublished_at = now() - interval '200 days' where song_version_id = ${version}`
  await unpublish(song)
  expect(await errorOf(download(version))).toMatchObject({ code: 'unknown_version' })
})
