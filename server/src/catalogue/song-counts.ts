import type { PendingQuery, Row } from 'postgres'
import type { AppContext } from '../app-context.ts'
import type { WorkerLoop } from '../module.ts'
import type { Sql } from '../platform/db.ts'
import { repeatEvery } from '../platform/repeat-every.ts'

const ROLL_UP_MS = 3000
export const ROLL_UP_BATCH = 5000

/** Repeats a roll-up, which takes at most `ROLL_UP_BATCH` events at once. */
export const startRollUps = ({ sql, log }: AppContext, rollUp: (sql: Sql) => Promise<number>): WorkerLoop =>
  repeatEvery(ROLL_UP_MS, log, async () => {
    while ((await rollUp(sql)) === ROLL_UP_BATCH);
  })

/** A statement that deletes events from an outbox and returns their `entity_id` and `at`. */
type EventsFragment = PendingQuery<Row[]>

/** The daily chart covers two days of hours; a little more is kept, so that none is missing while it is counted. */
const HOUR_RETENTION = 50

/**
 * Adds downloads to the counts by UTC hour and day, and to the song's total. Any number of workers may run it at once;
 * the ordered inserts prevent deadlocks. Returns the number of downloads.
 */
export async function countDownloads(sql: Sql, takenEvents: EventsFragment): Promise<number> {
  const [rolledUp] = await sql<{ n: number }[]>`
    with taken as (${takenEvents}),
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
export async function countListens(sql: Sql, takenEvents: EventsFragment): Promise<number> {
  const [rolledUp] = await sql<{ n: number }[]>`
    with taken as (${takenEvents}),
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
