import type { Day } from '@dubplate/contract'

const dateFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** '21 Dec 2026', where the person is; '' where it is no date. */
export function formatDate(iso: string | null): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const dateParts = Object.fromEntries(dateFormat.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${dateParts.day} ${dateParts.month} ${dateParts.year}`
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** The day of '2026-12-31' as the calls take it; null where there is no such day, or none the pool can have been there on. */
export function parseDay(text: string | undefined): Day | null {
  const [, year = 0, month = 0, day = 0] = (DAY.exec(text ?? '') ?? []).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  const isRealDate = year >= 2000 && year <= 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isRealDate ? { day, month, year } : null
}

/** The first and the last day of a year, as an address carries them. */
export const rangeOfYear = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** Any two days, as an address carries them: '2026-12-31'. */
export type Range = { from?: string | undefined; to?: string | undefined }

/** The year a range is; undefined for everything, null for any other range. */
export function yearOfRange({ from, to }: Range): number | null | undefined {
  if (!from && !to) return undefined
  const year = Number(from?.slice(0, 4))
  const wholeYear = rangeOfYear(year)
  return wholeYear.from === from && wholeYear.to === to ? year : null
}

/** The years that badges offer: this one and the two before it. */
export const recentYears = (now = new Date()): number[] =>
  [0, 1, 2].map((formatTimeAgo) => now.getFullYear() - formatTimeAgo)

/** The first day comes after the last one; a day that is none is no bound. */
export const isReversedRange = ({ from, to }: Range): boolean =>
  parseDay(from) !== null && parseDay(to) !== null && (from ?? '') > (to ?? '')
