import type { Day } from '@dubplate/contract'
import { ApiError } from './api-error.ts'

/** The beginning of a day of the calendar, so many days later, in UTC. Refuses `invalid_request` for a day that no calendar has. */
export function startOfDay({ year, month, day }: Day, daysLater = 0): Date {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCDate() !== day) throw new ApiError('invalid_request', `${day}/${month}/${year} isn’t a valid date.`)
  date.setUTCDate(day + daysLater)
  return date
}

type DayBound = Day | null | undefined

/** From the beginning of the first day to the end of the last one, in UTC; null where there is no bound. Refuses `invalid_request`. */
export const toDateRange = (first: DayBound, last: DayBound): { from: Date | null; to: Date | null } => ({
  from: first ? startOfDay(first) : null,
  to: last ? startOfDay(last, 1) : null,
})

const FIRST_YEAR = 2000
const LAST_YEAR = 2200

/** A moment that somebody chose, written in ISO 8601. Refuses `invalid_request` for one that nobody means. */
export function parseDate(text: string): Date {
  const parsedDate = new Date(text)
  const year = parsedDate.getUTCFullYear()
  // Also of no date at all, whose year is not a number.
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) {
    throw new ApiError('invalid_request', `Choose a date between ${FIRST_YEAR} and ${LAST_YEAR}.`)
  }
  return parsedDate
}
