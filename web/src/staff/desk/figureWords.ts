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
  tickets_answered: 'Tickets answered',
  first_answer: 'Time to first answer',
}

/** What each counts, for whoever asks. */
export const MEANINGS: Record<desk.Figure, string> = {
  listens: 'Songs that were listened to for long enough to count.',
  downloads: 'Downloads that count against a member’s limit.',
  new_members: 'Applications that were approved.',
  applications: 'Applications that came in.',
  revenue: 'What came in less what was given back, by the books.',
  subscribers: 'Members with access by a plan they paid for.',
  churn: 'Of the subscribers at the beginning the share that is gone at the end. The bars are how many were lost.',
  uploads: 'Files that members sent.',
  tickets_answered: 'Tickets that had their first answer of staff.',
  first_answer: 'From a ticket to its first answer: half had to wait longer, half less.',
}

export const nameOf = ({ figure, currency }: Pick<Shown, 'figure' | 'currency'>): string =>
  currency ? `${NAMES[figure]} in ${currency}` : NAMES[figure]

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
  day: 'today so far',
  week: 'in the last 7 days',
  month: 'in the last 30 days',
  quarter: 'in the last 90 days',
  year: 'in the last 12 months',
}

const DAYS = { week: 7, month: 30, quarter: 90 }

/** The period before, as it stands in a sentence; `start` is where it begins. */
export function beforeInWords(period: desk.Period, start: string): string {
  if (period === 'day') return `on ${weekday(start)} last week up to now`
  return period === 'year' ? 'in the 12 months before' : `in the ${DAYS[period]} days before`
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

/** What is not counted is compared in words of its own. */
const COMPARING: Partial<Record<desk.Figure, readonly [string, string, string]>> = {
  revenue: ['more', 'less', 'as much'],
  first_answer: ['longer', 'shorter', 'as long'],
}

/** How a value compares, as a half-sentence: '12 % more than', 'as many as'. Undefined where there is nothing to compare. */
export function compared({ figure, now, before }: Pick<Shown, 'figure' | 'now' | 'before'>): string | undefined {
  if (now === null || before === null) return undefined
  const [more, less, same] = COMPARING[figure] ?? ['more', 'less', 'as many']
  if (figure === 'churn') {
    const points = Math.abs(now - before) * 100
    return points < 0.05 ? 'the same as' : `${points.toFixed(1)} points ${now > before ? more : less} than`
  }
  if (now === before) return `${same} as`
  // Of nothing, or less than it, there is no share.
  if (before <= 0 || now < 0) return undefined
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return `${percent < 1 ? 'less than 1' : count(percent)} % ${now > before ? more : less} than`
}

/** Figures that add up: of these there is a point with the most. */
const ADDS_UP: readonly desk.Figure[] = [
  ...(['listens', 'downloads', 'new_members', 'applications', 'revenue', 'uploads', 'tickets_answered'] as const),
]

function mostInWords({ figure, points }: Shown, period: desk.Period, unit: Unit, starts: readonly string[]): string {
  const most = Math.max(...points.map((n) => n ?? 0))
  const start = starts[points.indexOf(most)]
  if (!ADDS_UP.includes(figure) || most <= 0 || !start) return ''
  if (unit === 'hour') return `; most from ${pointName(unit, start)} UTC on`
  if (unit === 'week') return `; most in the ${pointName(unit, start)}`
  return `; most on ${period === 'week' ? weekday(start) : dayAndMonth(start)}`
}

type Told = { period: desk.Period; unit: Unit; starts: readonly string[]; starts_before: readonly string[] }

/** What a chart shows, in a sentence: '1,204 in the last 7 days, 12 % more than in the 7 days before; most on Friday'. */
export function summaryOf(shown: Shown, { period, unit, starts, starts_before }: Told): string {
  const before = beforeInWords(period, starts_before[0] ?? '')
  const when = shown.figure === 'subscribers' ? 'now' : LASTS[period]
  if (shown.now === null) return `Nothing to tell ${when}`
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
  day: 'a week ago',
  week: '7 days ago',
  month: '30 days ago',
  quarter: '90 days ago',
  year: 'a year ago',
}
const formerly = (period: desk.Period) => FORMERLY[period]
