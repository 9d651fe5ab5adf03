import type { Day } from '@dubplate/contract'
import { ApiError } from './api-error.ts'

/**
 * Returns the start of a calendar day, or of the day this many days later, in UTC. Throws `invalid_request` for a day
 * that does not exist.
 */
export function startOfDay({ year, month, day }: Day, daysLater = 0): Date {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCDate() !== day) throw new ApiError('invalid_request', `${day}/${month}/${year} isn’t a valid date.`)
  date.setUTCDate(day + daysLater)
  return date
}

type DayBound = Day | null | undefined

/**
 * Returns the range from the start of the first day to the end of the last one, in UTC; null for an open end. Throws
 * `invalid_request`.
 */
export const toDateRange = (first: DayBound, last: DayBound): { from: Date | null; to: Date | null } => ({
  from: first ? startOfDay(first) : null,
  to: last ? startOfDay(last, 1) : null,
})

const FIRST_YEAR = 2000
const LAST_YEAR = 2200

/** Parses an ISO 8601 timestamp. Throws `invalid_request` for one with an unreasonable year. */
export function parseDate(text: string): Date {
  const parsedDate = new Date(text)
  const year = parsedDate.getUTCFullYear()
  // Also true for an invalid date, whose year is NaN.
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) {
    throw new ApiError('invalid_request', `Choose a date between ${FIRST_YEAR} and ${LAST_YEAR}.`)
  }
  return parsedDate
}
