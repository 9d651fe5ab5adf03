import type { notices } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { withRead } from './withRead.ts'

const notice = (notice_id: number, is_read: boolean): notices.Notice => ({
  ...{ notice_id, is_read, kind: 'upload', text: 'x', address: '/', created_at: '2026-07-01T10:00:00Z' },
})
const page = {
  notices: [notice(3, false), notice(2, true), notice(1, false)],
  // Two here, three on other pages.
  unread: 5,
  pagination: { page: 1, perPageLimit: 24, totalCount: 30 },
}
const readIn = (told: typeof page) => told.notices.map(({ is_read }) => is_read)

test('a notice that is opened is read, and counted once', () => {
  const read = withRead(page, [3])
  expect([readIn(read), read.unread]).toEqual([[true, true, false], 4])
  expect(withRead(read, [3]).unread).toBe(4)
  expect(withRead(page, [2]).unread).toBe(5)
})

test('all of them are read, also those on other pages', () => {
  const read = withRead(page, undefined)
  expect([readIn(read), read.unread]).toEqual([[true, true, true], 0])
})
