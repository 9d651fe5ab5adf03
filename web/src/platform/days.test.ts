import { expect, test } from 'vitest'
import { formatDate, isReversedRange, parseDay, rangeOfYear, recentYears, yearOfRange } from './dates.ts'

test('a day is written day, month, year', () => {
  expect(formatDate('2026-12-21T12:00:00Z')).toBe('21 Dec 2026')
  expect(formatDate('2026-09-01T12:00:00Z')).toBe('1 Sep 2026')
  expect(formatDate(null)).toBe('')
})

test('a day of an address becomes the day the calls take', () => {
  expect(parseDay('2026-02-28')).toEqual({ day: 28, month: 2, year: 2026 })
  expect(parseDay(undefined)).toBeNull()
})

test('a day that is not in the calendar is none, nor is a year that is still being typed', () => {
  expect(parseDay('2026-02-30')).toBeNull()
  expect(parseDay('2026-13-01')).toBeNull()
  expect(parseDay('0002-01-01')).toBeNull()
  expect(parseDay('yesterday')).toBeNull()
})

test('a year goes from the first of January to the last of December, and is known again by that', () => {
  expect(rangeOfYear(2025)).toEqual({ from: '2025-01-01', to: '2025-12-31' })
  expect(yearOfRange(rangeOfYear(2025))).toBe(2025)
  expect(yearOfRange({})).toBeUndefined()
  expect(yearOfRange({ from: '2025-01-01' })).toBeNull()
  expect(yearOfRange({ from: '2025-01-01', to: '2026-12-31' })).toBeNull()
})

test('the badges are this year and the two before it', () => {
  expect(recentYears(new Date(2026, 5, 1))).toEqual([2026, 2025, 2024])
})

test('a range is backwards when its first day comes after its last, and both are days', () => {
  expect(isReversedRange({ from: '2026-12-02', to: '2026-12-01' })).toBe(true)
  expect(isReversedRange({ from: '2026-12-01', to: '2026-12-01' })).toBe(false)
  expect(isReversedRange({ from: '2026-12-02' })).toBe(false)
  expect(isReversedRange({ from: '2026-02-30', to: '2026-02-01' })).toBe(false)
})
