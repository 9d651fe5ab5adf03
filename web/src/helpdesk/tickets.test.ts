import { expect, test } from 'vitest'
import { newRepliesMessage, waitingText } from './tickets.ts'

test('announces new replies with their authors, each once', () => {
  expect(newRepliesMessage([{ author: 'Ada' }])).toBe('New reply from Ada.')
  expect(newRepliesMessage([{ author: 'Ada' }, { author: 'Ada' }])).toBe('New replies from Ada.')
  expect(newRepliesMessage([{ author: 'Ada' }, { author: 'Kim' }])).toBe('New replies from Ada and Kim.')
})

test('says who has to reply next in an open ticket', () => {
  expect(waitingText({ status: 'open', awaiting_reply_from: 'staff' })).toBe('Awaiting our reply')
  expect(waitingText({ status: 'open', awaiting_reply_from: 'customer' })).toBe('Replied')
  expect(waitingText({ status: 'close', awaiting_reply_from: 'staff' })).toBe('')
})
