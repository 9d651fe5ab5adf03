import { expect, test } from 'vitest'
import { remembered } from './recentSearches.ts'

test('the newest search stands first, and each stands there once', () => {
  expect(remembered(['house', 'techno'], 'disco')).toEqual(['disco', 'house', 'techno'])
  expect(remembered(['house', 'techno'], 'techno')).toEqual(['techno', 'house'])
  expect(remembered(['House'], 'house')).toEqual(['house'])
})

test('eight searches are kept', () => {
  const eight = ['1', '2', '3', '4', '5', '6', '7', '8']
  expect(remembered(eight, 'new')).toEqual(['new', ...eight.slice(0, 7)])
})
