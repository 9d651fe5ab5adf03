import { charts } from '@dubplate/contract'
import { type ChartName, refreshChart } from '../server/src/charts/chart-snapshots.ts'
import { chartPage } from '../server/src/charts/charts.ts'
import { rollUpDownloads } from '../server/src/downloads/chart-outbox.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { similarSongs } from '../server/src/search/similar.ts'
import { type BenchPool, openBenchPool } from './bench-pool.ts'
import { cpuSecondsOf, median, quantile } from './measure.ts'
import { atMostTarget, ms, perSecond, type Report } from './results.ts'

const FEW_SONGS = 1000
const DAYS = 60
const HOURS = 48
const MEMBERS = 500
const SONGS_PER_CRATE = 200
const OUTBOX = 20_000
const PAGES = 200
const MIXES = 200
const CHARTS: readonly ChartName[] = [...charts.CHART_TYPES, 'trending']

type Connection = Awaited<ReturnType<Pool['reserve']>>

type Costs = {
  songs: number
  /** CPU time of the database, in milliseconds. */
  pages: number[]
  mixes: number[]
  refreshes: Record<ChartName, number>
  aggregatedPerSecond: number
}

/** Chart pages and mixes in a small and a large catalogue, and the cost of keeping the charts up to date. */
export async function benchCharts(pool: BenchPool): Promise<Report> {
  const small = await openBenchPool(FEW_SONGS, undefined)
  try {
    return report(await measureCosts(small), await measureCosts(pool))
  } finally {
    await small.close()
  }
}

async function measureCosts({ sql, songs }: BenchPool): Promise<Costs> {
  const now = new Date()
  await insertCounts(sql, songs, now)
  await insertCrates(sql)
  const connection = await sql.reserve()
  try {
    const measureCost = await meter(connection)
    const refreshes = {} as Record<ChartName, number>
    for (const chart of CHARTS) refreshes[chart] = await measureCost(() => refreshChart(connection, chart, now))
    return {
      songs,
      refreshes,
      pages: await measurePages(connection, measureCost),
      mixes: await measureMixes(connection, measureCost, songs),
      aggregatedPerSecond: OUTBOX / ((await measureAggregation(connection, measureCost, songs)) / 1000),
    }
  } finally {
    connection.release()
  }
}

type Meter = (work: () => Promise<unknown>) => Promise<number>

/** Measures the CPU time, in milliseconds, that the backend of this connection uses for an action. */
async function meter(connection: Connection): Promise<Meter> {
  const [self] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
  return async (work) => {
    const before = cpuSecondsOf([self?.pid ?? 0])
    await work()
    return (cpuSecondsOf([self?.pid ?? 0]) - before) * 1000
  }
}

/**
 * Inserts two months of aggregated downloads and listens: each day a quarter as many as there are songs, concentrated
 * on a few popular songs.
 */
async function insertCounts(sql: Pool, songs: number, now: Date): Promise<void> {
  const song = sql`1 + floor(${songs}::int * random() ^ 3)::bigint`
  await sql`truncate chart_count, listen_count, chart_snapshot, chart_refresh, download_outbox`
  await sql`
    insert into chart_count (period, start, entity_id, n)
    select 'day', date_trunc('day', ${now}::timestamptz, 'UTC') - day * interval '1 day', ${song}, count(*)
    from generate_series(0, ${DAYS - 1}::int) day, generate_series(1, ${Math.ceil(songs / 4)}::int) group by 1, 2, 3`
  await sql`
    insert into chart_count (period, start, entity_id, n)
    select 'hour', date_trunc('hour', ${now}::timestamptz, 'UTC') - hour * interval '1 hour', ${song}, count(*)
    from generate_series(0, ${HOURS - 1}::int) hour, generate_series(1, ${Math.ceil(songs / 96)}::int) group by 1, 2, 3`
  await sql`
    insert into listen_count (day, entity_id, n)
    select (${now}::timestamptz at time zone 'UTC')::date - day, ${song}, count(*)
    from generate_series(0, 23) day, generate_series(1, ${Math.ceil(songs / 4)}::int) group by 1, 2`
  await sql`vacuum analyze chart_count, listen_count`
}

async function insertCrates(sql: Pool): Promise<void> {
  await sql`truncate crate_item`
  await sql`
    insert into customer (email, dj_name, password_hash, group_id)
    select 'crate-' || n || '@example.test', 'Crate ' || n, '!', 2 from generate_series(1, ${MEMBERS}::int) n on conflict do nothing`
  // The random values are drawn first: inside a join the planner might draw once for many rows.
  await sql`
    with drawn as materialized (
      select customer_id, 1 + floor(last * random() ^ 3)::bigint as song_version_id
      from customer, generate_series(1, ${SONGS_PER_CRATE}::int), (select max(song_version_id) as last from song_version) versions
      where email like 'crate-%')
    insert into crate_item (customer_id, song_version_id, entity_id)
    select customer_id, song_version_id, entity_id from drawn join song_version using (song_version_id) on conflict do nothing`
  await sql`vacuum analyze crate_item`
}

/** Requests pages of all charts in turn, for all songs and for single genres. */
async function measurePages(connection: Connection, measureCost: Meter): Promise<number[]> {
  const genres = await connection<{ genre_id: number }[]>`select genre_id from genre order by genre_id limit 9`
  const pageRequests = Array.from({ length: PAGES }, (_, n) =>
    charts.getChart.input.parse({
      chart_type: charts.CHART_TYPES[n % 3],
      page: 1 + (n % 4),
      genre_id: genres[(n % 10) - 1]?.genre_id,
    }),
  )
  for (const pageRequest of pageRequests) await chartPage(connection, pageRequest, 2)
  const costs: number[] = []
  for (const pageRequest of pageRequests) costs.push(await measureCost(() => chartPage(connection, pageRequest, 2)))
  return costs
}

async function measureMixes(connection: Connection, measureCost: Meter, songs: number): Promise<number[]> {
  const ids = await connection<{ entity_id: number }[]>`
    select entity_id from song where entity_id in (
      select 1 + n * ${Math.floor(songs / MIXES)}::bigint from generate_series(0, ${MIXES - 1}::int) n) and status = 'published'`
  for (const { entity_id } of ids.slice(0, 20)) await similarSongs(connection, entity_id, 2)
  const costs: number[] = []
  for (const { entity_id } of ids) costs.push(await measureCost(() => similarSongs(connection, entity_id, 2)))
  return costs
}

async function measureAggregation(connection: Connection, measureCost: Meter, songs: number): Promise<number> {
  await connection`
    insert into download_outbox (entity_id, at)
    select 1 + floor(${songs}::int * random() ^ 3)::bigint, now() from generate_series(1, ${OUTBOX}::int)`
  return measureCost(async () => {
    while ((await rollUpDownloads(connection)) > 0);
  })
}

const spread = (values: number[]): string =>
  `p50 ${ms(median(values))}, p95 ${ms(quantile(values, 0.95))}, max ${ms(Math.max(...values))}`

function report(smallCatalogue: Costs, largeCatalogue: Costs): Report {
  const at = ({ songs }: Costs) => `at ${songs.toLocaleString('en')} songs`
  const pages = median(largeCatalogue.pages) / median(smallCatalogue.pages)
  return {
    title: 'Charts',
    findings: [
      {
        what: `a chart page ${at(largeCatalogue)}, CPU of the database`,
        ours: spread(largeCatalogue.pages),
        against: `${spread(smallCatalogue.pages)} (${at(smallCatalogue)})`,
        ratio: pages,
        target: atMostTarget(pages, 1.3),
      },
      ...CHARTS.map((chart) => ({
        what: `recounting ${chart} ${at(largeCatalogue)}, CPU of the database`,
        ours: ms(largeCatalogue.refreshes[chart]),
        against: `${ms(smallCatalogue.refreshes[chart])} (${at(smallCatalogue)})`,
      })),
      {
        what: `downloads aggregated ${at(largeCatalogue)}, for each second of the database’s CPU`,
        ours: perSecond(largeCatalogue.aggregatedPerSecond),
        against: `${perSecond(smallCatalogue.aggregatedPerSecond)} (${at(smallCatalogue)})`,
      },
      {
        what: `songs that mix with a song ${at(largeCatalogue)}, CPU of the database`,
        ours: spread(largeCatalogue.mixes),
        against: `${spread(smallCatalogue.mixes)} (${at(smallCatalogue)})`,
      },
    ],
    notes: [
      `Each day has a quarter as many downloads, and as many listens, as there are songs; ${MEMBERS} crates have up to ${SONGS_PER_CRATE} songs. The daily chart is counted each minute, weekly and trending each ten minutes, the monthly each hour.`,
    ],
  }
}
