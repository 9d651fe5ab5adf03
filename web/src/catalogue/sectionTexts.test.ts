import { expect, test } from 'vitest'
import { countOf } from './sectionTexts.ts'

test('counts songs, and kuts in their own section', () => {
  expect([0, 1, 2, 1200].map((n) => countOf(n, 'songs'))).toEqual(['0 songs', '1 song', '2 songs', '1,200 songs'])
  expect([0, 1, 2].map((n) => countOf(n, 'kuts'))).toEqual(['0 kuts', '1 kut', '2 kuts'])
  expect(countOf(2, 'all')).toBe('2 songs')
})
