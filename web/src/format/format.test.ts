import { expect, test } from 'vitest'
import { formatBpmRange, formatBytes, formatDuration, formatShortDate, plural } from './format.ts'
import { formatList } from './formatList.ts'

test('formats a tempo as one number, or as a range for a song that changes it', () => {
  expect(formatBpmRange(124, 124)).toBe('124')
  expect(formatBpmRange(98, 124)).toBe('98–124')
  expect(formatBpmRange(null, 124)).toBe('124')
  expect(formatBpmRange(null, null)).toBe('–')
  expect(formatBpmRange(123.46, 123.46)).toBe('123.5')
})

test('formats durations like a player', () => {
  expect(formatDuration(9.9)).toBe('0:09')
  expect(formatDuration(185)).toBe('3:05')
  expect(formatDuration(3600)).toBe('1:00:00')
})

test('omits the year for dates of this year', () => {
  const now = new Date('2026-11-21T12:00:00')
  expect(formatShortDate('2026-11-20T12:00:00', now)).toBe('20 Nov')
  expect(formatShortDate('2024-03-01T12:00:00', now)).toBe('Mar 2024')
  expect(formatShortDate('not a date', now)).toBe('')
})

test('formats sizes and counts with units and separators', () => {
  expect(formatBytes(0)).toBe('0 B')
  expect(formatBytes(4300)).toBe('4.3 kB')
  expect(formatBytes(123_456_789)).toBe('123 MB')
  expect(plural(1, 'song')).toBe('1 song')
  expect(plural(1200, 'song')).toBe('1,200 songs')
})

test('joins a list with commas, and within a sentence with “and”', () => {
  expect(formatList([])).toBe('')
  expect(formatList(['A'])).toBe('A')
  expect(formatList(['A', 'B', 'C'])).toBe('A, B, C')
  expect(formatList(['A', 'B', 'C'], 'conjunction')).toBe('A, B and C')
  expect(formatList(['A', 'B', 'C'], 'disjunction')).toBe('A, B or C')
})
