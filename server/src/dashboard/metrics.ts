import type { dashboard, ReplyOf, StaffRole } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { addDays, earliest, startOfDay } from './days.ts'
import { medianFirstReplies } from './first-replies.ts'
import { countFlows, FLOW_NAMES, type MetricCount } from './flow-metrics.ts'
import { countDays, nextUncounted, readDays } from './metric-days.ts'
import { intervalIndex, type MetricPeriod, metricPeriodOf, startsBefore } from './periods.ts'
import { readSubscribers, Subscribers } from './subscribers.ts'

/**
 * The roles that can see a metric, besides admins, who see all. Every role can see metrics that are not listed here.
 */
const METRIC_ROLES: Partial<Record<dashboard.Metric, readonly StaffRole[]>> = {
  new_members: ['support', 'billing'],
  applications: ['support'],
  revenue: ['billing'],
  subscribers: ['billing'],
  churn: ['billing'],
  uploads: ['curator'],
  tickets_answered: ['support'],
  first_reply: ['support'],
}

export const canSeeMetric = (role: StaffRole, metric: dashboard.Metric): boolean =>
  role === 'admin' || (METRIC_ROLES[metric]?.includes(role) ?? true)

type DisplayedMetric = dashboard.MetricValues

/** Counts of the period, of the previous one, and of the previous one up to the same time. */
type PeriodCounts = { now: MetricCount[]; before: MetricCount[]; before_so_far: MetricCount[] }

/** Returns the metrics of a period that the role can see, compared with the previous period. */
export async function readMetrics(
  sql: Sql,
  { period, role, now }: { period: dashboard.Period; role: StaffRole; now: Date },
): Promise<ReplyOf<typeof dashboard.getMetrics>> {
  const window = metricPeriodOf(period, now)
  const before = startsBefore(window)
  const since = before[0] as Date
  const [counts, currencies, subscribers, firstReplyMetric] = await Promise.all([
    countByPeriod(sql, window, now),
    listCurrencies(sql),
    canSeeMetric(role, 'subscribers') ? readSubscribers(sql, since, now) : new Subscribers([]),
    readFirstReplyMetric(sql, window, now),
  ])
  const metrics = [
    ...toFlowMetrics(counts, window, { now, currencies }),
    toSubscribersMetric(subscribers, window, now),
    toChurnMetric(subscribers, window, now),
    firstReplyMetric,
  ]
  return {
    period,
    unit: window.unit,
    starts: window.starts.map((start) => start.toISOString()),
    previous_starts: before.map((start) => start.toISOString()),
    metrics: metrics.filter(({ metric }) => canSeeMetric(role, metric)),
    as_of: now.toISOString(),
  }
}

async function countByPeriod(sql: Sql, window: MetricPeriod, now: Date): Promise<PeriodCounts> {
  const { unit, starts, shift_days, end_before } = window
  const first = starts[0] as Date
  const sameTimeBefore = addDays(now, -shift_days)
  if (unit === 'hour') {
    const [hours, before, before_so_far] = await Promise.all([
      countFlows(sql, { from: first, to: now, unit }),
      countFlows(sql, { from: addDays(first, -shift_days), to: end_before, unit }),
      countFlows(sql, { from: addDays(first, -shift_days), to: sameTimeBefore, unit }),
    ])
    return { now: hours, before, before_so_far }
  }
  const sameDayBefore = startOfDay(sameTimeBefore)
  const [days, partialDay] = await Promise.all([
    readAndCount(sql, addDays(first, -shift_days), now),
    countFlows(sql, { from: sameDayBefore, to: sameTimeBefore, unit: 'day' }),
  ])
  const before = days.filter(({ start }) => start < end_before)
  return {
    now: days.filter(({ start }) => start >= first),
    before,
    before_so_far: [...before.filter(({ start }) => start < sameDayBefore), ...partialDay],
  }
}

/** Returns metrics by day from `from` on: the stored days, the days that are not stored yet, and today so far. */
export async function readAndCount(sql: Sql, from: Date, now: Date): Promise<MetricCount[]> {
  const next = await nextUncounted(sql)
  const today = startOfDay(now)
  const savedUntil = earliest(next && next > from ? next : from, today)
  const parts = await Promise.all([
    readDays(sql, from, savedUntil),
    savedUntil < today ? countDays(sql, savedUntil, today) : [],
    countFlows(sql, { from: today, to: now, unit: 'day' }),
  ])
  return parts.flat()
}

/** Currencies of published plans: they are listed even without revenue. */
async function listCurrencies(sql: Sql): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`select distinct currency from plan where is_published`
  return rows.map(({ currency }) => currency)
}

function toFlowMetrics(
  counts: PeriodCounts,
  window: MetricPeriod,
  { now, currencies }: { now: Date; currencies: string[] },
): DisplayedMetric[] {
  const earnedCurrencies = [...counts.now, ...counts.before].map(({ currency }) => currency).filter(Boolean)
  const allCurrencies = [...new Set([...currencies, ...earnedCurrencies])].sort()
  return FLOW_NAMES.flatMap((metric) =>
    (metric === 'revenue' ? allCurrencies : ['']).map((currency) => ({ metric, currency })),
  ).map(({ metric, currency }) => {
    const own = (all: MetricCount[]) => all.filter((one) => one.metric === metric && one.currency === currency)
    return {
      ...{ metric, currency },
      now: sum(own(counts.now)),
      before: sum(own(counts.before_so_far)),
      points: countPerInterval(own(counts.now), window.starts).map((n, index) =>
        (window.starts[index] as Date) > now ? null : n,
      ),
      previous_points: countPerInterval(own(counts.before), startsBefore(window)),
    }
  })
}

const sum = (counted: readonly MetricCount[]): number => counted.reduce((all, { n }) => all + n, 0)

function countPerInterval(counted: readonly MetricCount[], starts: readonly Date[]): number[] {
  const intervals = starts.map(() => 0)
  for (const { start, n } of counted) {
    const interval = intervalIndex(starts, start)
    if (interval >= 0) intervals[interval] = (intervals[interval] ?? 0) + n
  }
  return intervals
}

/** When each interval ends; for the current one this is now. Null for intervals in the future. */
const intervalEnds = ({ starts }: MetricPeriod, now: Date): (Date | null)[] =>
  starts.map((start, index) => {
    const next = starts[index + 1]
    return start > now ? null : next && next < now ? next : now
  })

function toSubscribersMetric(subscribers: Subscribers, window: MetricPeriod, now: Date): DisplayedMetric {
  const ends = intervalEnds(window, now)
  const countAt = (end: Date | null, shift: number) => end && subscribers.countAt(addDays(end, -shift))
  return {
    ...{ metric: 'subscribers', currency: '' },
    now: subscribers.countAt(now),
    before: subscribers.countAt(addDays(now, -window.shift_days)),
    points: ends.map((end) => countAt(end, 0)),
    previous_points: ends.map((end) => countAt(end, window.shift_days)),
  }
}

function toChurnMetric(subscribers: Subscribers, window: MetricPeriod, now: Date): DisplayedMetric {
  const { starts, shift_days } = window
  const ends = intervalEnds(window, now)
  const churnAt = (shift: number) => subscribers.churnBetween(addDays(starts[0] as Date, -shift), addDays(now, -shift))
  const lostAt = (shift: number) =>
    ends.map((end, n) => end && subscribers.lostBetween(addDays(starts[n] as Date, -shift), addDays(end, -shift)))
  return {
    ...{ metric: 'churn', currency: '' },
    now: churnAt(0),
    before: churnAt(shift_days),
    points: lostAt(0),
    previous_points: lostAt(shift_days),
  }
}

async function readFirstReplyMetric(sql: Sql, window: MetricPeriod, now: Date): Promise<DisplayedMetric> {
  const { starts, shift_days, end_before } = window
  const intervalsOf = (begins: readonly Date[], end: Date) =>
    begins.map((from, n) => ({ from, to: earliest(begins[n + 1] ?? end, end) }))
  const points = intervalsOf(starts, now)
  const previousPoints = intervalsOf(startsBefore(window), end_before)
  const from = starts[0] as Date
  const before = { from: addDays(from, -shift_days), to: earliest(addDays(now, -shift_days), end_before) }
  const medians = await medianFirstReplies(sql, [{ from, to: now }, before, ...points, ...previousPoints])
  const [median, medianBefore, ...others] = medians.map((seconds) => seconds && Math.round(seconds))
  return {
    ...{ metric: 'first_reply', currency: '' },
    now: median ?? null,
    before: medianBefore ?? null,
    points: others.slice(0, points.length),
    previous_points: others.slice(points.length),
  }
}
