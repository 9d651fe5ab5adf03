import { decimalsOf, type desk } from '@dubplate/contract'
import { count } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

type Shown = desk.FigureShown

export const NAMES: Record<desk.Figure, string> = {
  listens: texts.listens,
  downloads: texts.downloads,
  new_members: texts.newMembers,
  applications: texts.applications,
  revenue: texts.revenue,
  subscribers: texts.activeSubscribers,
  churn: texts.churn,
  uploads: texts.uploads,
  tickets_answered: texts.ticketsRepliedTo,
  first_answer: texts.timeToFirstReply,
}

/** What each metric counts. */
export const MEANINGS: Record<desk.Figure, string> = {
  listens: texts.songsPlayedLongEnoughTo,
  downloads: texts.downloadsThatCountTowardsThe,
  new_members: texts.approvedApplications,
  applications: texts.applicationsReceived,
  revenue: texts.paymentsMinusRefundsFromThe,
  subscribers: texts.membersWithPaidAccess,
  churn: texts.shareOfSubscribersAtThe,
  uploads: texts.filesUploadedByMembers,
  tickets_answered: texts.ticketsWithAFirstReply,
  first_answer: texts.medianTimeFromANew,
}

export const nameOf = ({ figure, currency }: Pick<Shown, 'figure' | 'currency'>): string =>
  currency ? `${NAMES[figure]} (${currency})` : NAMES[figure]

const money = (minor: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  const number = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return `${number.format(minor / 10 ** decimals)} ${currency}`
}

/** '50 s', '12 min', '3 h 5 min', '2 days 4 h'. */
export function timeInWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return format(texts.min, { minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? format(texts.hMin, { hours, minutes: minutes % 60 }) : `${hours} h`
  return hours % 24
    ? format(texts.daysH, { floor: Math.floor(hours / 24), hours: hours % 24 })
    : format(texts.days, { hours: hours / 24 })
}

const share = (part: number): string => `${(part * 100).toFixed(1)}%`

/** A value of the whole period. */
export function valueInWords({ figure, currency }: Pick<Shown, 'figure' | 'currency'>, value: number | null): string {
  if (value === null) return '–'
  if (figure === 'revenue') return money(value, currency)
  if (figure === 'first_answer') return timeInWords(value)
  return figure === 'churn' ? share(value) : count(value)
}

/** The value of one point; for churn, the number of lost subscribers. */
export const pointInWords = (shown: Pick<Shown, 'figure' | 'currency'>, value: number | null): string =>
  shown.figure === 'churn' && value !== null ? count(value) : valueInWords(shown, value)

const LASTS: Record<desk.Period, string> = {
  day: 'today',
  week: texts.inTheLast7Days,
  month: texts.inTheLast30Days,
  quarter: texts.inTheLast90Days,
  year: texts.inTheLast12Months,
}

const DAYS = { week: 7, month: 30, quarter: 90 }

/** The previous period, as the end of a comparison; `start` is its first moment. */
function comparedWith(period: desk.Period, start: string): string {
  if (period === 'day') return format(texts.vsLastAtTheSame, { weekday: weekday(start) })
  return period === 'year' ? texts.vsPrevious12Months : format(texts.vsPreviousDays, { DAYS: DAYS[period] })
}

/** The previous period, as it follows a value. */
function inPeriodBefore(period: desk.Period, start: string): string {
  if (period === 'day') return format(texts.lastAtTheSameTime, { weekday: weekday(start) })
  return period === 'year' ? texts.inThePrevious12Months : format(texts.inThePreviousDays, { DAYS: DAYS[period] })
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
  if (unit === 'week') return format(texts.weekOf, { dayAndMonth: dayAndMonth(start), slice: start.slice(0, 4) })
  return `${weekday(start).slice(0, 3)} ${dayAndMonth(start)}`
}

/**
 * Change of a value since the previous period: '+12%', 'no change'. Undefined when there is nothing to compare with.
 */
export function compared({ figure, now, before }: Pick<Shown, 'figure' | 'now' | 'before'>): string | undefined {
  if (now === null || before === null) return undefined
  if (figure === 'churn') {
    const points = Math.abs(now - before) * 100
    return points < 0.05 ? texts.noChange : `${now > before ? '+' : '−'}${points.toFixed(1)} pts`
  }
  if (now === before) return texts.noChange
  // A percentage of zero, or of a loss, has no meaning.
  if (before <= 0 || now < 0) return undefined
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return `${now > before ? '+' : '−'}${percent < 1 ? '<1' : count(percent)}%`
}

/** Metrics that can be summed: only these have a peak. */
const ADDS_UP: readonly desk.Figure[] = [
  ...(['listens', 'downloads', 'new_members', 'applications', 'revenue', 'uploads', 'tickets_answered'] as const),
]

function mostInWords({ figure, points }: Shown, period: desk.Period, unit: Unit, starts: readonly string[]): string {
  const most = Math.max(...points.map((n) => n ?? 0))
  const start = starts[points.indexOf(most)]
  if (!ADDS_UP.includes(figure) || most <= 0 || !start) return ''
  if (unit === 'hour') return ` · peak ${pointName(unit, start)} UTC`
  if (unit === 'week') return ` · peak ${pointName(unit, start)}`
  return ` · peak ${period === 'week' ? weekday(start) : dayAndMonth(start)}`
}

type Told = { period: desk.Period; unit: Unit; starts: readonly string[]; starts_before: readonly string[] }

/** Summary of a chart: '1,204 in the last 7 days, +12% vs previous 7 days · peak Friday'. */
export function summaryOf(shown: Shown, { period, unit, starts, starts_before }: Told): string {
  const isCurrent = shown.figure === 'subscribers'
  const startBefore = starts_before[0] ?? ''
  const when = isCurrent ? 'now' : LASTS[period]
  if (shown.now === null) return format(texts.noDataForPeriod, { when })
  const start = `${valueInWords(shown, shown.now)} ${when}`
  const comparison = compared(shown)
  const beside =
    comparison !== undefined
      ? `, ${comparison} ${isCurrent ? format(texts.vs, { time: FORMERLY[period] }) : comparedWith(period, startBefore)}`
      : shown.before === null
        ? ''
        : `, ${valueInWords(shown, shown.before)} ${isCurrent ? FORMERLY[period] : inPeriodBefore(period, startBefore)}`
  return `${start}${beside}${mostInWords(shown, period, unit, starts)}`
}

const FORMERLY: Record<desk.Period, string> = {
  day: texts.sameTimeLastWeek,
  week: texts.n7DaysAgo,
  month: texts.n30DaysAgo,
  quarter: texts.n90DaysAgo,
  year: texts.aYearAgo,
}
