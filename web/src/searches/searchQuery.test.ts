import { expect, test } from 'vitest'
import { searchAddress } from '../catalogue/addresses.ts'
import { defaultName, isSameQuery, queryChips, queryOf, toSearchAddress } from './searchQuery.ts'

const FULL_QUERY = {
  ...{ genre: 31, title: 'sun', artist: 'Halo & Co', bpm: '120-126', key: '~8A', year: '2020' },
  ...{ versions: 'intro_clean,dirty', fresh: 1 as const, page: 3, order: 'title' as const, dir: 'ASC' as const },
}
const names = { notation: 'camelot' as const, genreName: (id: number) => (id === 31 ? 'Afro House' : undefined) }

test('saves a search without its page and order, and leads back to it', () => {
  const query = queryOf(' night "so bad" ', FULL_QUERY)
  expect(query).toEqual({
    searchTerm: 'night "so bad"',
    genre_id: 31,
    SongEntitySearch: { title: 'sun', artist: 'Halo & Co', bpm: '120-126', song_key: '~8A', year: '2020' },
    versions: ['intro_clean', 'dirty'],
    not_downloaded: true,
    song_section_id: 1,
  })
  const { page: _page, order: _order, dir: _dir, ...filters } = FULL_QUERY
  expect(toSearchAddress(query)).toEqual({ term: 'night "so bad"', search: filters })
  expect(searchAddress(toSearchAddress(query).search)).toEqual(filters)
})

test('saves the section of a search for kuts or all sections, and leads back to it', () => {
  const kutsQuery = queryOf('night', { section: 'kuts' })
  expect(kutsQuery.song_section_id).toBe(2)
  expect(toSearchAddress(kutsQuery)).toEqual({ term: 'night', search: { section: 'kuts' } })
  const all = queryOf('night', { section: 'all' })
  expect(all.song_section_id).toBe(0)
  expect(toSearchAddress(all).search).toEqual({ section: 'all' })
  expect(isSameQuery(kutsQuery, all)).toBe(false)
  expect(queryChips(kutsQuery, names)).toEqual(['night', 'Kuts'])
  expect(queryChips(all, names)).toEqual(['night', 'Songs and kuts'])
})

test('omits unused parameters from the URL', () => {
  expect(toSearchAddress(queryOf('night', {}))).toEqual({ term: 'night', search: {} })
  expect(toSearchAddress(queryOf('', { genre: 5 }))).toEqual({ term: undefined, search: { genre: 5 } })
})

test('recognises the same search however it was typed', () => {
  const keptQuery = queryOf('Night  Drive', { versions: 'dirty,clean' })
  expect(isSameQuery(keptQuery, queryOf('night drive', { versions: 'clean,dirty', page: 2 }))).toBe(true)
  expect(isSameQuery(keptQuery, queryOf('night drive', { versions: 'clean' }))).toBe(false)
  expect(isSameQuery(keptQuery, queryOf('night drive', { versions: 'clean,dirty', fresh: 1 }))).toBe(false)
  expect(isSameQuery(queryOf('a b', { title: 'c' }), queryOf('a b', { artist: 'c' }))).toBe(false)
})

test('describes a search by its terms, with keys in the member’s notation', () => {
  expect(queryChips(queryOf('bpm:120-126 -remix "so bad"', FULL_QUERY), names)).toEqual([
    ...['bpm:120-126', '-remix', '"so bad"', 'Afro House', 'Title “sun”', 'Artist “Halo & Co”', 'BPM 120-126'],
    ...['Compatible with 8A', 'Year 2020', 'Intro Clean or Dirty', 'Not downloaded yet'],
  ])
  expect(queryChips(queryOf('', { key: '8A' }), { ...names, notation: 'musical' })).toEqual(['Key Am'])
  expect(queryChips(queryOf('', { key: '8A,9A', genre: 7 }), names)).toEqual(['Genre', 'Key 8A,9A'])
})

test('uses the search itself as the default name, up to the length limit', () => {
  expect(defaultName(queryOf('night', { genre: 31 }), names)).toBe('night, Afro House')
  expect(defaultName(queryOf('word '.repeat(39).trim(), {}), names).length).toBeLessThanOrEqual(80)
})
