import type { catalogue } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { songsOf, theseSongs } from './songs.ts'

const TRENDING = 30
const TODAY = 10

type Ranked = { entity_id: number; rank: number; n: number }

async function ranked(sql: Sql, rows: Ranked[], downloadLimit: number): Promise<catalogue.RankedSong[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.entity_id)
  const songs = await songsOf(sql, theseSongs(sql, ids), downloadLimit)
  const place = new Map(rows.map((row) => [row.entity_id, row]))
  return songs.map((song) => ({
    ...song,
    rank: place.get(song.entity_id)?.rank ?? 0,
    downloads: place.get(song.entity_id)?.n ?? 0,
  }))
}

/** The songs most downloaded since midnight UTC. */
export async function mostDownloadedToday(sql: Sql, downloadLimit: number): Promise<catalogue.RankedSong[]> {
  const rows = await sql<Ranked[]>`
    select entity_id, n, row_number() over ()::int as rank from (
      select c.entity_id, c.n from chart_count c join song s using (entity_id)
      where c.period = 'day' and c.start = (now() at time zone 'utc')::date and s.status = 'published'
      order by c.n desc, c.entity_id desc limit ${TODAY}) top`
  return ranked(sql, rows, downloadLimit)
}

/** The thirty songs that climb fastest, as the last snapshot has them; an operator's own choice stands at its rank. */
export async function trendingTracks(sql: Sql, downloadLimit: number): Promise<catalogue.RankedSong[]> {
  const rows = await sql<Ranked[]>`
    with fixed as (select rank, entity_id from trending_override),
    climbing as (
      select t.entity_id, t.n, row_number() over (order by t.rank) as place from chart_snapshot t join song s using (entity_id)
      where t.chart = 'trending' and s.status = 'published' and t.entity_id not in (select entity_id from fixed)
        and t.period_start = (select max(period_start) from chart_snapshot where chart = 'trending')),
    free as (select rank, row_number() over (order by rank) as place
      from generate_series(1, ${TRENDING}) rank where rank not in (select rank from fixed))
    select entity_id, rank, 0 as n from fixed
    union all select c.entity_id, f.rank, c.n from free f join climbing c using (place) order by rank`
  return ranked(sql, rows, downloadLimit)
}

/**
 * Takes events out of the outbox and counts them by day, week and month. Any number of workers may run it at once; the
 * ordered insert keeps them from dead-locking. Answers with how many events it took.
 */
export async function foldDownloads(sql: Sql, most = 5000): Promise<number> {
  const [folded] = await sql<{ n: number }[]>`
    with taken as (
      delete from download_outbox where id in (select id from download_outbox order by id limit ${most} for update skip locked)
      returning entity_id, at),
    counted as (
      select p.period, date_trunc(p.period, at at time zone 'utc')::date as start, entity_id, count(*)::int as n
      from taken, (values ('day'), ('week'), ('month')) p (period) group by 1, 2, 3),
    kept as (
      insert into chart_count (period, start, entity_id, n)
      select period, start, entity_id, n from counted order by period, start, entity_id
      on conflict (period, start, entity_id) do update set n = chart_count.n + excluded.n)
    select count(*)::int as n from taken`
  return folded?.n ?? 0
}

/** Writes today's trending: the downloads of three days against the three weeks before, so that climbers lead. */
export async function refreshTrending(sql: Sql): Promise<void> {
  await sql`
    with day as (select (now() at time zone 'utc')::date as today),
    recent as (select entity_id, sum(n) as n from chart_count, day where period = 'day' and start > today - 3 group by 1),
    before as (select entity_id, sum(n) as n from chart_count, day where period = 'day' and start between today - 24 and today - 3 group by 1),
    climbing as (
      select r.entity_id, r.n, row_number() over (order by r.n / (3 + coalesce(b.n, 0) / 7.0) * ln(1 + r.n) desc, r.entity_id desc) as rank
      from recent r left join before b using (entity_id)),
    gone as (delete from chart_snapshot using day where chart = 'trending' and period_start < today - 7)
    insert into chart_snapshot (chart, period_start, rank, entity_id, n)
    select 'trending', today, rank, entity_id, n from climbing, day where rank <= 100
    on conflict (chart, period_start, rank) do update set entity_id = excluded.entity_id, n = excluded.n`
}
