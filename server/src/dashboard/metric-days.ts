import type { Sql } from '../platform/db.ts'
import { addDays, earliest, startOfDay } from './days.ts'
import { countWholeDays, FLOW_NAMES, FLOWS, findFirstActivity, type MetricCount } from './flow-metrics.ts'

/**
 * How many days are counted again: payments can be reported late, and listens are rolled up a little after they
 * happened.
 */
const RECOUNT_DAYS = 7

type SaveDaysOptions = { from: Date; to: Date; flows: typeof FLOWS; now: Date }

/** Counts the days that have ended and were not counted yet, and the last week again. Idempotent. */
export async function countMetrics(sql: Sql, now: Date): Promise<void> {
  const today = startOfDay(now)
  const weekAgo = addDays(today, -RECOUNT_DAYS)
  const [first, next] = await Promise.all([firstDay(sql), nextUncounted(sql)])
  if (first === null) return
  await saveDays(sql, { from: earliest(next ?? first, weekAgo), to: today, flows: FLOWS, now })
}

/** Counts every day again for metrics with permanent rows, because the ledger may have changed for a day long ago. */
export async function recountMetrics(sql: Sql, now: Date): Promise<void> {
  const first = await firstDay(sql)
  if (first === null) return
  await saveDays(sql, { from: first, to: startOfDay(now), flows: FLOWS.filter(({ isPermanent }) => isPermanent), now })
  await countMetrics(sql, now)
}

async function firstDay(sql: Sql): Promise<Date | null> {
  const first = await findFirstActivity(sql)
  return first && startOfDay(first)
}

/** Returns the first day that was not yet counted after it ended; null when no day was ever counted. */
export async function nextUncounted(sql: Sql): Promise<Date | null> {
  const [last] = await sql<{ day: Date | null }[]>`
    select max(day)::timestamp at time zone 'UTC' as day from daily_metric
    where metric = 'downloads' and counted_at >= (day + 1)::timestamp at time zone 'UTC'`
  return last?.day ? addDays(last.day, 1) : null
}

/**
 * Saves the metrics of the days [from, to), with a 0 for days without activity, so that counted days can be told from
 * uncounted ones. A single statement counts, so that rows aggregated at the same time are counted once.
 */
async function saveDays(sql: Sql, { from, to, flows, now }: SaveDaysOptions): Promise<void> {
  if (from >= to) return
  const names = flows.map(({ metric }) => metric)
  await sql`
    with counted as (${countWholeDays(sql, flows, from, to)}),
    dates as (
      select day::date as day from generate_series(${from}::timestamptz at time zone 'UTC',
        ${addDays(to, -1)}::timestamptz at time zone 'UTC', interval '1 day') day),
    every as (
      select metric, currency, day, n from counted
      union all
      select metric, '', day, 0 from dates, unnest(${names}::text[]) metric
      where metric <> 'revenue' and not exists (select 1 from counted c where (c.metric, c.currency, c.day) = (metric.metric, '', dates.day))
      union all
      -- A currency may have no revenue on a day any more.
      select f.metric, f.currency, f.day, 0 from daily_metric f join dates using (day)
      where f.metric = 'revenue' and 'revenue' = any(${names}::text[]) and not exists (
        select 1 from counted c where (c.metric, c.currency, c.day) = (f.metric, f.currency, f.day)))
    insert into daily_metric (metric, currency, day, n, counted_at)
    select metric, currency, day, n, ${now} from every order by metric, currency, day
    on conflict (metric, currency, day) do update set n = excluded.n, counted_at = excluded.counted_at`
}

/** Counts the days [from, to) as they would be stored, without storing them. */
export const countDays = (sql: Sql, from: Date, to: Date): Promise<MetricCount[]> => sql<MetricCount[]>`
  select metric, currency, day::timestamp at time zone 'UTC' as start, n from (${countWholeDays(sql, FLOWS, from, to)}) counted`

/** Returns the stored metrics of the days [from, to). */
export const readDays = (sql: Sql, from: Date, to: Date): Promise<MetricCount[]> => sql<MetricCount[]>`
  select metric, currency, day::timestamp at time zone 'UTC' as start, n from daily_metric
  where day >= (${from}::timestamptz at time zone 'UTC')::date and day < (${to}::timestamptz at time zone 'UTC')::date
    and metric = any(${FLOW_NAMES}) order by day, metric, currency`
