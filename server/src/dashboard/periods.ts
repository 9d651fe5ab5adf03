import type { dashboard } from '@dubplate/contract'
import { addDays, startOfDay } from './days.ts'

/** A period that ends now, split into intervals, and the previous period. */
export type MetricPeriod = {
  unit: 'hour' | 'day' | 'week'
  /** When each interval begins. */
  starts: Date[]
  /** The number of days between a time and the corresponding time in the previous period. */
  shift_days: number
  /** When the last interval of the previous period ends. */
  end_before: Date
}

const HOUR_MS = 3_600_000
const HOURS = 24
const DAYS = { week: 7, month: 30, quarter: 90 } as const
/** Whole weeks, so that the year and the previous one have the same number of each weekday. */
const WEEKS = 52

/** Today is counted up to now, and the last day of the previous period up to the same time of day. */
export function metricPeriodOf(period: dashboard.Period, now: Date): MetricPeriod {
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

/** Returns the index of the interval that contains the time; -1 when the time is before the first one. */
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
