import { expect, test } from 'vitest'
import { formatTimeAgo } from './timeAgo.ts'

const now = new Date('2026-11-20T12:00:00Z')
const before = (seconds: number) => formatTimeAgo(new Date(now.getTime() - seconds * 1000).toISOString(), now)

test('uses the largest whole unit', () => {
  expect(before(20)).toBe('just now')
  expect(before(60)).toBe('1 min ago')
  expect(before(59 * 60 + 59)).toBe('59 min ago')
  expect(before(3600)).toBe('1 h ago')
  expect(before(23 * 3600)).toBe('23 h ago')
})

test('shows the date from one day on', () => {
  expect(before(2 * 86_400)).toMatch(/^1[78] Nov$/)
})

test('treats a time in the future as just now', () => {
  expect(before(-90)).toBe('just now')
})
