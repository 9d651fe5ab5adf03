import { expect, test } from 'vitest'
import { hasFilter, inputOf, isAskable, NO_FILTERS } from './searchAddress.ts'

test('a search needs three characters, or a filter', () => {
  expect(isAskable('ab', {})).toBe(false)
  expect(isAskable('abc', {})).toBe(true)
  expect(isAskable('', {})).toBe(false)
  expect(isAskable('', { year: '<2000' })).toBe(true)
  expect(isAskable('ab', { fresh: 1 })).toBe(true)
})

test('the page and the order are no filters', () => {
  expect(hasFilter({ page: 2, order: 'title', dir: 'ASC' })).toBe(false)
  expect(hasFilter({ ...NO_FILTERS })).toBe(false)
})

test('an address is asked as it stands', () => {
  const address = { key: '~8A', versions: 'intro,clean', fresh: 1, genre: 31, page: 3, order: 'min_bpm' } as const
  expect(inputOf('midnight', address)).toMatchObject({
    searchTerm: 'midnight',
    page: 3,
    genre_id: 31,
    versions: ['intro', 'clean'],
    not_downloaded: true,
    SongEntitySearch: { song_key: '~8A', bpm: '' },
    order: 'min_bpm',
    orderDir: 'ASC',
  })
})
