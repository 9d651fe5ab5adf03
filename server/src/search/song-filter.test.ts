import {
  catalogue,
  charts,
  type Endpoint,
  type InputOf,
  library,
  player,
  playlists,
  type SongFilter,
  spotlights,
} from '@dubplate/contract'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { recountWords } from '../catalogue/search-index.ts'
import { refreshChart } from '../charts/chart-snapshots.ts'
import { prepareSearch } from './search-tiers.ts'
import { readFilter, toSearchParams } from './song-filter.ts'

let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>
let house: number
let techno: number
const ids: Record<string, number> = {}
const lists = { spotlight: 0, top20: 0, playlist: 0 }

/** The songs in the order of every list of this test. */
const TITLES = ['Ember', 'Delta', 'Cinder', 'Beacon', 'Atlas']

beforeAll(async () => {
  pool = await openTestPool()
  const { ctx } = pool
  member = await aMember(ctx)
  house = await aGenre(ctx, 'House')
  techno = await aGenre(ctx, 'Techno')
  const songs = [
    { title: 'Atlas', min_bpm: 124, song_key: 'Am', year: 2024, genres: [house], versions: ['Clean', 'Intro Clean'] },
    { title: 'Beacon', min_bpm: 126, song_key: 'Em', year: 2025, genres: [house], versions: ['Clean'] },
    { title: 'Cinder', min_bpm: 140, song_key: 'Am', year: 2019, genres: [techno], versions: ['Dirty'] },
    { title: 'Delta', min_bpm: 124, song_key: 'F#', year: 2025, genres: [techno, house], versions: ['Intro Clean'] },
    { title: 'Ember', min_bpm: 62, song_key: 'C', year: 2018, genres: [techno], versions: ['Original'] },
  ]
  const versionIds: Record<string, number[]> = {}
  for (const song of songs) {
    const added = await aSong(ctx, song)
    ids[song.title] = added.entity_id
    versionIds[song.title] = added.versionIds
  }
  const { sql } = ctx
  const ordered = TITLES.map((title) => ids[title] ?? 0)
  const [list] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by, published_at) values ('Warm up', 'Mara', now() - interval '1 hour')
    returning curated_list_id as id`
  lists.spotlight = list?.id ?? 0
  await sql`insert into curated_list_song (curated_list_id, entity_id, position)
    select ${lists.spotlight}, e, n from unnest(${ordered}::bigint[]) with ordinality u (e, n)`
  const [top20] = await sql<{ id: number }[]>`
    insert into top20 (title, published_at) values ('November', now() - interval '1 hour') returning top20_track_id as id`
  lists.top20 = top20?.id ?? 0
  await sql`insert into top20_song (top20_track_id, entity_id, rank)
    select ${lists.top20}, e, n from unnest(${ordered}::bigint[]) with ordinality u (e, n)`
  const made = await pool.ask(playlists.savePlaylist, { title: 'Friday', song_ids: ordered }, member.token)
  lists.playlist = made.playlist.playlist_id
  await pool.ask(library.favouriteChange, { song_ids: ordered }, member.token)
  await pool.ask(library.crateChange, { song_ids: ordered }, member.token)
  await sql`insert into listen (listen_key, customer_id, entity_id, song_version_id, at)
    select 'key ' || n, ${member.customer_id}, v.entity_id, v.song_version_id, now() - n * interval '1 minute'
    from unnest(${ordered}::bigint[]) with ordinality u (e, n) join song_version v on v.entity_id = e and v.position = 0`
  await sql`insert into chart_count (period, start, entity_id, n)
    select 'hour', date_trunc('hour', now(), 'UTC'), e, 100 - n from unnest(${ordered}::bigint[]) with ordinality u (e, n)`
  await refreshChart(sql, 'daily', new Date())
})
afterAll(() => pool.close())

type Filter = NonNullable<InputOf<typeof catalogue.getNewRelease>['filter']>

/** Each list call with the rest of its input. */
const CALLS: [string, Endpoint, () => object][] = [
  ['new releases', catalogue.getNewRelease, () => ({})],
  ['the daily chart', charts.getChart, () => ({})],
  ['a spotlight', spotlights.getSpotlightSongs, () => ({ curated_list_id: lists.spotlight })],
  ['a top 20', charts.getTop20Songs, () => ({ top20_track_id: lists.top20 })],
  ['a playlist', playlists.viewPlaylist, () => ({ playlist_id: lists.playlist })],
  ['the crate', library.crateIndex, () => ({})],
  ['favourites', library.favouriteIndex, () => ({})],
  ['recently played', player.recentPlayed, () => ({})],
  ['search', catalogue.searchSongs, () => ({ searchTerm: '' })],
]

type SongReply = { songs: { title: string }[]; pagination: { totalCount: number } }

async function titlesOf(endpoint: Endpoint, input: object, filter: Filter, token?: string) {
  const { songs, pagination } = (await pool.ask(endpoint, { ...input, filter } as never, token)) as unknown as SongReply
  expect(pagination.totalCount).toBe(songs.length)
  return songs.map(({ title }) => title)
}

const newReleases = (filter: Filter, input: object = {}, token = '') =>
  titlesOf(catalogue.getNewRelease, input, filter, token)

test.each(CALLS)('filters %s by tempo, key, version, year and genre, in its own order', async (_, endpoint, input) => {
  const find = (filter: Filter) => titlesOf(endpoint, input(), filter, member.token)
  expect(await find({ key: '~8A' })).toEqual(['Ember', 'Cinder', 'Beacon', 'Atlas'])
  expect(await find({ key: '8A' })).toEqual(['Cinder', 'Atlas'])
  expect(await find({ versions: ['intro_clean', 'dirty'] })).toEqual(['Delta', 'Cinder', 'Atlas'])
  expect(await find({ year: '2025,2018-2019' })).toEqual(['Ember', 'Delta', 'Cinder', 'Beacon'])
  expect(await find({ genres: [house] })).toEqual(['Delta', 'Beacon', 'Atlas'])
  expect(await find({ genres: [house], key: '8A', versions: ['clean'] })).toEqual(['Atlas'])
  if (endpoint !== catalogue.searchSongs) expect(await find({ bpm: '118-128' })).toEqual(['Delta', 'Beacon', 'Atlas'])
})

test.each(CALLS.slice(0, -1))('returns all of %s for an empty filter', async (_, endpoint, input) => {
  expect(await titlesOf(endpoint, input(), {}, member.token)).toEqual(TITLES)
  expect(await titlesOf(endpoint, input(), { versions: [], bpm: '', not_downloaded: false }, member.token)).toEqual(
    TITLES,
  )
})

test('filters the songs of a genre', async () => {
  expect(await titlesOf(catalogue.genreSongs, { genre_id: techno }, { key: '8A,8B' })).toEqual(['Ember', 'Cinder'])
  expect(await titlesOf(catalogue.genreSongs, { genre_id: techno }, { genres: [house] })).toEqual(['Delta'])
})

test('finds songs that fit another one in key and tempo, also at half the tempo', async () => {
  expect(await newReleases({ fits: ids.Atlas })).toEqual(['Ember', 'Beacon', 'Atlas'])
  expect(await newReleases({ fits: ids.Delta })).toEqual(['Delta'])
})

test('sorts a filtered list by a column, and pages through it', async () => {
  const filter = { genres: [house] }
  expect(await newReleases(filter, { order: 'title', orderDir: 'ASC' })).toEqual(['Atlas', 'Beacon', 'Delta'])
  expect(await newReleases(filter, { order: 'min_bpm', orderDir: 'DESC' })).toEqual(['Beacon', 'Delta', 'Atlas'])
  const second = await pool.ask(catalogue.getNewRelease, { filter, page: 2 })
  expect(second).toMatchObject({ songs: [], pagination: { totalCount: 3, more: false } })
  const page = await pool.ask(library.crateIndex, { filter, page: 2, pageLimit: 2 }, member.token)
  expect(page.songs.map(({ title }) => title)).toEqual(['Atlas'])
  expect(page.pagination.totalCount).toBe(3)
})

test('leaves out downloaded songs and the library of each member, and caches neither for others', async () => {
  const [other, own] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const { sql } = pool.ctx
  await sql`insert into download_grant (customer_id, song_version_id, used, allowed)
    select ${own.customer_id}, song_version_id, 1, 2 from song_version where entity_id = ${ids.Atlas ?? 0} and position = 0`
  await pool.ask(library.favouriteAddRemove, { songId: ids.Beacon ?? 0 }, own.token)
  await pool.ask(playlists.savePlaylist, { title: 'Mine', song_ids: [ids.Cinder ?? 0] }, own.token)
  const ask = (filter: Filter, token?: string) => newReleases(filter, {}, token)
  expect(await ask({ not_downloaded: true }, own.token)).toEqual(['Ember', 'Delta', 'Cinder', 'Beacon'])
  expect(await ask({ not_downloaded: true }, other.token)).toEqual(TITLES)
  expect(await ask({ not_in_library: true }, own.token)).toEqual(['Ember', 'Delta'])
  expect(await ask({ not_in_library: true }, other.token)).toEqual(TITLES)
  expect(await ask({ not_in_library: true })).toEqual(TITLES)
  const spotlight = { curated_list_id: lists.spotlight }
  expect(await titlesOf(spotlights.getSpotlightSongs, spotlight, { not_in_library: true }, own.token)).toEqual([
    'Ember',
    'Delta',
  ])
  const personal = await pool.request(catalogue.getNewRelease, { filter: { not_in_library: true } }, own.token)
  expect(personal.headers['cache-control']).toBe('no-store')
  const shared = await pool.request(catalogue.getNewRelease, { filter: { key: '8A' } }, own.token)
  expect(shared.headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) })
})

test('a playlist that was deleted is no longer part of the library', async () => {
  const own = await aMember(pool.ctx)
  const { playlist } = await pool.ask(playlists.savePlaylist, { title: 'Old', song_ids: [ids.Cinder ?? 0] }, own.token)
  expect(await newReleases({ not_in_library: true }, {}, own.token)).not.toContain('Cinder')
  await pool.ask(playlists.deletePlaylist, { playlist_id: playlist.playlist_id }, own.token)
  expect(await newReleases({ not_in_library: true }, {}, own.token)).toContain('Cinder')
})

test.each([
  [{ bpm: 'fast' }, 'BPM must be'],
  [{ key: '99Z' }, '“99Z” isn’t a valid key'],
  [{ year: '2024,soon' }, 'Year must be'],
] as const)('explains what is wrong with %j', async (filter, message) => {
  for (const [, endpoint, input] of CALLS) {
    const error = await errorOf(pool.ask(endpoint, { ...input(), filter } as never, member.token))
    expect(error).toMatchObject({ code: 'invalid_filter' })
    expect(error.message).toContain(message)
  }
})

test('combines a filter with the words of a search', async () => {
  const found = await pool.ask(catalogue.searchSongs, { searchTerm: 'atlas', filter: { genres: [house] } })
  expect(found.songs.map(({ title }) => title)).toEqual(['Atlas'])
  const none = await pool.ask(catalogue.searchSongs, { searchTerm: 'atlas', filter: { genres: [techno] } })
  expect(none.songs).toEqual([])
})

type OptionsInput = Omit<InputOf<typeof catalogue.getFilterOptions>, 'list'>
const optionsOf = (list: (typeof catalogue.FILTERED_LISTS)[number], input: OptionsInput = {}) =>
  pool.ask(catalogue.getFilterOptions, { list, ...input }, member.token)

test('counts the songs of a list for each option', async () => {
  const options = await optionsOf('new_releases')
  expect(options.versions).toEqual([
    { version_code: 'original', name: 'Original', count: 1 },
    { version_code: 'intro_clean', name: 'Intro Clean', count: 2 },
    { version_code: 'clean', name: 'Clean', count: 2 },
    { version_code: 'dirty', name: 'Dirty', count: 1 },
  ])
  expect(options.genres).toEqual([
    { genre_id: house, name: 'House', count: 3 },
    { genre_id: techno, name: 'Techno', count: 3 },
  ])
  expect(options.years.map(({ year, count }) => [year, count])).toEqual([
    [2025, 2],
    [2024, 1],
    [2019, 1],
    [2018, 1],
  ])
  expect(options.keys.map(({ key, count }) => [key, count])).toEqual([
    ['F#', 1],
    ['Am', 2],
    ['C', 1],
    ['Em', 1],
  ])
  expect(options.more).toBe(false)
})

test('the counts of a group ignore what is chosen in it, and follow the other groups', async () => {
  const options = await optionsOf('new_releases', { filter: { genres: [house], year: '2025' } })
  expect(options.genres.map(({ name, count }) => [name, count])).toEqual([
    ['House', 2],
    ['Techno', 1],
  ])
  expect(options.years.map(({ year, count }) => [year, count])).toEqual([
    [2025, 2],
    [2024, 1],
  ])
  expect(options.keys.map(({ key }) => key)).toEqual(['F#', 'Em'])
})

test('keeps a chosen option that the rest of the filter leaves without songs', async () => {
  const options = await optionsOf('new_releases', { filter: { genres: [house], versions: ['dirty'] } })
  expect(options.genres).toContainEqual({ genre_id: house, name: 'House', count: 0 })
  expect(options.versions).toContainEqual({ version_code: 'dirty', name: 'Dirty', count: 0 })
})

test('counts the options of every list', async () => {
  const listIds = { spotlight: lists.spotlight, top20: lists.top20, playlist: lists.playlist, genre: techno }
  for (const list of catalogue.FILTERED_LISTS) {
    const id = (listIds as Record<string, number>)[list]
    const { years } = await optionsOf(list, { ...(id ? { id } : {}), filter: { key: '8A' } })
    expect([list, years.map(({ year }) => year)]).toEqual([list, list === 'genre' ? [2019] : [2024, 2019]])
  }
  const error = await errorOf(pool.ask(catalogue.getFilterOptions, { list: 'crate' }))
  expect(error.code).toBe('not_signed_in')
})

test('counts the similar results of a search that has few exact ones', async () => {
  const versionsOf = async (searchTerm: string) => (await optionsOf('search', { searchTerm })).versions
  const exact = await versionsOf('techno')
  expect(exact.length).toBeGreaterThan(0)
  expect(await versionsOf('techn')).toEqual(exact)
  expect(await versionsOf('tehcno')).toEqual(exact)
})

test('counts all songs of a list of 5,000, and the newest 2,000 of a longer one', async () => {
  const { sql } = pool.ctx
  const trance = await aGenre(pool.ctx, 'Trance')
  onTestFinished(async () => {
    await sql`delete from song where artist = 'Crowd'`
  })
  const addSongs = (count: number, year: number) => sql`
    with added as (
      insert into song (title, artist, song_identity, year)
      select 'Crowd', 'Crowd', ${`${year} `}::text || n, ${year} from generate_series(1, ${count}::int) n returning entity_id)
    insert into song_search (entity_id, tsv)
    select entity_id, array_to_tsvector(${['#s1', `#g${trance}`, `#y${year}`]}::text[]) from added`
  const counted = async () => {
    const { years, more } = await optionsOf('genre', { id: trance })
    return { years: years.map(({ year, count }) => [year, count]), more }
  }
  await addSongs(3001, 1998)
  await addSongs(1999, 1999)
  await recountWords(sql)
  expect(await counted()).toEqual({
    years: [
      [1999, 1999],
      [1998, 3001],
    ],
    more: false,
  })
  await addSongs(1, 2000)
  expect(await counted()).toEqual({
    years: [
      [2000, 1],
      [1999, 1999],
    ],
    more: true,
  })
})

test('a filter by years starts at the newest song of these years, because newer ones need not be read', async () => {
  const { sql } = pool.ctx
  const newestOf = async (filter: Partial<SongFilter>) => {
    const read = await readFilter(sql, { filter: { fits: undefined, ...filter }, customer_id: undefined })
    const { vocabulary } = await prepareSearch(sql, toSearchParams(read, { song_section_id: 1 }))
    return vocabulary.newest
  }
  expect(await newestOf({ year: '2024,2019' })).toBe(ids.Cinder)
  expect(await newestOf({ year: '2024', bpm: '124' })).toBe(ids.Atlas)
  expect(await newestOf({ bpm: '124' })).toBe(ids.Ember)
})

test('reads the few songs that match once, for their page and for their number', async () => {
  const genre = await aGenre(pool.ctx, 'Dub')
  const added = await addPlainSongs(
    pool.ctx.sql,
    Array.from({ length: 30 }, (_, n) => ({ title: `Echo ${n}`, artist: 'Tubby', genres: [genre] })),
  )
  const statements = vi.spyOn(pool.ctx.sql, 'unsafe')
  onTestFinished(() => statements.mockRestore())
  const { songs, pagination } = await pool.ask(catalogue.getNewRelease, { filter: { genres: [genre] } })
  expect(songs.map((song) => song.entity_id)).toEqual(added.slice(6).reverse())
  expect(pagination.totalCount).toBe(30)
  const searches = statements.mock.calls.filter(([text]) => text.includes('from song_search r'))
  expect(searches).toHaveLength(1)
})

test('finds the same songs of a genre by its index of years as by facets, with any tempo and the filters of a member', async () => {
  await aSong(pool.ctx, { title: 'Ferry', min_bpm: 100, max_bpm: 124, year: 2020, genres: [house] })
  // More years than the index of years is used for.
  const wide = '1990-2025'
  const filters: Filter[] = [
    {},
    { bpm: '124' },
    { bpm: '62-124' },
    { bpm: '>124' },
    { bpm: '<=62' },
    { bpm: '125-126' },
    { key: '8A' },
    { versions: ['clean'] },
  ]
  for (const genre_id of [house, techno])
    for (const filter of filters.flatMap((filter) => [filter, { ...filter, not_downloaded: true }])) {
      const find = (year: string) => titlesOf(catalogue.genreSongs, { genre_id }, { ...filter, year }, member.token)
      expect(await find('2018-2025')).toEqual(await find(wide))
    }
  const statements = vi.spyOn(pool.ctx.sql, 'unsafe')
  onTestFinished(() => statements.mockRestore())
  const found = await titlesOf(catalogue.genreSongs, { genre_id: house }, { year: '2025', bpm: '124-126' })
  expect(found).toEqual(['Delta', 'Beacon'])
  expect(statements.mock.calls.some(([text]) => text.includes('from song_genre r'))).toBe(true)
  const search = (searchTerm: string) =>
    titlesOf(catalogue.searchSongs, { searchTerm }, { genres: [house], year: '2018-2025' })
  expect(await search('beacon')).toEqual(['Beacon'])
  expect(await search('-beacon')).toEqual(['Ferry', 'Delta', 'Atlas'])
})
