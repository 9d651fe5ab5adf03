import { expect, test } from 'vitest'
import { withSearch } from './recentSearches.ts'

test('puts the newest search first, each only once', () => {
  expect(withSearch(['house', 'techno'], 'disco')).toEqual(['disco', 'house', 'techno'])
  expect(withSearch(['house', 'techno'], 'techno')).toEqual(['techno', 'house'])
  expect(withSearch(['House'], 'house')).toEqual(['house'])
})

test('keeps eight searches', () => {
  const eight = ['1', '2', '3', '4', '5', '6', '7', '8']
  expect(withSearch(eight, 'new')).toEqual(['new', ...eight.slice(0, 7)])
})
