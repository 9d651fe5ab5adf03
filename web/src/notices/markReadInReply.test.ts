import type { notices } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { markReadInReply } from './markReadInReply.ts'

const notification = (notification_id: number, is_read: boolean): notices.Notice => ({
  ...{ notification_id, is_read, kind: 'upload', text: 'x', address: '/', created_at: '2026-07-01T10:00:00Z' },
})
const page = {
  notices: [notification(3, false), notification(2, true), notification(1, false)],
  // Two on this page, three on others.
  unread: 5,
  pagination: { page: 1, perPageLimit: 24, totalCount: 30 },
}
const readFlags = (reply: typeof page) => reply.notices.map(({ is_read }) => is_read)

test('marks an opened notification as read, and counts it once', () => {
  const read = markReadInReply(page, [3])
  expect([readFlags(read), read.unread]).toEqual([[true, true, false], 4])
  expect(markReadInReply(read, [3]).unread).toBe(4)
  expect(markReadInReply(page, [2]).unread).toBe(5)
})

test('marks all as read, including those on other pages', () => {
  const read = markReadInReply(page, undefined)
  expect([readFlags(read), read.unread]).toEqual([[true, true, true], 0])
})
