import { expect, test } from 'vitest'
import { complaintOf, filesInTheWay, type Sending } from './sending.ts'

const sending = (complaint?: string): Sending => ({
  key: 1,
  file: { name: 'a.png', size: 10 } as File,
  share: 0,
  ...(complaint === undefined ? {} : { complaint }),
})

test('a file that is empty or larger than an attachment may be is not sent', () => {
  expect(complaintOf({ size: 0 })).toBe('This file is empty. Choose another file.')
  expect(complaintOf({ size: 10 * 1024 * 1024 })).toBe('')
  expect(complaintOf({ size: 10 * 1024 * 1024 + 1 })).toBe('This file is too large (10 MB). The limit is 10 MB.')
})

test('a message waits for its files, and does not go without one that failed', () => {
  expect(filesInTheWay([])).toBe('')
  expect(filesInTheWay([sending()])).toMatch(/^Wait for the uploads to finish/)
  expect(filesInTheWay([sending(), sending('You are offline.')])).toMatch(/^Couldn’t attach a file/)
})
