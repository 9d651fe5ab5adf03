import type { desk } from '@dubplate/contract'
import { addDays, startOfDay } from './days.ts'

/** A period that ends now, cut into pieces, and the one before it. */
export type MetricPeriod = {
  unit: 'hour' | 'day' | 'week'
  /** Where each piece begins. */
  starts: Date[]
  /** A moment so many days earlier is the same one of the period before. */
  shift_days: number
  /** Of the last piece of the period before. */
  end_before: Date
}

const HOUR_MS = 3_600_000
const HOURS = 24
const DAYS = { week: 7, month: 30, quarter: 90 } as const
/** As many of each weekday in this year as in the one before. */
const WEEKS = 52

/** Today counts as far as it is; the period before it as far as its last day was at the same time. */
export function metricPeriodOf(period: desk.Period, now: Date): MetricPeriod {
  const today = startOfDay(now)
  if (period === 'day') {
    const starts = Array.from({ length: HOURS }, (_, hour) => new Date(today.getTime() + hour * HOUR_MS))
    return { unit: 'hour', starts, shift_days: 7, end_before: addDays(today, -6) }
  }
  if (period === 'year') {
    const first = addDays(today, 1 - 7 * WEEKS)
    const starts = Array.from({ length: WEEKS }, (_, week) => addDays(first, 7 * week))
    return { unit: 'week', starts, shift_days: 7 * WEEKS, end_before: first }
  }
  const days = DAYS[period]
  const starts = Array.from({ length: days }, (_, day) => addDays(today, 1 - days + day))
  return { unit: 'day', starts, shift_days: days, end_before: addDays(today, 1 - days) }
}

export const startsBefore = ({ starts, shift_days }: MetricPeriod): Date[] =>
  starts.map((start) => addDays(start, -shift_days))

/** Which of the pieces a moment is in; -1 before the first of them. */
export function intervalIndex(starts: readonly Date[], date: Date): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as Date) <= date) low = middle + 1
    else high = middle
  }
  return low - 1
}
