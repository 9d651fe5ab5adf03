import { type dashboard, decimalsOf } from '@dubplate/contract'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

type MetricValues = dashboard.MetricValues

const NAMES: Record<dashboard.Metric, string> = {
  listens: texts.listens,
  downloads: texts.downloads,
  new_members: texts.newMembers,
  applications: texts.applications,
  revenue: texts.revenue,
  subscribers: texts.activeSubscribers,
  churn: texts.churn,
  uploads: texts.uploads,
  tickets_answered: texts.ticketsRepliedTo,
  first_reply: texts.timeToFirstReply,
}

/** What each metric counts. */
export const MEANINGS: Record<dashboard.Metric, string> = {
  listens: texts.songsPlayedLongEnoughTo,
  downloads: texts.downloadsThatCountTowardsThe,
  new_members: texts.approvedApplications,
  applications: texts.applicationsReceived,
  revenue: texts.paymentsMinusRefundsFromThe,
  subscribers: texts.membersWithPaidAccess,
  churn: texts.shareOfSubscribersAtThe,
  uploads: texts.filesUploadedByMembers,
  tickets_answered: texts.ticketsWithAFirstReply,
  first_reply: texts.medianTimeFromANew,
}

export const nameOf = ({ metric, currency }: Pick<MetricValues, 'metric' | 'currency'>): string =>
  currency ? format(texts.nameInCurrency, { name: NAMES[metric], currency }) : NAMES[metric]

const money = (minor: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  const number = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return `${number.format(minor / 10 ** decimals)} ${currency}`
}

/** '50 s', '12 min', '3 h 5 min', '2 days 4 h'. */
export function timeInWords(seconds: number): string {
  if (seconds < 60) return format(texts.seconds, { seconds: Math.round(seconds) })
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return format(texts.min, { minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 48)
    return minutes % 60 ? format(texts.hMin, { hours, minutes: minutes % 60 }) : format(texts.hours, { hours })
  const days = Math.floor(hours / 24)
  return hours % 24 ? format(texts.daysH, { days, hours: hours % 24 }) : format(texts.days, { days })
}

const share = (part: number): string => `${(part * 100).toFixed(1)}%`

/** A value of the whole period. */
export function formatValue(
  { metric, currency }: Pick<MetricValues, 'metric' | 'currency'>,
  value: number | null,
): string {
  if (value === null) return '–'
  if (metric === 'revenue') return money(value, currency)
  if (metric === 'first_reply') return timeInWords(value)
  return metric === 'churn' ? share(value) : count(value)
}

/** The value of one point; for churn, the number of lost subscribers. */
export const formatPoint = (shown: Pick<MetricValues, 'metric' | 'currency'>, value: number | null): string =>
  shown.metric === 'churn' && value !== null ? count(value) : formatValue(shown, value)

/** What is said of each period: its value, the comparison with the previous one, and the previous value. */
const VALUE_TEXTS = {
  day: { value: texts.valueToday, none: texts.noDataToday },
  week: { value: texts.inTheLast7Days, none: texts.noDataInTheLast7Days },
  month: { value: texts.inTheLast30Days, none: texts.noDataInTheLast30Days },
  quarter: { value: texts.inTheLast90Days, none: texts.noDataInTheLast90Days },
  year: { value: texts.inTheLast12Months, none: texts.noDataInTheLast12Months },
} as const satisfies Record<dashboard.Period, object>

const DAYS = { week: 7, month: 30, quarter: 90 }

/** The change since the previous period; `start` is its first moment. */
function changeSince(change: string, period: dashboard.Period, start: string): string {
  if (period === 'day') return format(texts.vsLastAtTheSame, { change, weekday: weekday(start) })
  return period === 'year'
    ? format(texts.vsPrevious12Months, { change })
    : format(texts.vsPreviousDays, { change, days: DAYS[period] })
}

/** The value of the previous period. */
function valueOfPreviousPeriod(value: string, period: dashboard.Period, start: string): string {
  if (period === 'day') return format(texts.lastAtTheSameTime, { value, weekday: weekday(start) })
  return period === 'year'
    ? format(texts.inThePrevious12Months, { value })
    : format(texts.inThePreviousDays, { value, days: DAYS[period] })
}

/** The day of the week in UTC: 'Friday'. */
const weekday = (iso: string): string =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date(iso))

const dayAndMonth = (iso: string): string => {
  const date = new Date(iso)
  return `${date.getUTCDate()} ${new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(date)}`
}

type Unit = 'hour' | 'day' | 'week'

/** The name of a point by its time: '14:00', 'Fri 20 Nov', 'week of 16 Nov 2026'. */
export function pointName(unit: Unit, start: string): string {
  if (unit === 'hour') return start.slice(11, 16)
  if (unit === 'week') return format(texts.weekOf, { date: `${dayAndMonth(start)} ${start.slice(0, 4)}` })
  return `${weekday(start).slice(0, 3)} ${dayAndMonth(start)}`
}

/**
 * Change of a value since the previous period: '+12%', 'no change'. Undefined when there is nothing to compare with.
 */
export function describeChange({
  metric,
  now,
  before,
}: Pick<MetricValues, 'metric' | 'now' | 'before'>): string | undefined {
  if (now === null || before === null) return undefined
  if (metric === 'churn') {
    const points = Math.abs(now - before) * 100
    return points < 0.05
      ? texts.noChange
      : format(texts.percentagePoints, { change: `${now > before ? '+' : '−'}${points.toFixed(1)}` })
  }
  if (now === before) return texts.noChange
  // A percentage of zero, or of a loss, has no meaning.
  if (before <= 0 || now < 0) return undefined
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return `${now > before ? '+' : '−'}${percent < 1 ? '<1' : count(percent)}%`
}

/** Metrics that can be summed: only these have a peak. */
const SUMMABLE: readonly dashboard.Metric[] = [
  ...(['listens', 'downloads', 'new_members', 'applications', 'revenue', 'uploads', 'tickets_answered'] as const),
]

function peakText(
  { metric, points }: MetricValues,
  period: dashboard.Period,
  unit: Unit,
  starts: readonly string[],
): string {
  const most = Math.max(...points.map((n) => n ?? 0))
  const start = starts[points.indexOf(most)]
  if (!SUMMABLE.includes(metric) || most <= 0 || !start) return ''
  if (unit === 'hour') return format(texts.peakUtc, { time: pointName(unit, start) })
  if (unit === 'week') return format(texts.peak, { time: pointName(unit, start) })
  return format(texts.peak, { time: period === 'week' ? weekday(start) : dayAndMonth(start) })
}

type MetricsOfPeriod = {
  period: dashboard.Period
  unit: Unit
  starts: readonly string[]
  previous_starts: readonly string[]
}

/** Summary of a chart: '1,204 in the last 7 days, +12% vs previous 7 days · peak Friday'. */
export function summaryOf(shown: MetricValues, { period, unit, starts, previous_starts }: MetricsOfPeriod): string {
  const isCurrent = shown.metric === 'subscribers'
  if (shown.now === null) return isCurrent ? texts.noDataNow : VALUE_TEXTS[period].none
  const value = format(isCurrent ? texts.valueNow : VALUE_TEXTS[period].value, { value: formatValue(shown, shown.now) })
  const comparison = comparisonOf(shown, { period, previous_starts })
  const summary = comparison ? format(texts.valueAndComparison, { value, comparison }) : value
  const peak = peakText(shown, period, unit, starts)
  return peak ? format(texts.summaryAndPeak, { summary, peak }) : summary
}

/** The comparison with the previous period; '' when there is nothing to compare with. */
export function comparisonOf(
  shown: MetricValues,
  { period, previous_starts }: Pick<MetricsOfPeriod, 'period' | 'previous_starts'>,
): string {
  const startBefore = previous_starts[0] ?? ''
  const isCurrent = shown.metric === 'subscribers'
  const change = describeChange(shown)
  if (change !== undefined)
    return isCurrent ? format(FORMERLY[period].vs, { change }) : changeSince(change, period, startBefore)
  if (shown.before === null) return ''
  const value = formatValue(shown, shown.before)
  return isCurrent ? format(FORMERLY[period].value, { value }) : valueOfPreviousPeriod(value, period, startBefore)
}

const FORMERLY = {
  day: { vs: texts.vsSameTimeLastWeek, value: texts.valueSameTimeLastWeek },
  week: { vs: texts.vs7DaysAgo, value: texts.value7DaysAgo },
  month: { vs: texts.vs30DaysAgo, value: texts.value30DaysAgo },
  quarter: { vs: texts.vs90DaysAgo, value: texts.value90DaysAgo },
  year: { vs: texts.vsAYearAgo, value: texts.valueAYearAgo },
} as const satisfies Record<dashboard.Period, object>

const BETTER_IF_LOWER: readonly dashboard.Metric[] = ['churn', 'first_reply']

/** Whether a metric went up or down, and whether that is good; undefined if it did not change. */
export function changeOf({ metric, now, before }: Pick<MetricValues, 'metric' | 'now' | 'before'>) {
  const hasChanged = describeChange({ metric, now, before })?.match(/^[+−]/)
  if (!hasChanged) return { direction: undefined, isGood: true }
  const isUp = (now ?? 0) > (before ?? 0)
  return { direction: isUp ? ('up' as const) : ('down' as const), isGood: isUp !== BETTER_IF_LOWER.includes(metric) }
}
