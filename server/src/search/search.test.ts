import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { bpmFacets } from './search-facets.ts'

let pool: TestPool
let genre: number
beforeAll(async () => {
  pool = await openTestPool()
  genre = await aGenre(pool.ctx, 'Reggaeton')
  const songs = [
    {
      title: 'Midnight Runner',
      artist: 'Beyoncé',
      min_bpm: 124,
      song_key: 'Am',
      year: 2021,
      versions: ['Clean', 'Intro Dirty'],
    },
    { title: 'Midnight Sun', artist: 'Halo Theory', min_bpm: 98, song_key: 'C', year: 2019, genres: [genre] },
    { title: 'La Última Noche', artist: 'Tomás Brisa', min_bpm: 95, song_key: 'F#m', year: 2024, genres: [genre] },
    { title: 'Київ вночі', artist: 'Око', min_bpm: 128, song_key: 'Em', year: 2025 },
    { title: "Don't Stop", artist: 'DJ Kilo', min_bpm: 120, song_key: 'Am', year: 2020 },
  ]
  for (const song of songs) await aSong(pool.ctx, song)
  await aSong(pool.ctx, { title: 'Midnight Kut', artist: 'Elsewhere', song_section_id: 2 })
})
afterAll(() => pool.close())

type Filters = Parameters<typeof pool.ask<typeof catalogue.searchSongs>>[1]
const find = async (searchTerm: string, more: Filters = {}) => {
  const reply = await pool.ask(catalogue.searchSongs, { searchTerm, ...more })
  return reply.songs.map((song) => song.title)
}
const found = async (searchTerm: string, more: Filters = {}) => {
  const reply = await pool.ask(catalogue.searchSongs, { searchTerm, ...more })
  return reply.songs.map((song) => [song.title, song.found.words])
}

test('finds words in titles and artists, newest first, in their own section', async () => {
  expect(await find('midnight')).toEqual(['Midnight Sun', 'Midnight Runner'])
  expect(await find('halo midnight')).toEqual(['Midnight Sun'])
})

test('finds kuts in their section, and with songs in section 0', async () => {
  expect(await find('midnight', { song_section_id: 2 })).toEqual(['Midnight Kut'])
  expect(await find('midnight', { song_section_id: 0 })).toEqual(['Midnight Kut', 'Midnight Sun', 'Midnight Runner'])
  // With filters alone, and with a year that narrows the scanned songs.
  const SongEntitySearch = { title: '', artist: '', bpm: '', song_key: '', year: '' }
  expect(await find('', { song_section_id: 0, SongEntitySearch: { ...SongEntitySearch, title: 'kut' } })).toEqual([
    'Midnight Kut',
  ])
  const yearSearch = { ...SongEntitySearch, year: '2019' }
  expect(await find('midnight', { song_section_id: 0, SongEntitySearch: yearSearch })).toEqual(['Midnight Sun'])
})

test('matches the last word as a prefix, and marks the result as partial', async () => {
  expect(await found('midni')).toEqual([
    ['Midnight Sun', 'partial'],
    ['Midnight Runner', 'partial'],
  ])
  expect(await found('midnight ru')).toEqual([['Midnight Runner', 'partial']])
  expect(await found('midnight runner')).toEqual([['Midnight Runner', 'exact']])
})

test('ignores accents, apostrophes and case, and finds any alphabet', async () => {
  expect(await find('beyonce')).toEqual(['Midnight Runner'])
  expect(await find('ULTIMA')).toEqual(['La Última Noche'])
  expect(await find('dont stop')).toEqual(["Don't Stop"])
  expect(await find('київ')).toEqual(['Київ вночі'])
})

test('allows a typo of one letter, and says so', async () => {
  expect(await find('midnihgt runner')).toEqual(['Midnight Runner'])
  expect(await found('beyonse')).toEqual([['Midnight Runner', 'similar']])
  expect(await pool.ask(catalogue.searchSongs, { searchTerm: 'beyonse' })).toMatchObject({ exact_count: 0 })
  expect(await pool.ask(catalogue.searchSongs, { searchTerm: 'midnight' })).toMatchObject({ exact_count: 2 })
})

test('finds versions by their words and by their code', async () => {
  expect(await find('midnight dirty')).toEqual(['Midnight Runner'])
  expect(await find('', { versions: ['intro_dirty'] })).toEqual(['Midnight Runner'])
})

test('filters alone and together with words', async () => {
  expect(await find('', { SongEntitySearch: { bpm: '94-100' } })).toEqual(['La Última Noche', 'Midnight Sun'])
  expect(await find('', { SongEntitySearch: { song_key: '8A' } })).toEqual(["Don't Stop", 'Midnight Runner'])
  expect(await find('', { SongEntitySearch: { year: 2025 } })).toEqual(['Київ вночі'])
  expect(await find('midnight', { genre_id: genre })).toEqual(['Midnight Sun'])
})

test('sorts results like any list', async () => {
  expect(await find('midnight', { order: 'title', orderDir: 'ASC' })).toEqual(['Midnight Runner', 'Midnight Sun'])
})

test('refuses too few characters and invalid filters with a message', async () => {
  expect(await errorOf(find('mi'))).toMatchObject({ status: 422, code: 'query_too_short' })
  expect(await errorOf(find(''))).toMatchObject({ code: 'query_too_short' })
  expect(await errorOf(find('', { SongEntitySearch: { bpm: 'fast' } }))).toMatchObject({ code: 'invalid_filter' })
  expect(await errorOf(find('', { SongEntitySearch: { song_key: '13A' } }))).toMatchObject({ code: 'invalid_filter' })
})

test('puts similar results after exact ones on every page, without duplicates or gaps', async () => {
  const { sql } = pool.ctx
  for (let n = 0; n < 5; n++) await aSong(pool.ctx, { title: `Marigold ${n}`, artist: 'Exact' })
  for (let n = 0; n < 40; n++) await aSong(pool.ctx, { title: `Marigolds ${n}`, artist: 'Similar', remixer: `R${n}` })
  await sql`update search_word set df = 5 where word = 'marigold'`
  const pages = [await find('marigold exact'), await find('marigold exact', { page: 2 })]
  expect(pages.flat()).toHaveLength(5)
  const wide = [await find('marigold 1'), await find('marigold 1', { page: 2 })].flat()
  expect(new Set(wide).size).toBe(wide.length)
})

test('refuses a filter that is far too long before it reaches the database', async () => {
  expect(await errorOf(find('', { SongEntitySearch: { song_key: '8A,'.repeat(5000) } }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
  })
  expect(await find('', { SongEntitySearch: { song_key: '8A, 8A, Am' } })).toEqual(
    await find('', { SongEntitySearch: { song_key: '8A' } }),
  )
})

test('finds nothing for unknown words, and treats quotes and operators as text', async () => {
  expect(await find('zzzzzz qqqq')).toEqual([])
  expect(await find("'; drop table song; --")).toEqual([])
  expect(await find("midnight & ! | ('sun")).toEqual(['Midnight Sun'])
})

test('uses complete buckets of eight with single values at the edges for a tempo range', () => {
  expect(bpmFacets([126, 137])).toEqual(['#b126', '#b127', '#B16', '#b136', '#b137'])
})

test('returns on every page the same as a simple scan, with the same count', async () => {
  const { sql } = pool.ctx
  await sql`
    insert into song (title, artist, song_identity) select 'Common ' || n || case when n % 7 = 0 then ' seventh' else '' end, 'Many', 'many ' || n
    from generate_series(1, 2000) n`
  await sql`
    insert into song_search (entity_id, tsv) select entity_id, array_to_tsvector(string_to_array(lower(title || ' ' || artist), ' ') || '{#s1}'::text[])
    from song where artist = 'Many'`
  await sql`insert into search_word (word, df) values ('common', 2000), ('seventh', 285), ('many', 2000), ('#s1', 2005) on conflict (word) do update set df = excluded.df`
  await sql`update genre_counter set songs = songs + 2000 where genre_id = 0 and song_section_id = 1`
  const plain = await sql<
    { title: string }[]
  >`select title from song where title like '%seventh' order by entity_id desc`
  const pages = await Promise.all([1, 2, 12].map((page) => find('common seventh', { page })))
  expect(pages[0]).toEqual(plain.slice(0, 24).map((row) => row.title))
  expect(pages[1]).toEqual(plain.slice(24, 48).map((row) => row.title))
  expect(pages[2]).toEqual(plain.slice(264, 288).map((row) => row.title))
  const counted = await pool.ask(catalogue.searchSongs, { searchTerm: 'common seventh' })
  expect(counted.pagination).toMatchObject({ totalCount: plain.length, more: false })
  const many = await pool.ask(catalogue.searchSongs, { searchTerm: 'common' })
  expect(many.pagination).toMatchObject({ totalCount: 1000, more: true })
})
