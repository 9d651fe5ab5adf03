import type { Day } from '@dubplate/contract'

const inWords = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** '21 Dec 2026', where the person is; '' where it is no date. */
export function fullDay(iso: string | null): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const part = Object.fromEntries(inWords.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${part.day} ${part.month} ${part.year}`
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** The day of '2026-12-31' as the calls take it; null where there is no such day, or none the pool can have been there on. */
export function dayOf(text: string | undefined): Day | null {
  const [, year = 0, month = 0, day = 0] = (DAY.exec(text ?? '') ?? []).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = year >= 2000 && year <= 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? { day, month, year } : null
}

/** The first and the last day of a year, as an address carries them. */
export const rangeOfYear = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** Any two days, as an address carries them: '2026-12-31'. */
export type Range = { from?: string | undefined; to?: string | undefined }

/** The year a range is; undefined for everything, null for any other range. */
export function yearOf({ from, to }: Range): number | null | undefined {
  if (!from && !to) return undefined
  const year = Number(from?.slice(0, 4))
  const whole = rangeOfYear(year)
  return whole.from === from && whole.to === to ? year : null
}

/** The years that badges offer: this one and the two before it. */
export const badgeYears = (now = new Date()): number[] => [0, 1, 2].map((ago) => now.getFullYear() - ago)

/** The first day comes after the last one; a day that is none is no bound. */
export const isBackwards = ({ from, to }: Range): boolean =>
  dayOf(from) !== null && dayOf(to) !== null && (from ?? '') > (to ?? '')
