import { expect, test } from 'vitest'
import { bpmRange, byteSize, duration, plural, shortDate } from './format.ts'

test('a tempo is one number, or a range for a song that changes it', () => {
  expect(bpmRange(124, 124)).toBe('124')
  expect(bpmRange(98, 124)).toBe('98–124')
  expect(bpmRange(null, 124)).toBe('124')
  expect(bpmRange(null, null)).toBe('–')
  expect(bpmRange(123.46, 123.46)).toBe('123.5')
})

test('durations read as on a player', () => {
  expect(duration(9.9)).toBe('0:09')
  expect(duration(185)).toBe('3:05')
  expect(duration(3600)).toBe('1:00:00')
})

test('dates of this year leave the year out', () => {
  const now = new Date('2026-11-21T12:00:00')
  expect(shortDate('2026-11-20T12:00:00', now)).toBe('Nov 20')
  expect(shortDate('2024-03-01T12:00:00', now)).toBe('Mar 2024')
  expect(shortDate('not a date', now)).toBe('')
})

test('sizes and counts are written for people', () => {
  expect(byteSize(0)).toBe('0 B')
  expect(byteSize(4300)).toBe('4.3 kB')
  expect(byteSize(123_456_789)).toBe('123 MB')
  expect(plural(1, 'song')).toBe('1 song')
  expect(plural(1200, 'song')).toBe('1,200 songs')
})
