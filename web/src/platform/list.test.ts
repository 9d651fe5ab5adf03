import { expect, test } from 'vitest'
import { formatList } from './list.ts'

test('separates items with commas, and the last one with a word', () => {
  expect([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map((items) => formatList(items))).toEqual([
    '',
    'A',
    'A and B',
    'A, B and C',
  ])
  expect(formatList(['A', 'B', 'C'], 'disjunction')).toBe('A, B or C')
  expect(formatList(['A', 'B', 'C'], 'unit')).toBe('A, B, C')
})
