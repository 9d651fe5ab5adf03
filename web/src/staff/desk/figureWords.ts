import { decimalsOf, type desk } from '@dubplate/contract'
import { count } from '../../platform/format.ts'

type Shown = desk.FigureShown

export const NAMES: Record<desk.Figure, string> = {
  listens: 'Listens',
  downloads: 'Downloads',
  new_members: 'New members',
  applications: 'Applications',
  revenue: 'Revenue',
  subscribers: 'Active subscribers',
  churn: 'Churn',
  uploads: 'Uploads',
  tickets_answered: 'Tickets replied to',
  first_answer: 'Time to first reply',
}

/** What each counts, for whoever asks. */
export const MEANINGS: Record<desk.Figure, string> = {
  listens: 'Songs played long enough to count as a listen.',
  downloads: 'Downloads that count towards the download limit.',
  new_members: 'Approved applications.',
  applications: 'Applications received.',
  revenue: 'Payments minus refunds, from the ledger.',
  subscribers: 'Members with paid access.',
  churn: 'Share of subscribers at the start of the period who left by its end. Bars show how many left.',
  uploads: 'Files uploaded by members.',
  tickets_answered: 'Tickets with a first reply from staff.',
  first_answer: 'Median time from a new ticket to the first reply.',
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
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`
  return hours % 24 ? `${Math.floor(hours / 24)} days ${hours % 24} h` : `${hours / 24} days`
}

const share = (part: number): string => `${(part * 100).toFixed(1)} %`

/** A value of the whole period. */
export function valueInWords({ figure, currency }: Pick<Shown, 'figure' | 'currency'>, value: number | null): string {
  if (value === null) return '–'
  if (figure === 'revenue') return money(value, currency)
  if (figure === 'first_answer') return timeInWords(value)
  return figure === 'churn' ? share(value) : count(value)
}

/** A value of one point: of churn how many were lost. */
export const pointInWords = (shown: Pick<Shown, 'figure' | 'currency'>, value: number | null): string =>
  shown.figure === 'churn' && value !== null ? count(value) : valueInWords(shown, value)

const LASTS: Record<desk.Period, string> = {
  day: 'today',
  week: 'in the last 7 days',
  month: 'in the last 30 days',
  quarter: 'in the last 90 days',
  year: 'in the last 12 months',
}

const DAYS = { week: 7, month: 30, quarter: 90 }

/** The period before, as it stands in a sentence; `start` is where it begins. */
export function beforeInWords(period: desk.Period, start: string): string {
  if (period === 'day') return `vs last ${weekday(start)} at the same time`
  return period === 'year' ? 'vs previous 12 months' : `vs previous ${DAYS[period]} days`
}

/** The day of the week in UTC: 'Friday'. */
const weekday = (iso: string): string =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date(iso))

const dayAndMonth = (iso: string): string => {
  const date = new Date(iso)
  return `${date.getUTCDate()} ${new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(date)}`
}

type Unit = 'hour' | 'day' | 'week'

/** A point by its time: '14:00', 'Fri 20 Nov', 'week of 16 Nov 2026'. */
export function pointName(unit: Unit, start: string): string {
  if (unit === 'hour') return start.slice(11, 16)
  if (unit === 'week') return `week of ${dayAndMonth(start)} ${start.slice(0, 4)}`
  return `${weekday(start).slice(0, 3)} ${dayAndMonth(start)}`
}

/** How a value changed since the period before: '+12 %', 'no change'. Undefined where there is nothing to compare with. */
export function compared({ figure, now, before }: Pick<Shown, 'figure' | 'now' | 'before'>): string | undefined {
  if (now === null || before === null) return undefined
  if (figure === 'churn') {
    const points = Math.abs(now - before) * 100
    return points < 0.05 ? 'no change' : `${now > before ? '+' : '−'}${points.toFixed(1)} pts`
  }
  if (now === before) return 'no change'
  // A share of nothing, or of a loss, has no meaning.
  if (before <= 0 || now < 0) return undefined
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return `${now > before ? '+' : '−'}${percent < 1 ? '<1' : count(percent)} %`
}

/** Figures that add up: of these there is a point with the most. */
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

/** What a chart shows, in a sentence: '1,204 in the last 7 days, 12 % more than in the 7 days before; most on Friday'. */
export function summaryOf(shown: Shown, { period, unit, starts, starts_before }: Told): string {
  const before = beforeInWords(period, starts_before[0] ?? '')
  const when = shown.figure === 'subscribers' ? 'now' : LASTS[period]
  if (shown.now === null) return `No data ${when}`
  const start = `${valueInWords(shown, shown.now)} ${when}`
  const comparison = compared(shown)
  const beside =
    comparison !== undefined
      ? `, ${comparison} ${shown.figure === 'subscribers' ? formerly(period) : before}`
      : shown.before === null
        ? ''
        : `, ${valueInWords(shown, shown.before)} ${before}`
  return `${start}${beside}${mostInWords(shown, period, unit, starts)}`
}

const FORMERLY: Record<desk.Period, string> = {
  day: 'same time last week',
  week: '7 days ago',
  month: '30 days ago',
  quarter: '90 days ago',
  year: 'a year ago',
}
const formerly = (period: desk.Period) => FORMERLY[period]
