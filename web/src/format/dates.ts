import type { Day } from '@dubplate/contract'

// It is in the first chunk with the other formats, which this file is not.
export { formatDate } from './format.ts'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** The day of '2026-12-31' as the API takes it; null for an invalid date or one before the pool can have existed. */
export function parseDay(text: string | undefined): Day | null {
  const [, year = 0, month = 0, day = 0] = (DAY.exec(text ?? '') ?? []).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  const isRealDate = year >= 2000 && year <= 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isRealDate ? { day, month, year } : null
}

/** The first and last day of a year, as in the URL. */
export const rangeOfYear = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** A range of days, as in the URL: '2026-12-31'. */
export type Range = { from?: string | undefined; to?: string | undefined }

/** The year that a range covers; undefined for an open range, null for any other range. */
export function yearOfRange({ from, to }: Range): number | null | undefined {
  if (!from && !to) return undefined
  const year = Number(from?.slice(0, 4))
  const wholeYear = rangeOfYear(year)
  return wholeYear.from === from && wholeYear.to === to ? year : null
}

/** The years offered as badges: this one and the two before it. */
export const recentYears = (now = new Date()): number[] => [0, 1, 2].map((yearsAgo) => now.getFullYear() - yearsAgo)

/** True if the first day is after the last; an invalid day is no bound. */
export const isReversedRange = ({ from, to }: Range): boolean =>
  parseDay(from) !== null && parseDay(to) !== null && (from ?? '') > (to ?? '')
