import { expect, test } from 'vitest'
import { waited, waitsInWords } from './ticketWaits.ts'

const now = new Date('2026-11-20T12:00:00Z')

test('gives a waiting time in minutes, up to two days in hours, then in days', () => {
  expect(waited('2026-11-20T11:59:40Z', now)).toBe('0 min')
  expect(waited('2026-11-20T11:05:00Z', now)).toBe('55 min')
  expect(waited('2026-11-19T10:00:00Z', now)).toBe('26 h')
  expect(waited('2026-11-17T10:00:00Z', now)).toBe('3 days')
  // The clock of this computer may be slow.
  expect(waited('2026-11-20T12:05:00Z', now)).toBe('0 min')
})

test('says who has to reply to a ticket', () => {
  const since = { waiting_since: '2026-11-20T10:00:00Z' }
  expect(waitsInWords({ status: 'open', awaiting_reply_from: 'staff', ...since }, now)).toBe('Waiting 2 h')
  expect(waitsInWords({ status: 'open', awaiting_reply_from: 'customer', ...since }, now)).toBe('Replied 2 h ago')
  expect(waitsInWords({ status: 'close', awaiting_reply_from: 'customer', ...since }, now)).toBe('Closed 2 h ago')
})
