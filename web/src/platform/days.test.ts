import { expect, test } from 'vitest'
import { badgeYears, dayOf, fullDay, isBackwards, rangeOfYear, yearOf } from './days.ts'

test('a day is written day, month, year', () => {
  expect(fullDay('2026-12-21T12:00:00Z')).toBe('21 Dec 2026')
  expect(fullDay('2026-09-01T12:00:00Z')).toBe('1 Sep 2026')
  expect(fullDay(null)).toBe('')
})

test('a day of an address becomes the day the calls take', () => {
  expect(dayOf('2026-02-28')).toEqual({ day: 28, month: 2, year: 2026 })
  expect(dayOf(undefined)).toBeNull()
})

test('a day that is not in the calendar is none, nor is a year that is still being typed', () => {
  expect(dayOf('2026-02-30')).toBeNull()
  expect(dayOf('2026-13-01')).toBeNull()
  expect(dayOf('0002-01-01')).toBeNull()
  expect(dayOf('yesterday')).toBeNull()
})

test('a year goes from the first of January to the last of December, and is known again by that', () => {
  expect(rangeOfYear(2025)).toEqual({ from: '2025-01-01', to: '2025-12-31' })
  expect(yearOf(rangeOfYear(2025))).toBe(2025)
  expect(yearOf({})).toBeUndefined()
  expect(yearOf({ from: '2025-01-01' })).toBeNull()
  expect(yearOf({ from: '2025-01-01', to: '2026-12-31' })).toBeNull()
})

test('the badges are this year and the two before it', () => {
  expect(badgeYears(new Date(2026, 5, 1))).toEqual([2026, 2025, 2024])
})

test('a range is backwards when its first day comes after its last, and both are days', () => {
  expect(isBackwards({ from: '2026-12-02', to: '2026-12-01' })).toBe(true)
  expect(isBackwards({ from: '2026-12-01', to: '2026-12-01' })).toBe(false)
  expect(isBackwards({ from: '2026-12-02' })).toBe(false)
  expect(isBackwards({ from: '2026-02-30', to: '2026-02-01' })).toBe(false)
})
