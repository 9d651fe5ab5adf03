import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../platform/db.ts'
import type { SongMerge, SongSplit } from './merged-songs.ts'

/** Adds the counts of merged songs to the remaining one. */
export async function mergeCounts(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`
    with gone as (delete from chart_count where entity_id = any(${[...from]}::bigint[]) returning period, start, n)
    insert into chart_count (period, start, entity_id, n)
    select period, start, ${into}, sum(n) from gone group by period, start order by period, start
    on conflict (period, start, entity_id) do update set n = chart_count.n + excluded.n`
  await sql`
    with gone as (delete from listen_count where entity_id = any(${[...from]}::bigint[]) returning day, n)
    insert into listen_count (day, entity_id, n) select day, ${into}, sum(n) from gone group by day order by day
    on conflict (day, entity_id) do update set n = listen_count.n + excluded.n`
  await sql`
    with gone as (delete from song_total where entity_id = any(${[...from]}::bigint[]) returning downloads, listens)
    insert into song_total (entity_id, downloads, listens)
    select ${into}, sum(downloads), sum(listens) from gone having count(*) > 0
    on conflict (entity_id) do update
      set downloads = song_total.downloads + excluded.downloads, listens = song_total.listens + excluded.listens`
}

/** Statements that return the times (`at`) of a song's counted downloads and of its listens. */
export type PastEvents = { downloads: PendingQuery<Row[]>; listens: PendingQuery<Row[]> }

/** Moves the counts of split versions to their new song, from its past events. The outboxes must be empty. */
export async function splitCounts(
  sql: Sql,
  { from, into }: Pick<SongSplit, 'from' | 'into'>,
  { downloads, listens }: PastEvents,
): Promise<void> {
  await sql`
    insert into chart_count (period, start, entity_id, n)
    select period, date_trunc(period, at, 'UTC'), ${into}, count(*)::int
    from (${downloads}) d, (values ('hour'), ('day')) p (period)
    where period = 'day' or at >= (select min(start) from chart_count where period = 'hour')
    group by 1, 2 order by 1, 2`
  await sql`
    insert into listen_count (day, entity_id, n)
    select (at at time zone 'UTC')::date, ${into}, count(*)::int from (${listens}) l group by 1 order by 1`
  await subtractCounts(sql, { from, into })
  await sql`delete from song_total where entity_id = any(${[from, into]}::bigint[])`
  await sql`
    insert into song_total (entity_id, downloads, listens)
    select entity_id, sum(downloads), sum(listens) from (
      select entity_id, n as downloads, 0 as listens from chart_count where period = 'day'
        and entity_id = any(${[from, into]}::bigint[])
      union all select entity_id, 0, n from listen_count where entity_id = any(${[from, into]}::bigint[])) counted
    group by entity_id`
}

/** A count of zero is stored as no row. */
async function subtractCounts(sql: Sql, { from, into }: Pick<SongSplit, 'from' | 'into'>): Promise<void> {
  await sql`
    delete from chart_count c using chart_count taken
    where c.entity_id = ${from} and taken.entity_id = ${into} and (taken.period, taken.start) = (c.period, c.start) and taken.n >= c.n`
  await sql`
    update chart_count c set n = c.n - taken.n from chart_count taken
    where c.entity_id = ${from} and taken.entity_id = ${into} and (taken.period, taken.start) = (c.period, c.start)`
  await sql`
    delete from listen_count c using listen_count taken
    where c.entity_id = ${from} and taken.entity_id = ${into} and taken.day = c.day and taken.n >= c.n`
  await sql`
    update listen_count c set n = c.n - taken.n from listen_count taken
    where c.entity_id = ${from} and taken.entity_id = ${into} and taken.day = c.day`
}
