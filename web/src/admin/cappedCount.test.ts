import { MAX_COUNTED_ROWS } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { cappedCount } from './cappedCount.ts'

test('a number that was not counted to the end has a plus', () => {
  expect(cappedCount(MAX_COUNTED_ROWS)).toBe('10,000')
  expect(cappedCount(MAX_COUNTED_ROWS + 1)).toBe('10,000+')
})
