import { expect, test } from 'vitest'
import { hasFilter, inputOf, isSearchable, NO_FILTERS } from './searchAddress.ts'

test('needs three characters, a tempo, a key or a filter', () => {
  for (const term of ['95', '8A', '1m', 'Am', 'Bb']) expect(isSearchable(term, {})).toBe(true)
  for (const term of ['59', 'bb', 'A', '8x']) expect(isSearchable(term, {})).toBe(false)
  expect(isSearchable('ab', {})).toBe(false)
  expect(isSearchable('abc', {})).toBe(true)
  expect(isSearchable('', {})).toBe(false)
  expect(isSearchable('', { year: '<2000' })).toBe(true)
  expect(isSearchable('ab', { fresh: 1 })).toBe(true)
})

test('does not count the page and the order as filters', () => {
  expect(hasFilter({ page: 2, order: 'title', dir: 'ASC' })).toBe(false)
  expect(hasFilter({ ...NO_FILTERS })).toBe(false)
})

test('sends the parameters of the URL unchanged', () => {
  const searchAddress = { key: '~8A', versions: 'intro,clean', fresh: 1, genre: 31, page: 3, order: 'min_bpm' } as const
  expect(inputOf('midnight', searchAddress)).toMatchObject({
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
