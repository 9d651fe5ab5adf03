import { afterEach, expect, test, vi } from 'vitest'
import { formatExactDate } from './format.ts'
import { isoOf, localOf, zoneInWords } from './moments.ts'

const inZone = (zone: string) => vi.stubEnv('TZ', zone)
afterEach(() => void vi.unstubAllEnvs())

test('converts to and from local time, in winter and in summer', () => {
  inZone('Europe/Lisbon')
  expect(isoOf('2026-01-20T18:30')).toBe('2026-01-20T18:30:00.000Z')
  expect(isoOf('2026-07-20T18:30')).toBe('2026-07-20T17:30:00.000Z')
  expect(localOf('2026-07-20T17:30:00.000Z')).toBe('2026-07-20T18:30')
  expect(formatExactDate('2026-07-20T17:30:00.000Z')).toBe('20 Jul 2026, 18:30')
})

test('moves a time that daylight saving skips to the following hour', () => {
  inZone('Europe/Berlin')
  expect(localOf(isoOf('2026-03-29T02:30'))).toBe('2026-03-29T03:30')
})

test('returns nothing for an empty or invalid time', () => {
  expect(isoOf('')).toBeNull()
  expect(isoOf('soon')).toBeNull()
  expect(localOf(null)).toBe('')
})

test('formats midnight as 00:00', () => {
  inZone('UTC')
  expect(formatExactDate('2026-07-20T00:05:00.000Z')).toBe('20 Jul 2026, 00:05')
})

test('names the time zone with its offset from UTC', () => {
  const winter = new Date('2026-01-20T12:00:00Z')
  inZone('Asia/Kolkata')
  expect(zoneInWords(winter)).toMatch(/^Asia\/(Kolkata|Calcutta), UTC\+5:30$/)
  inZone('America/New_York')
  expect(zoneInWords(winter)).toBe('America/New_York, UTC−5')
  inZone('UTC')
  expect(zoneInWords(winter)).toBe('UTC')
})
