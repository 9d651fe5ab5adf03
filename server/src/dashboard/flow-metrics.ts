import type { dashboard } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

/** Metrics that count events by the time at which they happened. */
type FlowName = Exclude<dashboard.Metric, 'subscribers' | 'churn' | 'first_reply'>

/** The value of a metric in the hour or day that begins at `start`; revenue is in minor units. */
export type MetricCount = { metric: FlowName; currency: string; start: Date; n: number }

type SqlFragment = ReturnType<Sql>

type FlowMetric = {
  metric: FlowName
  /**
   * Whether the rows it is counted from are stored permanently. Otherwise they are deleted with their member, and a day
   * is not counted again once it is a week old, so that it keeps its value.
   */
  isPermanent: boolean
  /** Selects the rows in [from, to): currency, at, n. */
  rows(sql: Sql, from: Date, to: Date): SqlFragment
  /** The same for whole days, when these are counted from other tables. */
  days?: (sql: Sql, from: Date, to: Date) => SqlFragment
}

const betweenDates = (sql: Sql, from: Date, to: Date) => sql`>= ${from} and at < ${to}`

export const FLOWS: readonly FlowMetric[] = [
  {
    metric: 'listens',
    isPermanent: true,
    rows: (sql, from, to) => sql`select '' as currency, at, 1 as n from listen where at ${betweenDates(sql, from, to)}`,
    // A listen is deleted with its member; the charts have counted it by then (catalogue/chart-rollups.ts).
    days: (sql, from, to) => sql`
      select '' as currency, day::timestamp at time zone 'UTC' as at, n from listen_count
      where day >= (${from}::timestamptz at time zone 'UTC')::date and day < (${to}::timestamptz at time zone 'UTC')::date
      union all select '', at, 1 from listen_outbox where at ${betweenDates(sql, from, to)}`,
  },
  {
    metric: 'downloads',
    isPermanent: true,
    // Only downloads that count against a member's limit, not those that were free because of corrected tags.
    rows: (sql, from, to) => sql`
      select '' as currency, at, 1 as n from download where at ${betweenDates(sql, from, to)} and not free`,
  },
  {
    metric: 'new_members',
    isPermanent: false,
    rows: (sql, from, to) => sql`
      select '' as currency, at, 1 as n
      from (select coalesce(decided_at, applied_at) as at from dj_application where state = 'approved') approved
      where at ${betweenDates(sql, from, to)}`,
  },
  {
    metric: 'applications',
    isPermanent: false,
    rows: (sql, from, to) => sql`
      select '' as currency, at, 1 as n from (select applied_at as at from dj_application) applied
      where at ${betweenDates(sql, from, to)}`,
  },
  {
    metric: 'revenue',
    isPermanent: true,
    // Payments minus refunds.
    rows: (sql, from, to) => sql`
      select currency, at, amount_minor as n from ledger where at ${betweenDates(sql, from, to)}`,
  },
  {
    metric: 'uploads',
    isPermanent: false,
    rows: (sql, from, to) => sql`
      select '' as currency, at, 1 as n from (select uploaded_at as at from upload) sent
      where at ${betweenDates(sql, from, to)}`,
  },
  {
    metric: 'tickets_answered',
    isPermanent: false,
    // Only the first staff reply to each ticket, so that the days add up to the weeks.
    rows: (sql, from, to) => sql`
      select '' as currency, first_reply_at as at, 1 as n from ticket
      where first_reply_at >= ${from} and first_reply_at < ${to}`,
  },
]

export const FLOW_NAMES = FLOWS.map(({ metric }) => metric)

/** Returns the metrics in [from, to) by hour or day in UTC. Hours and days without activity have no row. */
export async function countFlows(
  sql: Sql,
  { from, to, unit }: { from: Date; to: Date; unit: 'hour' | 'day' },
): Promise<MetricCount[]> {
  return sql<MetricCount[]>`${unionFlows(
    sql,
    FLOWS,
    (flow) => sql`
    select ${flow.metric} as metric, currency, date_trunc(${unit}, at, 'UTC') as start, sum(n)::bigint as n
    from (${flow.rows(sql, from, to)}) events group by 2, 3`,
  )}`
}

/** Selects whole days as they are stored: metric, currency, day, n. */
export const countWholeDays = (sql: Sql, flows: readonly FlowMetric[], from: Date, to: Date): SqlFragment =>
  unionFlows(
    sql,
    flows,
    (flow) => sql`
      select ${flow.metric} as metric, currency, (at at time zone 'UTC')::date as day, sum(n)::bigint as n
      from (${(flow.days ?? flow.rows)(sql, from, to)}) events group by 2, 3`,
  )

const unionFlows = (sql: Sql, flows: readonly FlowMetric[], select: (flow: FlowMetric) => SqlFragment): SqlFragment =>
  flows.map(select).reduce((all, next) => sql`${all} union all ${next}`)

/** Returns the time of the first activity, or null in a pool without any. */
export async function findFirstActivity(sql: Sql): Promise<Date | null> {
  const [found] = await sql<{ at: Date | null }[]>`
    select least((select min(day)::timestamp at time zone 'UTC' from listen_count), (select min(at) from listen_outbox),
      (select min(at) from download), (select min(applied_at) from dj_application), (select min(at) from ledger),
      (select min(uploaded_at) from upload), (select min(first_reply_at) from ticket)) as at`
  return found?.at ?? null
}
