import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { rollUpDownloads } from '../downloads/chart-outbox.ts'
import { rollUpListens } from '../player/chart-outbox.ts'
import { deleteOldHours } from './song-counts.ts'

let pool: TestPool
let songs: number[]
beforeAll(async () => {
  pool = await openTestPool()
  songs = []
  for (let n = 0; n < 5; n++) songs.push((await aSong(pool.ctx)).entity_id)
})
beforeEach(async () => {
  await pool.ctx.sql`truncate chart_count, listen_count, song_total, download_outbox, listen_outbox`
})
afterAll(() => pool.close())

type Outbox = 'download_outbox' | 'listen_outbox'

const addToOutbox = async (outbox: Outbox, at: string, entityId = songs[0] ?? 0) => {
  const { sql } = pool.ctx
  await sql`insert into ${sql(outbox)} (entity_id, at) values (${entityId}, ${at})`
}

/** Events spread over the songs and three days. */
const addManyToOutbox = async (outbox: Outbox, count: number) => {
  const { sql } = pool.ctx
  await sql`insert into ${sql(outbox)} (entity_id, at)
    select (${songs}::bigint[])[1 + n % 5], '2026-06-10T12:00:00Z'::timestamptz - n * interval '13 minutes'
    from generate_series(0, ${count - 1}::int) n`
}

const untilEmpty = async (rollUp: typeof rollUpDownloads) => {
  while ((await Promise.all([1, 2, 3, 4].map(() => rollUp(pool.ctx.sql, 37)))).some((taken) => taken > 0));
}

const number = async (query: string): Promise<number> => {
  const [row] = await pool.ctx.sql.unsafe<{ n: number }[]>(query)
  return row?.n ?? -1
}

test('adds up exactly when several workers roll up at once, downloads and listens', async () => {
  await addManyToOutbox('download_outbox', 1000)
  await addManyToOutbox('listen_outbox', 700)
  await Promise.all([untilEmpty(rollUpDownloads), untilEmpty(rollUpListens)])
  for (const period of ['hour', 'day'])
    expect(await number(`select sum(n)::int as n from chart_count where period = '${period}'`)).toBe(1000)
  expect(await number('select sum(n)::int as n from listen_count')).toBe(700)
  const totals = await pool.ctx.sql`select downloads, listens from song_total`
  expect([...totals]).toEqual(songs.map(() => ({ downloads: 200, listens: 140 })))
})

test('counts a download in the hour and the day in which it happened, in UTC', async () => {
  await addToOutbox('download_outbox', '2026-06-10T01:59:59.999+02:00')
  await addToOutbox('download_outbox', '2026-06-10T02:00:00+02:00')
  await rollUpDownloads(pool.ctx.sql)
  const rows = await pool.ctx.sql<{ period: string; start: Date; n: number }[]>`
    select period, start, n from chart_count order by period, start`
  expect(rows.map(({ period, start, n }) => [period, start.toISOString(), n])).toEqual([
    ['day', '2026-06-09T00:00:00.000Z', 1],
    ['day', '2026-06-10T00:00:00.000Z', 1],
    ['hour', '2026-06-09T23:00:00.000Z', 1],
    ['hour', '2026-06-10T00:00:00.000Z', 1],
  ])
})

test('counts a listen on its UTC day', async () => {
  await addToOutbox('listen_outbox', '2026-06-10T01:59:59.999+02:00')
  await addToOutbox('listen_outbox', '2026-06-10T02:00:00+02:00')
  await rollUpListens(pool.ctx.sql)
  const days = await pool.ctx.sql`select day::text, n from listen_count order by day`
  expect([...days]).toEqual([
    { day: '2026-06-09', n: 1 },
    { day: '2026-06-10', n: 1 },
  ])
})

test('rolls up no more than requested and returns how many', async () => {
  await addManyToOutbox('download_outbox', 10)
  expect(await rollUpDownloads(pool.ctx.sql, 7)).toBe(7)
  expect(await rollUpDownloads(pool.ctx.sql, 7)).toBe(3)
  expect(await rollUpDownloads(pool.ctx.sql, 7)).toBe(0)
})

test('deletes hours that no chart uses any more, and keeps days and totals', async () => {
  for (const at of ['2026-06-10T12:30:00Z', '2026-06-08T13:00:00Z', '2026-06-08T09:00:00Z', '2026-01-01T00:00:00Z'])
    await addToOutbox('download_outbox', at)
  await rollUpDownloads(pool.ctx.sql)
  await deleteOldHours(pool.ctx.sql, new Date('2026-06-10T12:30:00Z'))
  expect(await number(`select count(*)::int as n from chart_count where period = 'hour'`)).toBe(2)
  expect(await number(`select sum(n)::int as n from chart_count where period = 'day'`)).toBe(4)
  expect(await number('select sum(downloads)::int as n from song_total')).toBe(4)
})
