import { expect, test } from 'vitest'
import { formatDate } from '../format/dates.ts'
import { addPeriod } from './planTexts.ts'

const next = (start: string, interval: 'month' | 'year') =>
  formatDate(addPeriod(new Date(`${start}T12:00:00`), interval).toISOString())

test('sets the next payment a month, or a year, later', () => {
  expect(next('2026-11-21', 'month')).toBe('21 Dec 2026')
  expect(next('2026-12-21', 'month')).toBe('21 Jan 2027')
  expect(next('2026-11-21', 'year')).toBe('21 Nov 2027')
})

test('uses the last day of a shorter month', () => {
  expect(next('2027-01-31', 'month')).toBe('28 Feb 2027')
  expect(next('2028-02-29', 'year')).toBe('28 Feb 2029')
})
