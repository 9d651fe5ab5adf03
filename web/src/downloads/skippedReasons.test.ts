import { expect, test } from 'vitest'
import { skippedReasons } from './skippedReasons.ts'

const skip = (why: string, ...titles: string[]) => titles.map((title) => ({ why, title }))

test('lists each reason once, with the first three titles', () => {
  const skipped = [...skip('No downloads left.', 'A'), ...skip('File unavailable.', 'B', 'C', 'D', 'E', 'F')]
  expect(skippedReasons({ skipped })).toBe('No downloads left: A. File unavailable: B, C, D and 2 more.')
})

test('separates two and three titles with “and”', () => {
  expect(skippedReasons({ skipped: skip('File unavailable.', 'B', 'C') })).toBe('File unavailable: B and C.')
  expect(skippedReasons({ skipped: skip('File unavailable.', 'B', 'C', 'D') })).toBe('File unavailable: B, C and D.')
})
