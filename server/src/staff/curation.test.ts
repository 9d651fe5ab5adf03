import { readFileSync } from 'node:fs'
import path from 'node:path'
import { charts, collections, curatedGenres, curation, type InputOf, spotlights, trending } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { listImage } from '../catalogue/images.ts'
import { projectRoot } from '../platform/project-root.ts'

let pool: TestPool
let curator: Awaited<ReturnType<typeof aMember>>
let songs: number[]
let main: number
let sunsetId: number

beforeAll(async () => {
  // Shared replies are cached for a second: the clock of these tests advances by two with every request.
  vi.useFakeTimers({ toFake: ['Date'] })
  pool = await openTestPool({ usesUniqueAddresses: true })
  curator = await aMember(pool.ctx, { staff_role: 'curator' })
  songs = []
  for (let n = 0; n < 22; n++) songs.push((await aSong(pool.ctx)).entity_id)
  main = (await saveCuratedGenre({ title: 'Moods' })).curated_genre_id
  sunsetId = (await saveCuratedGenre({ title: 'Sunset', parent_id: main })).curated_genre_id
})
afterAll(async () => {
  vi.useRealTimers()
  await pool.close()
})
afterEach(async () => {
  const { sql } = pool.ctx
  await sql`delete from curated_list`
  await sql`delete from top20`
  await sql`delete from trending_override`
  await sql`delete from audit`
  await sql`update song set status = 'published'`
})

const HOUR = 3_600_000
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

type ListInput = InputOf<typeof curation.saveList>

/** Saves a spotlight of three songs, a draft by default. */
const save = async (overrides: Partial<ListInput> = {}) => {
  const first = { kind: 'spotlight', title: 'Warm-up', created_by: 'Ada', entity_ids: songs.slice(0, 3) } as const
  return (await pool.ask(curation.saveList, { ...first, ...overrides }, curator.token)).list
}
const saveTop20 = (overrides: Partial<ListInput> = {}) =>
  save({ kind: 'top20', title: 'November', entity_ids: songs.slice(0, 20), ...overrides })
const saveCuratedGenre = async (overrides: InputOf<typeof curatedGenres.saveGenre>) =>
  (await pool.ask(curatedGenres.saveGenre, overrides, curator.token)).genre

const again = ({ kind, list_id, version, title, entity_ids }: curation.ListDetails): ListInput => ({
  ...{ kind, list_id, version, title, entity_ids },
})

/** Simulates hours passing: moves all times back. */
const passHours = async (hours: number) => {
  const { sql } = pool.ctx
  const by = sql`make_interval(secs => ${hours * 3600})`
  await sql`update curated_list set published_at = published_at - ${by}, ended_at = ended_at - ${by},
    unpublished_at = unpublished_at - ${by}, suggested_from = suggested_from - ${by}`
  await sql`update top20 set published_at = published_at - ${by}, ended_at = ended_at - ${by}, unpublished_at = unpublished_at - ${by}`
  await sql`update trending_override set until = until - ${by}`
}

const askAsMember: TestPool['ask'] = (call, input) => {
  vi.setSystemTime(Date.now() + 2000)
  return pool.ask(call, input)
}
const statusOf = async (url: string) => (await pool.app.inject({ method: 'GET', url })).statusCode

/** Returns the places where members can see a spotlight, and whether it is there. */
async function findPlacements(listId: number) {
  const has = ({ curatedlist }: { curatedlist: spotlights.CuratedList[] }) =>
    curatedlist.some((list) => list.curated_list_id === listId)
  const lists = await askAsMember(spotlights.getCuratedLists, {})
  const ofMain = await askAsMember(spotlights.getCuratedLists, { curated_genres_id: main })
  const { genres } = await askAsMember(spotlights.getCuratedGenres, {})
  const moods = genres.find(({ genre_id }) => genre_id === main)
  return {
    home: has(await askAsMember(spotlights.getSpotlights, {})),
    index: has(lists),
    counted: lists.pagination.totalCount,
    ofMain: has(ofMain),
    ofMainCounted: ofMain.pagination.totalCount,
    genreCounts: [moods?.list_count, moods?.subgenres[0]?.list_count],
    suggested: has(await askAsMember(spotlights.getSuggestedLists, {})),
    songs: await askAsMember(spotlights.getSpotlightSongs, { curated_list_id: listId }).then(
      (list) => list.songs.length,
      (error) => error.reply.code,
    ),
  }
}

const NO_PUBLICATION = {
  ...{ home: false, index: false, counted: 0, ofMain: false, ofMainCounted: 0, genreCounts: [0, 0] },
  ...{ suggested: false, songs: 'unknown_list' },
}
const FULL_PUBLICATION = {
  ...{ home: true, index: true, counted: 1, ofMain: true, ofMainCounted: 1, genreCounts: [1, 1] },
  ...{ suggested: true, songs: 3 },
}

test('a spotlight is visible nowhere before its start, everywhere after it, and nowhere after its end', async () => {
  const draft = await save({ curated_genre_id: sunsetId })
  const { list } = await pool.ask(
    curation.suggestList,
    { list_id: draft.list_id, version: draft.version, suggested: true },
    curator.token,
  )
  const cover = listImage('list', draft.list_id, { artwork: null, title: 'Warm-up', cover_seed: 0 })
  expect(await findPlacements(draft.list_id)).toEqual(NO_PUBLICATION)
  const scheduled = await save({
    ...again(list),
    curated_genre_id: sunsetId,
    publication: 'at',
    published_at: hoursFromNow(24),
    ended_at: hoursFromNow(48),
  })
  expect(scheduled).toMatchObject({ state: 'scheduled', was_published: false, created_by: 'Ada' })
  expect(await findPlacements(draft.list_id)).toEqual(NO_PUBLICATION)
  expect(await statusOf(cover)).toBe(404)
  await passHours(25)
  expect(await findPlacements(draft.list_id)).toEqual(FULL_PUBLICATION)
  expect(await statusOf(cover)).toBe(200)
  await passHours(24)
  expect(await findPlacements(draft.list_id)).toEqual(NO_PUBLICATION)
})

test('an unpublished spotlight disappears from the site at once, and can be published again', async () => {
  const publishedList = await save({ publication: 'now' })
  expect((await findPlacements(publishedList.list_id)).songs).toBe(3)
  const named = { kind: publishedList.kind, list_id: publishedList.list_id }
  const { list } = await pool.ask(curation.unpublishList, { ...named, version: publishedList.version }, curator.token)
  expect(list).toMatchObject({ state: 'unpublished', was_published: true })
  expect(await findPlacements(publishedList.list_id)).toEqual(NO_PUBLICATION)
  const remove = pool.ask(curation.removeList, { ...named, version: list.version }, curator.token)
  expect(await errorOf(remove)).toMatchObject({ code: 'already_published', status: 409 })
  expect(await errorOf(save({ ...again(list), publication: 'draft' }))).toMatchObject({ code: 'already_published' })
  const changed = await save({ ...again(list), title: 'Still away' })
  expect(changed.state).toBe('unpublished')
  expect(await save({ ...again(changed), publication: 'now' })).toMatchObject({ state: 'published' })
  expect((await findPlacements(publishedList.list_id)).home).toBe(true)
})

test('a list that was shown and rescheduled cannot be deleted; one that was only scheduled can', async () => {
  const publishedList = await save({ publication: 'now' })
  const postponed = await save({ ...again(publishedList), publication: 'at', published_at: hoursFromNow(5) })
  expect(postponed).toMatchObject({ state: 'scheduled', was_published: true })
  const remove = ({ kind, list_id, version }: curation.ListDetails) =>
    pool.ask(curation.removeList, { kind, list_id, version }, curator.token)
  expect(await errorOf(remove(postponed))).toMatchObject({ code: 'already_published' })
  const scheduledList = await save({ publication: 'at', published_at: hoursFromNow(5) })
  const { kind, list_id, version } = scheduledList
  const { list } = await pool.ask(curation.unpublishList, { kind, list_id, version }, curator.token)
  expect(list).toMatchObject({ state: 'draft', published_at: null, was_published: false })
  expect(
    await errorOf(pool.ask(curation.unpublishList, { kind, list_id, version: list.version }, curator.token)),
  ).toMatchObject({ code: 'not_published' })
  await remove(list)
  expect(await errorOf(remove(list))).toMatchObject({ code: 'unknown_list', status: 404 })
})

test('a top 20 appears at its time, on its page and under its own URL, and not before', async () => {
  const { list_id } = await saveTop20({ publication: 'at', published_at: hoursFromNow(3), ended_at: hoursFromNow(6) })
  const seen = async () => {
    const { tracks, pagination } = await askAsMember(charts.getTop20Tracks, {})
    const own = await askAsMember(charts.getTop20Songs, { top20_track_id: list_id }).then(
      ({ songs }) => songs.map(({ rank }) => rank),
      (error) => error.reply.code,
    )
    const picture = tracks[0] && (await statusOf(tracks[0].cover_image))
    return [tracks.map((one) => one.top20_track_id), pagination.totalCount, own, picture]
  }
  const cover = listImage('top20', list_id, { artwork: null, title: 'November', cover_seed: 0 })
  expect([await seen(), await statusOf(cover)]).toEqual([[[], 0, 'unknown_list', undefined], 404])
  await passHours(4)
  expect(await seen()).toEqual([[list_id], 1, songs.slice(0, 20).map((_, n) => n + 1), 200])
  await passHours(3)
  expect(await seen()).toEqual([[], 0, 'unknown_list', undefined])
})

test('a conditional request gets a new list as soon as it is published', async () => {
  await save({ publication: 'at', published_at: hoursFromNow(3) })
  const url = `/api/${spotlights.getSpotlights.path}`
  const get = (tag?: string) => {
    vi.setSystemTime(Date.now() + 2000)
    return pool.app.inject({ method: 'GET', url, headers: tag ? { 'if-none-match': tag } : {} })
  }
  const before = await get()
  const tag = String(before.headers.etag)
  expect((await get(tag)).statusCode).toBe(304)
  await passHours(4)
  const after = await get(tag)
  expect([after.statusCode, after.json().data.curatedlist.length]).toEqual([200, 1])
})

test('a top 20 needs twenty songs to be published; the error says how many are missing', async () => {
  const draft = await saveTop20({ entity_ids: songs.slice(0, 17) })
  expect(draft).toMatchObject({ state: 'draft', song_count: 17 })
  const publish = (entity_ids: number[]) => saveTop20({ ...again(draft), entity_ids, publication: 'now' })
  const rejection = await errorOf(publish(songs.slice(0, 17)))
  expect(rejection).toMatchObject({
    code: 'wrong_song_count',
    status: 422,
    message: expect.stringContaining('3 are missing'),
  })
  expect((await errorOf(publish(songs.slice(0, 21)))).message).toContain('Remove 1.')
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${songs[4] ?? 0}`
  expect((await errorOf(publish(songs.slice(0, 20)))).message).toMatch(
    /: 1 is missing\. “.+” is unpublished and doesn’t count\./,
  )
  const publishedList = await publish([...songs.slice(0, 4), ...songs.slice(5, 21)])
  expect(publishedList).toMatchObject({ state: 'published', song_count: 20 })
  // A song unpublished later must not prevent correcting the title.
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${songs[5] ?? 0}`
  expect(await saveTop20({ ...again(publishedList), title: 'Corrected' })).toMatchObject({ unpublished_songs: 1 })
  expect((await errorOf(saveTop20({ ...again(publishedList), version: 3, entity_ids: songs.slice(0, 3) }))).code).toBe(
    'wrong_song_count',
  )
  expect((await errorOf(save({ entity_ids: [], publication: 'now' }))).code).toBe('wrong_song_count')
})

test('a song can be in a list once; an unknown song is rejected, an unpublished one is marked', async () => {
  const [a = 0, b = 0] = songs
  const twice = await errorOf(save({ entity_ids: [a, b, a] }))
  expect(twice).toMatchObject({
    code: 'duplicate_song',
    message: 'The song at position 3 is already in the list at position 1.',
  })
  expect(await errorOf(save({ entity_ids: [a, 999_999] }))).toMatchObject({ code: 'unknown_song', status: 404 })
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${b}`
  const list = await save({ entity_ids: [b, a], publication: 'now' })
  expect(list).toMatchObject({ entity_ids: [b, a], song_count: 2, unpublished_songs: 1 })
  const found = await pool.ask(curation.getSongs, { entity_ids: [999_999, b, a] }, curator.token)
  expect(found).toMatchObject({ songs: [{ entity_id: a }], unpublished: [{ entity_id: b }], unknown: [999_999] })
})

test('a preview is what members see after publication', async () => {
  const [unpublished = 0] = songs
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${unpublished}`
  const preview = (kind: curation.Kind, entity_ids: number[]) =>
    pool.ask(curation.previewList, { kind, entity_ids }, curator.token)
  const spotlight = await preview('spotlight', songs)
  const { list_id } = await save({ entity_ids: songs, publication: 'now' })
  const { title: _, ...read } = await askAsMember(spotlights.getSpotlightSongs, { curated_list_id: list_id })
  expect(spotlight).toEqual(read)
  const ranked = await preview('top20', songs.slice(0, 20))
  const top20 = await saveTop20({ entity_ids: songs.slice(1, 21), publication: 'now' })
  await saveTop20({ ...again(top20), entity_ids: songs.slice(0, 20) })
  const { title: __, ...readTop20 } = await askAsMember(charts.getTop20Songs, { top20_track_id: top20.list_id })
  expect(ranked).toEqual(readTop20)
  expect(ranked.songs[0]?.rank).toBe(2)
})

test('the second of two curators gets a conflict; drafts are only visible to staff', async () => {
  const list = await save()
  const first = await save({ ...again(list), title: 'First' })
  expect(await errorOf(save({ ...again(list), title: 'Second' }))).toMatchObject({
    ...{ code: 'conflict', status: 409 },
  })
  const { version, ...withoutVersion } = again(first)
  expect(await errorOf(save(withoutVersion))).toMatchObject({ code: 'conflict' })
  const { kind, list_id } = list
  for (const call of [curation.unpublishList, curation.removeList])
    expect(await errorOf(pool.ask(call, { kind, list_id, version: 1 }, curator.token))).toMatchObject({
      code: 'conflict',
    })
  const member = await aMember(pool.ctx)
  expect(await errorOf(pool.ask(curation.getList, { kind, list_id }, member.token))).toMatchObject({ status: 404 })
  expect(version).toBe(2)
})

test('validates times, and lists drafts first, with the number in each state', async () => {
  expect(
    await errorOf(save({ publication: 'at', published_at: hoursFromNow(3), ended_at: hoursFromNow(2) })),
  ).toMatchObject({
    code: 'invalid_date_range',
  })
  expect(await errorOf(save({ publication: 'at' }))).toMatchObject({ code: 'invalid_request' })
  expect(await errorOf(save({ publication: 'at', published_at: '9999-01-01T00:00:00Z' }))).toMatchObject({
    code: 'invalid_request',
  })
  await save({ title: 'Out', publication: 'now' })
  await save({ title: '100 % draft' })
  await save({ title: 'Soon', publication: 'at', published_at: hoursFromNow(1), ended_at: hoursFromNow(2) })
  const lists = (overrides: object = {}) =>
    pool.ask(curation.getLists, { kind: 'spotlight', ...overrides }, curator.token)
  const all = await lists()
  expect(all.lists.map(({ title }) => title)).toEqual(['100 % draft', 'Soon', 'Out'])
  expect(all.counts).toEqual({ draft: 1, scheduled: 1, published: 1, ended: 0, unpublished: 0 })
  expect((await lists({ find: '0 %' })).pagination.totalCount).toBe(1)
  expect((await lists({ state: 'scheduled' })).lists).toMatchObject([{ title: 'Soon' }])
  const [draft, , publishedList] = all.lists
  expect([draft?.image.slice(0, 20), publishedList?.image.slice(0, 13)]).toEqual([
    'data:image/svg+xml;b',
    '/images/list-',
  ])
  const { events } = await pool.ask(curation.getSchedule, {}, curator.token)
  expect(events.map(({ event, title }) => [event, title])).toEqual([
    ['starts', 'Soon'],
    ['ends', 'Soon'],
  ])
})

test('another seed gives another cover URL; an uploaded cover is re-encoded as a square', async () => {
  const list = await save({ publication: 'now', cover_seed: 7 })
  const other = await save({ ...again(list), cover_seed: 8 })
  expect(other.image).not.toBe(list.image)
  expect([await statusOf(list.image), await statusOf(other.image)]).toEqual([404, 200])
  const send = async (bytes: Buffer, name: string) => {
    const form = new FormData()
    form.append('picture', new Blob([new Uint8Array(bytes)]), name)
    const request = new Request('http://pool/', { method: 'POST', body: form })
    return pool.app.inject({
      ...{ method: 'POST', url: `/api/${curation.uploadCover.path}` },
      headers: { authorization: `Bearer ${curator.token}`, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
  }
  const png = await sharp({ create: { width: 90, height: 40, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  expect((await send(Buffer.from('<svg/>'), 'a.png')).json().code).toBe('invalid_image')
  expect((await send(Buffer.alloc(0), 'a.png')).json().code).toBe('file_required')
  const { artwork_id, image } = (await send(png, 'a.txt')).json().data
  expect(await statusOf(image)).toBe(200)
  expect(await save({ ...again(other), artwork_id })).toMatchObject({ artwork_id, image })
  const [tile] = (await askAsMember(spotlights.getSpotlights, {})).curatedlist
  expect(tile?.image).toBe(image)
  expect(await errorOf(save({ artwork_id: 999_999 }))).toMatchObject({ code: 'unknown_cover' })
})

test('staff choose the suggested spotlight and its start', async () => {
  const old = await save({ title: 'Old', publication: 'at', published_at: hoursFromNow(-50) })
  const fresh = await save({ title: 'Fresh', publication: 'at', published_at: hoursFromNow(-5) })
  const suggest = async ({ list_id, version }: curation.ListDetails, suggested_from: string | null = null) =>
    (await pool.ask(curation.suggestList, { list_id, version, suggested: true, suggested_from }, curator.token)).list
  await suggest(fresh)
  await suggest(old, hoursFromNow(2))
  const members = async () =>
    (await askAsMember(spotlights.getSuggestedLists, {})).curatedlist.map(({ title }) => title)
  const staff = async () => {
    const { now, next } = await pool.ask(curation.getSuggested, {}, curator.token)
    return [now.map(({ title }) => title), next.map(({ title }) => title)]
  }
  expect([await members(), await staff()]).toEqual([['Fresh'], [['Fresh'], ['Old']]])
  await passHours(3)
  expect([await members(), await staff()]).toEqual([
    ['Old', 'Fresh'],
    [['Old', 'Fresh'], []],
  ])
})

test('the month’s most downloaded songs are proposed for a top 20', async () => {
  const { sql } = pool.ctx
  const day = (at: string, entity_id: number, n: number) =>
    sql`insert into chart_count (period, start, entity_id, n) values ('day', ${`${at}T00:00:00Z`}, ${entity_id}, ${n})`
  const [a = 0, b = 0, c = 0] = songs
  await day('2026-09-30', a, 90)
  await day('2026-10-01', b, 2)
  await day('2026-10-31', b, 3)
  await day('2026-10-31', c, 4)
  await day('2026-11-01', a, 90)
  const monthChart = await pool.ask(curation.getMonthChart, { month: '2026-10' }, curator.token)
  expect(monthChart.songs.map(({ entity_id, rank, downloads }) => [entity_id, rank, downloads])).toEqual([
    [b, 1, 5],
    [c, 2, 4],
  ])
  expect(await errorOf(pool.ask(curation.getMonthChart, { month: '2026-13' }, curator.token))).toMatchObject({
    code: 'invalid_request',
  })
})

test('a song is pinned to a rank for a set time', async () => {
  const [a = 0, b = 0] = songs
  const pin = (overrides: InputOf<typeof trending.pinSong>) => pool.ask(trending.pinSong, overrides, curator.token)
  const readShownSongs = async () =>
    (await askAsMember(charts.getTrendingTracks, {})).songs.map((song) => [song.rank, song.entity_id])
  await pin({ entity_id: a, rank: 3, until: hoursFromNow(5) })
  expect(await readShownSongs()).toEqual([[3, a]])
  expect(await errorOf(pin({ entity_id: b, rank: 3 }))).toMatchObject({ code: 'rank_taken', status: 409 })
  expect(await errorOf(pin({ entity_id: a, rank: 4 }))).toMatchObject({ code: 'conflict' })
  expect(await errorOf(pin({ entity_id: b, rank: 4, until: hoursFromNow(-1) }))).toMatchObject({
    code: 'invalid_date_range',
  })
  expect(await errorOf(pin({ entity_id: 999_999, rank: 9 }))).toMatchObject({ code: 'unknown_song' })
  await pin({ entity_id: a, rank: 4, until: hoursFromNow(5), previous_rank: 3 })
  const now = await pool.ask(trending.getTrending, {}, curator.token)
  expect(now).toMatchObject({ computed: [], pins: [{ entity_id: a, rank: 4, unpublished: false }] })
  expect(now.shown).toHaveLength(1)
  await passHours(6)
  expect(await readShownSongs()).toEqual([])
  await pin({ entity_id: b, rank: 4 })
  expect(await readShownSongs()).toEqual([[4, b]])
  const unpin = (rank: number) => pool.ask(trending.unpinSong, { entity_id: b, rank }, curator.token)
  expect(await errorOf(unpin(9))).toMatchObject({ code: 'conflict' })
  await unpin(4)
  expect(await errorOf(unpin(4))).toMatchObject({ code: 'unknown_pin', status: 404 })
  expect(await readShownSongs()).toEqual([])
  const auditEntries = await pool.ctx
    .sql`select action, subject, before->'rank' as was, after->'rank' as is from audit order by audit_id`
  expect(auditEntries.map(({ was: previous, is }) => [previous, is])).toEqual([
    [null, 3],
    [3, 4],
    [null, 4],
    [4, null],
  ])
})

test('curated genres are an ordered tree of two levels', async () => {
  const other = await saveCuratedGenre({ title: 'Places' })
  const child = await saveCuratedGenre({ title: 'Beach', parent_id: other.curated_genre_id })
  const tree = async () => (await pool.ask(curatedGenres.getGenres, {}, curator.token)).genres.map(({ title }) => title)
  expect(await tree()).toEqual(['Moods', 'Sunset', 'Places', 'Beach'])
  const change = (genre: curatedGenres.StaffGenre, overrides: { title?: string; parent_id?: number | null }) => {
    const { curated_genre_id, version, title, parent_id } = genre
    return saveCuratedGenre({ curated_genre_id, version, title, parent_id, ...overrides })
  }
  expect(await errorOf(change(child, { title: 'SUNSET', parent_id: main }))).toMatchObject({ code: 'name_taken' })
  expect(await errorOf(change(child, { parent_id: sunsetId }))).toMatchObject({ code: 'nesting_too_deep' })
  expect(await errorOf(change(other, { parent_id: main }))).toMatchObject({ code: 'nesting_too_deep' })
  const moved = await change(child, { title: 'Shore', parent_id: main })
  expect(await tree()).toEqual(['Moods', 'Sunset', 'Shore', 'Places'])
  expect(await errorOf(change(child, { title: 'Late' }))).toMatchObject({
    ...{
      code: 'conflict',
      message: 'Someone else changed this genre; it’s now named “Shore”. Reload to see the changes.',
    },
  })
  const order = (parent_id: number | null, ...curated_genre_ids: number[]) =>
    pool.ask(curatedGenres.orderGenres, { parent_id, curated_genre_ids }, curator.token)
  await order(null, other.curated_genre_id, main)
  await order(main, moved.curated_genre_id, sunsetId)
  expect(await tree()).toEqual(['Places', 'Moods', 'Shore', 'Sunset'])
  const { genres } = await askAsMember(spotlights.getCuratedGenres, {})
  expect(genres.map(({ title }) => title)).toEqual(['Places', 'Moods'])
  expect(await errorOf(order(main, sunsetId))).toMatchObject({ code: 'conflict' })
  await save({ curated_genre_id: moved.curated_genre_id })
  const remove = (curated_genre_id: number) => pool.ask(curatedGenres.removeGenre, { curated_genre_id }, curator.token)
  for (const id of [main, moved.curated_genre_id])
    expect(await errorOf(remove(id))).toMatchObject({ code: 'genre_in_use', status: 409 })
  await remove(other.curated_genre_id)
  expect(await errorOf(remove(other.curated_genre_id))).toMatchObject({ code: 'unknown_genre' })
  await pool.ctx.sql`delete from curated_list`
  await remove(moved.curated_genre_id)
})

test('a pool with manually assigned genre ids can add a genre after the migration', async () => {
  const { sql } = pool.ctx
  const [next] = await sql<[{ id: number }]>`
    select nextval(pg_get_serial_sequence('curated_genre', 'curated_genre_id'))::int as id`
  await sql`insert into curated_genre (curated_genre_id, title) overriding system value values (${next.id + 1}, 'By hand')`
  const migration = readFileSync(path.join(projectRoot, 'server', 'migrations', '0018-programming.sql'), 'utf8')
  await sql.unsafe(migration.slice(migration.indexOf('select setval')))
  expect((await saveCuratedGenre({ title: 'By the pool' })).curated_genre_id).toBe(next.id + 2)
  await sql`delete from curated_genre where curated_genre_id > ${next.id}`
})

test('every change is in the audit log with the values before and after', async () => {
  const list = await save()
  const publishedList = await save({
    ...again(list),
    title: 'Warmer',
    entity_ids: songs.slice(0, 2),
    publication: 'now',
  })
  const { kind, list_id, version } = publishedList
  await pool.ask(curation.unpublishList, { kind, list_id, version }, curator.token)
  const scheduledList = await saveTop20({ publication: 'at', published_at: hoursFromNow(9) })
  const named = { kind: scheduledList.kind, list_id: scheduledList.list_id }
  await pool.ask(curation.unpublishList, { ...named, version: 1 }, curator.token)
  await pool.ask(curation.removeList, { ...named, version: 2 }, curator.token)
  const auditEntries = await pool.ctx.sql<
    { action: string; subject: string; staff_id: number; before: unknown; after: unknown }[]
  >`
    select action, subject, staff_id, before, after from audit order by audit_id`
  expect(auditEntries.map(({ action, subject }) => [action, subject])).toEqual([
    ['spotlight created', `spotlight ${list_id}`],
    ['spotlight published', `spotlight ${list_id}`],
    ['spotlight unpublished', `spotlight ${list_id}`],
    ['top20 scheduled', `top20 ${scheduledList.list_id}`],
    ['top20 unscheduled', `top20 ${scheduledList.list_id}`],
    ['top20 deleted', `top20 ${scheduledList.list_id}`],
  ])
  expect(new Set(auditEntries.map(({ staff_id }) => staff_id))).toEqual(new Set([curator.customer_id]))
  expect(auditEntries[1]).toMatchObject({
    before: { title: 'Warm-up', state: 'draft', songs: songs.slice(0, 3) },
    after: { title: 'Warmer', state: 'published', songs: songs.slice(0, 2) },
  })
  expect([auditEntries[0]?.before, auditEntries[5]?.after]).toEqual([null, null])
  expect(JSON.stringify(auditEntries)).not.toContain('Ada')
})

test.each(['spotlight', 'top20'] as const)('members see the description of a %s, and it is audited', async (kind) => {
  const saveKind = kind === 'top20' ? saveTop20 : save
  const list = await saveKind({ description: '  Big drums\n and   clean intros. ', publication: 'now' })
  expect(list.description).toBe('Big drums and clean intros.')
  const shown = async () => {
    const { collection } = await askAsMember(collections.getCollection, { type: kind, id: list.list_id })
    return collection.description
  }
  expect(await shown()).toBe('Big drums and clean intros.')
  // A client that does not know the field leaves it unchanged.
  const renamed = await save({ ...again(list), title: 'Later' })
  expect(renamed.description).toBe('Big drums and clean intros.')
  await save({ ...again(renamed), description: '' })
  expect(await shown()).toBe('')
  const [entry] = await pool.ctx.sql`
    select before->>'description' as before, after->>'description' as after from audit order by audit_id desc limit 1`
  expect(entry).toEqual({ before: 'Big drums and clean intros.', after: '' })
})

test('a description has at most 300 characters', async () => {
  const tooLong = save({ description: 'x'.repeat(301) })
  expect(await errorOf(tooLong)).toMatchObject({ code: 'invalid_request', message: 'Use at most 300 characters.' })
  expect((await save({ description: 'x'.repeat(300) })).description).toHaveLength(300)
})
