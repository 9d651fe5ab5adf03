import { charts, type InputOf } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGenre, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { trendingTracks } from '../curation/trending.ts'
import { rollUpDownloads } from '../downloads/chart-outbox.ts'
import { rollUpListens } from '../player/chart-outbox.ts'
import { type ChartName, refreshChart, refreshDueCharts } from './chart-snapshots.ts'
import { chartPage } from './charts.ts'

const NOW = new Date('2026-06-10T12:30:00Z')
const BULK = 120

let pool: TestPool
let house: number
let deep: number
let mellow: number
const songs: Record<'Anthem' | 'Bassline' | 'Cutdown' | 'Deepest' | 'Kut', number> = {} as never
beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House')
  deep = await aGenre(pool.ctx, 'Deep House', { parent_id: house })
  mellow = await aGenre(pool.ctx, 'Mellow', { kind: 'mood' })
  const add = async (title: keyof typeof songs, genres: number[], section = 1) => {
    songs[title] = (await aSong(pool.ctx, { title, genres, song_section_id: section })).entity_id
  }
  await add('Anthem', [house])
  await add('Bassline', [house, mellow])
  await add('Cutdown', [])
  await add('Deepest', [deep])
  await add('Kut', [house], 2)
  await pool.ctx.sql`
    insert into song (title, artist, song_identity) select 'Bulk ' || to_char(n, 'FM000'), 'Bulk', 'bulk ' || n
    from generate_series(1, ${BULK}::int) n`
})
beforeEach(async () => {
  const { sql } = pool.ctx
  await sql`truncate chart_count, listen_count, song_total, chart_snapshot, chart_refresh, trending_override`
  await sql`update song set status = 'published'`
})
afterAll(() => pool.close())

const happened = async (what: 'download' | 'listen', entityId: number, at: string | Date, times = 1) => {
  const { sql } = pool.ctx
  await sql`insert into ${sql(`${what}_outbox`)} (entity_id, at)
    select ${entityId}::bigint, ${at}::timestamptz from generate_series(1, ${times}::int)`
  await (what === 'download' ? rollUpDownloads(sql) : rollUpListens(sql))
}
const downloaded = (song: keyof typeof songs, at: string | Date, times = 1) =>
  happened('download', songs[song], at, times)

/** The n-th bulk song has n downloads in the last hour. */
const downloadBulk = () => pool.ctx.sql`
  insert into chart_count (period, start, entity_id, n)
  select 'hour', date_trunc('hour', ${NOW}::timestamptz, 'UTC'), entity_id, row_number() over (order by entity_id)
  from song where artist = 'Bulk'`

const askChart = (params: InputOf<typeof charts.getChart> = {}) =>
  chartPage(pool.ctx.sql, charts.getChart.input.parse(params), 2)

const counted = async (chart: ChartName, params: InputOf<typeof charts.getChart> = {}) => {
  await refreshChart(pool.ctx.sql, chart, NOW)
  const { songs } = await askChart({ ...(chart === 'trending' ? {} : { chart_type: chart }), ...params })
  return songs.map(({ title, rank, downloads, rank_before }) => [title, rank, downloads, rank_before])
}

test('ranks by downloads, and of two with equal downloads puts the newer song first', async () => {
  await downloaded('Anthem', NOW, 2)
  await downloaded('Bassline', NOW, 3)
  await downloaded('Cutdown', NOW, 2)
  expect(await counted('daily')).toEqual([
    ['Bassline', 1, 3, null],
    ['Cutdown', 2, 2, null],
    ['Anthem', 3, 2, null],
  ])
})

test('has separate charts for songs and kuts, and one for both', async () => {
  await downloaded('Anthem', NOW, 2)
  await downloaded('Kut', NOW, 3)
  expect(await counted('daily')).toEqual([['Anthem', 1, 2, null]])
  expect(await counted('daily', { song_section_id: 2 })).toEqual([['Kut', 1, 3, null]])
  const both = [
    ['Kut', 1, 3, null],
    ['Anthem', 2, 2, null],
  ]
  expect(await counted('daily', { song_section_id: 0 })).toEqual(both)
  expect(await counted('daily', { song_section_id: 0, genre_id: house })).toEqual(both)
})

test.each([
  ['daily', '2026-06-09T13:00:00Z', '2026-06-09T12:59:59Z', '2026-06-08T13:00:00Z', '2026-06-08T12:59:59Z'],
  ['weekly', '2026-06-04T00:00:00Z', '2026-06-03T23:59:59Z', '2026-05-28T00:00:00Z', '2026-05-27T23:59:59Z'],
  ['monthly', '2026-05-12T00:00:00Z', '2026-05-11T23:59:59Z', '2026-04-12T00:00:00Z', '2026-04-11T23:59:59Z'],
] as const)(
  'starts and ends the %s chart to the hour or day, and the previous one too',
  async (chart, first, before, firstBefore, tooOld) => {
    await downloaded('Anthem', first)
    await downloaded('Anthem', before, 2)
    await downloaded('Bassline', first, 2)
    await downloaded('Bassline', firstBefore)
    await downloaded('Cutdown', first, 3)
    await downloaded('Cutdown', tooOld, 9)
    await downloaded('Deepest', before, 9)
    expect(await counted(chart)).toEqual([
      ['Cutdown', 1, 3, null],
      ['Bassline', 2, 2, 3],
      ['Anthem', 3, 1, 2],
    ])
  },
)

test('is not empty a minute after midnight', async () => {
  await downloaded('Anthem', '2026-06-10T23:50:00Z')
  await refreshChart(pool.ctx.sql, 'daily', new Date('2026-06-11T00:01:00Z'))
  expect((await askChart()).songs).toHaveLength(1)
})

test('counts up to its time and no further', async () => {
  await downloaded('Anthem', NOW)
  await downloaded('Bassline', '2026-06-10T13:00:00Z')
  expect(await counted('daily')).toEqual([['Anthem', 1, 1, null]])
})

test('has a chart for each genre, including its sub-genres, and for each mood', async () => {
  const yesterday = '2026-06-09T10:00:00Z'
  await downloaded('Cutdown', NOW, 9)
  await downloaded('Anthem', NOW, 3)
  await downloaded('Deepest', NOW, 2)
  await downloaded('Bassline', NOW, 1)
  await downloaded('Cutdown', yesterday, 9)
  await downloaded('Deepest', yesterday)
  expect(await counted('daily', { genre_id: house })).toEqual([
    ['Anthem', 1, 3, null],
    ['Deepest', 2, 2, 1],
    ['Bassline', 3, 1, null],
  ])
  expect(await counted('daily', { genre_id: deep })).toEqual([['Deepest', 1, 2, 1]])
  expect(await counted('daily', { genre_id: mellow })).toEqual([['Bassline', 1, 1, null]])
})

test('lists no kuts in the chart of songs', async () => {
  await downloaded('Kut', NOW, 9)
  await downloaded('Anthem', NOW)
  expect(await counted('daily')).toEqual([['Anthem', 1, 1, null]])
})

test('leaves the rank of an unpublished song empty until the chart is counted again', async () => {
  await downloaded('Anthem', NOW, 3)
  await downloaded('Bassline', NOW, 2)
  await downloaded('Cutdown', NOW, 1)
  await counted('daily')
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${songs.Bassline}`
  const reply = await askChart()
  expect(reply.songs.map((song) => [song.title, song.rank])).toEqual([
    ['Anthem', 1],
    ['Cutdown', 3],
  ])
  expect(reply.pagination.totalCount).toBe(2)
  expect(await counted('daily')).toEqual([
    ['Anthem', 1, 3, null],
    ['Cutdown', 2, 1, null],
  ])
})

test('removes a song nobody downloads any more, and moves the following ones up', async () => {
  await downloaded('Anthem', '2026-06-09T13:10:00Z', 5)
  await downloaded('Bassline', NOW)
  await counted('daily')
  await refreshChart(pool.ctx.sql, 'daily', new Date('2026-06-10T14:00:00Z'))
  const { songs } = await askChart()
  expect(songs.map(({ title, rank, rank_before }) => [title, rank, rank_before])).toEqual([['Bassline', 1, null]])
})

test('has a hundred ranks, 24 a page', async () => {
  await downloadBulk()
  await refreshChart(pool.ctx.sql, 'daily', NOW)
  const first = await askChart()
  expect(first.pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 100 })
  expect(first.songs.map((song) => song.rank)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1))
  expect(first.songs[0]).toMatchObject({ title: `Bulk ${BULK}`, downloads: BULK })
  const last = await askChart({ page: 5 })
  expect(last.songs.map((song) => song.rank)).toEqual([97, 98, 99, 100])
  expect((await askChart({ page: 6 })).songs).toEqual([])
})

test('marks a song that was below rank 100 before as new', async () => {
  const { sql } = pool.ctx
  await downloadBulk()
  await sql`update chart_count set start = start - interval '1 day'`
  for (const title of ['Bulk 020', 'Bulk 021']) {
    const [song] = await sql<{ entity_id: number }[]>`select entity_id from song where title = ${title}`
    await happened('download', song?.entity_id ?? 0, NOW)
  }
  expect(await counted('daily')).toEqual([
    ['Bulk 021', 1, 1, 100],
    ['Bulk 020', 2, 1, null],
  ])
})

test('sorts the songs of the chart by another column and keeps their ranks', async () => {
  await downloadBulk()
  await refreshChart(pool.ctx.sql, 'daily', NOW)
  const byTitle = await askChart({ order: 'title', orderDir: 'ASC', page: 2 })
  expect(byTitle.songs[0]).toMatchObject({ title: 'Bulk 045', rank: 76 })
  const newest = await askChart({ order: 'entity_id', orderDir: 'DESC' })
  expect(newest.songs[0]).toMatchObject({ title: `Bulk ${BULK}`, rank: 1 })
  const backwards = await askChart({ orderDir: 'DESC' })
  expect(backwards.songs[0]).toMatchObject({ title: 'Bulk 021', rank: 100 })
})

test('returns empty charts for a pool without downloads, and the time of the count once there is one', async () => {
  expect(await pool.ask(charts.getChart, {})).toMatchObject({
    songs: [],
    counted_at: null,
    pagination: { totalCount: 0 },
  })
  await refreshDueCharts(pool.ctx.sql, NOW)
  expect(await askChart()).toMatchObject({ songs: [], counted_at: NOW.toISOString() })
  expect((await askChart()).genres).toEqual([{ genre_id: house, name: 'House' }])
})

test('finds a chart by its URL, and refuses unknown values with a message', async () => {
  await downloaded('Anthem', NOW)
  await refreshChart(pool.ctx.sql, 'weekly', NOW)
  const reply = await pool.ask(charts.getChart, { chart_type: 'weekly', genre_id: house })
  expect(reply.songs[0]).toMatchObject({ title: 'Anthem', rank: 1, downloads: 1, rank_before: null })
  expect(await errorOf(pool.ask(charts.getChart, { genre_id: 999_999 }))).toMatchObject({
    status: 404,
    code: 'unknown_genre',
  })
  for (const bad of [{ chart_type: 'yearly' }, { order: 'price' }, { page: 0 }])
    expect((await pool.request(charts.getChart, bad)).json()).toMatchObject({ code: 'invalid_request' })
})

test('never shows a partial chart, and allows simultaneous refreshes', async () => {
  const { sql } = pool.ctx
  await downloadBulk()
  await refreshChart(sql, 'daily', NOW)
  let refreshing = true
  const turns = [1, 2, 3].map(async (turn) => {
    for (let n = 0; n < 8; n++) {
      await sql`update chart_count set n = 1 + (n * 31 + ${turn}) % 500`
      await refreshChart(sql, 'daily', NOW)
    }
  })
  const refreshes = Promise.all(turns).finally(() => {
    refreshing = false
  })
  const seen = new Set<string>()
  while (refreshing) {
    const rows = await sql<{ n: number; rank: number }[]>`
      select n, rank from chart_snapshot where chart = 'daily' and genre_id = 0 and song_section_id = 1 order by rank`
    seen.add(
      `${rows.length} places, ${rows.every((row, i) => row.n <= (rows[i - 1]?.n ?? row.n)) ? 'in order' : 'mixed'}`,
    )
  }
  await refreshes
  expect([...seen]).toEqual(['100 places, in order'])
})

test('refreshes each chart when it is due', async () => {
  const after = (minutes: number) => refreshDueCharts(pool.ctx.sql, new Date(NOW.getTime() + minutes * 60_000))
  expect(await after(0)).toEqual(['daily', 'weekly', 'monthly', 'trending'])
  expect(await after(0.1)).toEqual([])
  expect(await after(0.999)).toEqual(['daily'])
  expect(await after(10)).toEqual(['daily', 'weekly', 'trending'])
  expect(await after(60)).toEqual(['daily', 'weekly', 'monthly', 'trending'])
})

const trending = async () => {
  await refreshChart(pool.ctx.sql, 'trending', NOW)
  const songs = await trendingTracks(pool.ctx.sql, 2)
  return songs.map(({ title, rank, downloads }) => [title, rank, downloads])
}

test('puts rising songs first in trending, not those with the most downloads', async () => {
  for (let day = 20; day <= 31; day++) await downloaded('Anthem', `2026-05-${day}T10:00:00Z`, 10)
  await downloaded('Anthem', NOW, 8)
  await downloaded('Bassline', '2026-06-08T00:00:00Z', 6)
  await downloaded('Cutdown', '2026-06-07T23:59:59Z', 50)
  expect(await trending()).toEqual([
    ['Bassline', 1, 6],
    ['Anthem', 2, 8],
  ])
})

test('counts four listens as one download in trending', async () => {
  await downloaded('Anthem', NOW, 2)
  await happened('listen', songs.Bassline, NOW, 9)
  await happened('listen', songs.Cutdown, NOW, 8)
  await happened('listen', songs.Deepest, NOW, 7)
  expect(await trending()).toEqual([
    ['Bassline', 1, 0],
    ['Cutdown', 2, 0],
    ['Anthem', 3, 2],
    ['Deepest', 4, 0],
  ])
})

test('shows a pinned song at its rank in trending, and removes it when it is unpublished', async () => {
  await downloaded('Anthem', NOW, 3)
  await downloaded('Bassline', NOW, 2)
  await pool.ctx.sql`insert into trending_override (rank, entity_id) values (1, ${songs.Deepest})`
  expect(await trending()).toEqual([
    ['Deepest', 1, 0],
    ['Anthem', 2, 3],
    ['Bassline', 3, 2],
  ])
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${songs.Deepest}`
  expect(await trending()).toEqual([
    ['Anthem', 1, 3],
    ['Bassline', 2, 2],
  ])
})

test('counts the most downloaded songs of today from midnight UTC', async () => {
  const midnight = new Date()
  midnight.setUTCHours(0, 0, 0, 0)
  await downloaded('Anthem', midnight, 1)
  await downloaded('Bassline', midnight, 2)
  await downloaded('Cutdown', new Date(midnight.getTime() - 1), 9)
  const reply = await pool.ask(charts.getMostDownloadedToday, {})
  expect(reply.songs.map(({ title, rank, downloads }) => [title, rank, downloads])).toEqual([
    ['Bassline', 1, 2],
    ['Anthem', 2, 1],
  ])
})

test('shows the total downloads of a song in a top 20, however long ago', async () => {
  const { sql } = pool.ctx
  await downloaded('Anthem', '2019-01-01T00:00:00Z', 4)
  await downloaded('Anthem', NOW, 3)
  const [top] = await sql<
    { top20_track_id: number }[]
  >`insert into top20 (title) values ('June') returning top20_track_id`
  await sql`insert into top20_song values (${top?.top20_track_id ?? 0}, 1, ${songs.Anthem}), (${top?.top20_track_id ?? 0}, 2, ${songs.Cutdown})`
  const reply = await pool.ask(charts.getTop20Songs, { top20_track_id: top?.top20_track_id ?? 0 })
  expect(reply.songs.map(({ title, rank, downloads }) => [title, rank, downloads])).toEqual([
    ['Anthem', 1, 7],
    ['Cutdown', 2, 0],
  ])
})
