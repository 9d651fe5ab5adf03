import { expect, test } from 'vitest'
import { resultsText } from './resultsText.ts'
import type { ListSection } from './section.ts'

const describe = (
  totalCount: number,
  exact_count: number,
  {
    words = 'similar',
    more = false,
    section = 'songs',
  }: { words?: 'exact' | 'similar'; more?: boolean; section?: ListSection } = {},
) => {
  const songs = Array.from({ length: totalCount }, () => ({ found: { words } }))
  return resultsText({ songs, exact_count, pagination: { totalCount, more } }, section)
}

test('counts the results when all are exact, or there are none', () => {
  expect([describe(0, 0), describe(1, 1), describe(2, 2)]).toEqual(['0 songs', '1 song', '2 songs'])
  expect(describe(1, 1, { section: 'kuts' })).toBe('1 kut')
  expect(describe(1200, 1200, { more: true, section: 'kuts' })).toBe('More than 1,200 kuts')
})

test('says how many results are exact', () => {
  expect(describe(3, 1)).toBe('3 songs (1 exact)')
  expect(describe(3, 1, { more: true, section: 'kuts' })).toBe('More than 3 kuts (1 exact)')
})

test('says that results are only similar, or at another tempo', () => {
  expect(describe(1, 0)).toBe('No exact matches. Showing 1 similar result.')
  expect(describe(2, 0, { more: true })).toBe('No exact matches. Showing more than 2 similar results.')
  expect(describe(1, 0, { words: 'exact' })).toBe('1 song at half or double tempo')
  expect(describe(2, 0, { words: 'exact', section: 'kuts' })).toBe('2 kuts at half or double tempo')
})
