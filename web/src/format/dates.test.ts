import { expect, test } from 'vitest'
import { formatDate, isReversedRange, parseDay, rangeOfYear, recentYears, yearOfRange } from './dates.ts'

test('formats a day as day, month, year', () => {
  expect(formatDate('2026-12-21T12:00:00Z')).toBe('21 Dec 2026')
  expect(formatDate('2026-09-01T12:00:00Z')).toBe('1 Sep 2026')
  expect(formatDate(null)).toBe('')
})

test('converts a day of the URL for the API', () => {
  expect(parseDay('2026-02-28')).toEqual({ day: 28, month: 2, year: 2026 })
  expect(parseDay(undefined)).toBeNull()
})

test('ignores dates that do not exist and incomplete years', () => {
  expect(parseDay('2026-02-30')).toBeNull()
  expect(parseDay('2026-13-01')).toBeNull()
  expect(parseDay('0002-01-01')).toBeNull()
  expect(parseDay('yesterday')).toBeNull()
})

test('covers a year from 1 January to 31 December, and recognises it', () => {
  expect(rangeOfYear(2025)).toEqual({ from: '2025-01-01', to: '2025-12-31' })
  expect(yearOfRange(rangeOfYear(2025))).toBe(2025)
  expect(yearOfRange({})).toBeUndefined()
  expect(yearOfRange({ from: '2025-01-01' })).toBeNull()
  expect(yearOfRange({ from: '2025-01-01', to: '2026-12-31' })).toBeNull()
})

test('offers this year and the two before it', () => {
  expect(recentYears(new Date(2026, 5, 1))).toEqual([2026, 2025, 2024])
})

test('treats a range as reversed when its first day is after its last and both are valid', () => {
  expect(isReversedRange({ from: '2026-12-02', to: '2026-12-01' })).toBe(true)
  expect(isReversedRange({ from: '2026-12-01', to: '2026-12-01' })).toBe(false)
  expect(isReversedRange({ from: '2026-12-02' })).toBe(false)
  expect(isReversedRange({ from: '2026-02-30', to: '2026-02-01' })).toBe(false)
})
