import type { Sql } from '../platform/db.ts'

/** The daily chart covers two days of hours; a little more is kept, so that none is missing while it is counted. */
const HOUR_RETENTION = 50

/**
 * Moves downloads from their outbox into the counts by UTC hour and day, and the song's total. Any number of workers
 * may run it at once; the ordered inserts prevent deadlocks. Returns the number of downloads.
 */
export async function rollUpDownloads(sql: Sql, maxCount = 5000): Promise<number> {
  const [rolledUp] = await sql<{ n: number }[]>`
    with taken as (
      delete from download_outbox where id in (select id from download_outbox order by id limit ${maxCount} for update skip locked)
      returning entity_id, at),
    counted as (
      select p.period, date_trunc(p.period, at, 'UTC') as start, entity_id, count(*)::int as n
      from taken, (values ('hour'), ('day')) p (period) group by 1, 2, 3),
    kept as (
      insert into chart_count (period, start, entity_id, n)
      select period, start, entity_id, n from counted order by period, start, entity_id
      on conflict (period, start, entity_id) do update set n = chart_count.n + excluded.n),
    added as (
      insert into song_total (entity_id, downloads) select entity_id, count(*) from taken group by 1 order by 1
      on conflict (entity_id) do update set downloads = song_total.downloads + excluded.downloads)
    select count(*)::int as n from taken`
  return rolledUp?.n ?? 0
}

/** Does the same for listens, by UTC day and the song's total. */
export async function rollUpListens(sql: Sql, maxCount = 5000): Promise<number> {
  const [rolledUp] = await sql<{ n: number }[]>`
    with taken as (
      delete from listen_outbox where id in (select id from listen_outbox order by id limit ${maxCount} for update skip locked)
      returning entity_id, at),
    kept as (
      insert into listen_count (day, entity_id, n)
      select (at at time zone 'UTC')::date, entity_id, count(*) from taken group by 1, 2 order by 1, 2
      on conflict (day, entity_id) do update set n = listen_count.n + excluded.n),
    added as (
      insert into song_total (entity_id, listens) select entity_id, count(*) from taken group by 1 order by 1
      on conflict (entity_id) do update set listens = song_total.listens + excluded.listens)
    select count(*)::int as n from taken`
  return rolledUp?.n ?? 0
}

/** Deletes the hours that no chart uses any more; the days stay. */
export async function deleteOldHours(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from chart_count
    where period = 'hour' and start < ${now}::timestamptz - make_interval(hours => ${HOUR_RETENTION})`
}
