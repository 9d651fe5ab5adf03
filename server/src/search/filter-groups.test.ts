import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { filterGroups, filterTokens } from './filter-groups.ts'
import { bpmFacets, yearFacets } from './search-facets.ts'

const frequencies: Record<string, number> = {
  ...{ '#g1': 1000, '#g2': 500, '#y2001': 4000, '#y2002': 4000, '#b124': 50, '#b125': 30, '#B15': 400 },
  ...{ '#G1y2001': 40, '#G1y2002': 60, '#G2y2001': 10, '#G2y2002': 20, '#G1B15': 80 },
}
const vocabulary = { df: (token: string) => frequencies[token] ?? 0, songs: 100_000, newest: 100_000 }
const groupsOf = (...choices: string[][]) => filterGroups(choices, vocabulary)

describe('the groups of a filter', () => {
  test('are pairs of the genres with the years, instead of both', () => {
    expect(groupsOf(['#g1', '#g2'], ['#k1'], ['#y2001', '#y2002'])).toEqual([
      { match: "'#k1'", expected: 0 },
      {
        match: "'#G1y2001'|'#G1y2002'|'#G2y2001'|'#G2y2002'",
        filter: "('#g1'|'#g2')&('#y2001'|'#y2002')",
        expected: 130,
      },
    ])
  })

  test('are pairs of a genre with ranges of tempos, of which the tempo is checked', () => {
    expect(groupsOf(['#g1'], bpmFacets([124, 125]))).toEqual([
      { match: "'#G1B15'", filter: "'#g1'", expected: 80 },
      { match: "'#b124'|'#b125'", expected: 80, share: 80 / 400 },
    ])
    const wholeRange = { match: "'#G1B15'", filter: "('#g1')&('#B15')", expected: 80 }
    expect(groupsOf(['#g1'], bpmFacets([120, 127]))).toEqual([wholeRange])
  })

  test('with a year and a tempo, are those with the tempo and their share that has the year', () => {
    expect(groupsOf(['#g1'], ['#y2001', '#y2002'], bpmFacets([120, 127]))).toEqual([
      { match: "'#G1y2001'|'#G1y2002'", filter: "'#y2001'|'#y2002'", expected: 100, share: 0.1 },
      { match: "'#G1B15'", filter: "('#g1')&('#B15')", expected: 80 },
    ])
  })

  test('are the choices themselves without a genre, and when there would be more than 120 pairs', () => {
    const bare = [['#s1'], ['#y2001'], bpmFacets([124, 124])]
    expect(groupsOf(...bare).map(({ match }) => match)).toEqual(["'#s1'", "'#y2001'", "'#b124'"])
    const matchesOf = (last: number) => groupsOf(['#g1', '#g2'], yearFacets([1951, last])).length
    expect([matchesOf(2010), matchesOf(2011)]).toEqual([1, 2])
  })

  test('leave songs without a genre alone', () => {
    expect(groupsOf(['#g0'], ['#y2001']).map(({ match }) => match)).toEqual(["'#g0'", "'#y2001'"])
  })

  test('are planned with the frequency of everything that they compare', () => {
    const tokens = filterTokens([['#g1'], ['#y2001'], bpmFacets([124, 125])])
    expect(tokens.sort()).toEqual(['#B15', '#G1B15', '#G1y2001', '#b124', '#b125', '#g1'])
  })
})

describe('filters by genre, tempo and year', () => {
  let pool: TestPool
  let genres: number[]
  const TEMPOS = [null, 119.4, 119.5, 120, 123.5, 124, 127.4, 127.5, 128, 62, 174]
  const YEARS = [undefined, 1999, 2001, 2002, 2024]
  const songs = Array.from({ length: 220 }, (_, n) => ({
    ...{ title: `Pair ${n}`, artist: 'A', min_bpm: TEMPOS[n % 11] ?? null, year: YEARS[n % 5] },
    places: [0, 1, 2].filter((place) => (n >> place) & 1),
  }))
  beforeAll(async () => {
    pool = await openTestPool()
    genres = [await aGenre(pool.ctx, 'House'), await aGenre(pool.ctx, 'Techno'), await aGenre(pool.ctx, 'Garage')]
    const listed = songs.map(({ places, ...song }) => ({ ...song, genres: places.map((place) => genres[place] ?? 0) }))
    await addPlainSongs(pool.ctx.sql, listed)
  })
  afterAll(() => pool.close())

  const ALL_YEARS = [1999, 2001, 2002, 2024]
  test.each([
    { places: [0], bpm: '124', tempos: [124, 124] },
    { places: [0], bpm: '120-127', tempos: [120, 127] },
    { places: [1], bpm: '119-128', tempos: [119, 128], year: '2001-2002', years: [2001, 2002] },
    { places: [0, 2], bpm: '124-126', tempos: [124, 126], year: '2001,2024', years: [2001, 2024] },
    { places: [0, 1, 2], year: '1999', years: [1999] },
    { places: [2], bpm: '>100', tempos: [101, 400], year: '2001-2024', years: [2001, 2002, 2024] },
    { places: [0], bpm: '<100', tempos: [20, 99], year: '>1950', years: ALL_YEARS },
    { places: [0, 1, 2], bpm: '>100', tempos: [101, 400], year: '>1950', years: ALL_YEARS },
  ])(
    'find the same songs as comparing each one: $places, “$bpm”, “$year”',
    async ({ places, tempos, years, ...texts }) => {
      const isOfTempo = (bpm: number | null) =>
        !tempos || (bpm !== null && Math.round(bpm) >= tempos[0]! && Math.round(bpm) <= tempos[1]!)
      const expected = songs.filter(
        (song) =>
          song.places.some((place) => places.includes(place)) &&
          isOfTempo(song.min_bpm) &&
          (!years || (song.year !== undefined && years.includes(song.year))),
      )
      expect(expected.length).toBeGreaterThan(0)
      const filter = { genres: places.map((place) => genres[place] ?? 0), ...texts }
      const found: string[] = []
      for (let page = 1; found.length === (page - 1) * catalogue.SONGS_PER_PAGE; page++) {
        const { songs } = await pool.ask(catalogue.getNewRelease, { filter, page })
        found.push(...songs.map(({ title }) => title))
      }
      expect(found).toEqual(expected.map(({ title }) => title).reverse())
    },
  )
})
