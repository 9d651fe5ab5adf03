import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { applyHiddenParts } from './hidden-parts.ts'
import { listSongs, rebuildAnchors } from './lists.ts'

let pool: TestPool
let house: number
let deep: number
let soul: number
beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House', { genre_id: 31 })
  deep = await aGenre(pool.ctx, 'Deep House', { parent_id: house })
  soul = await aGenre(pool.ctx, 'Soul')
  const songs = Array.from({ length: 30 }, (_, n) => ({
    title: `Track ${String(n).padStart(2, '0')}`,
    artist: `Artist ${n % 5}`,
    min_bpm: 100 + ((n * 7) % 30),
    song_key: (['Am', 'C', 'F#m', 'Abm'] as const)[n % 4] ?? 'Am',
    year: 2000 + n,
    genres: n % 3 === 0 ? [soul] : [deep],
  }))
  for (const song of songs) await aSong(pool.ctx, song)
  await aSong(pool.ctx, { title: 'A kut', song_section_id: 2, genres: [deep] })
})
afterAll(() => pool.close())

const titles = (reply: { songs: { title: string }[] }) => reply.songs.map((song) => song.title)

test('returns new releases newest first, 24 a page, with the exact count; a page after the last is empty', async () => {
  const first = await pool.ask(catalogue.getNewRelease, {})
  expect(titles(first)).toHaveLength(24)
  expect(titles(first)[0]).toBe('Track 29')
  expect(first.pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 30 })
  const second = await pool.ask(catalogue.getNewRelease, { page: 2 })
  expect(titles(second)).toEqual(['Track 05', 'Track 04', 'Track 03', 'Track 02', 'Track 01', 'Track 00'])
  expect(titles(await pool.ask(catalogue.getNewRelease, { page: 900 }))).toEqual([])
})

test('lists the songs of sub-genres in a main genre once, with both genres on the song', async () => {
  const reply = await pool.ask(catalogue.genreSongs, { genre_id: house })
  expect(reply.genre).toEqual({ genre_id: 31, name: 'House' })
  expect(reply.pagination.totalCount).toBe(20)
  expect(reply.songs[0]?.genres.map((genre) => genre.name)).toEqual(['House', 'Deep House'])
})

test('keeps sections separate', async () => {
  const kuts = await pool.ask(catalogue.getNewRelease, { song_section_id: 2 })
  expect(titles(kuts)).toEqual(['A kut'])
  expect(kuts.pagination.totalCount).toBe(1)
})

test('lists songs and kuts together in section 0, counted once each, in every order', async () => {
  const { ALL_SECTIONS } = catalogue
  const all = { song_section_id: ALL_SECTIONS }
  const newest = await pool.ask(catalogue.getNewRelease, all)
  expect(titles(newest).slice(0, 2)).toEqual(['A kut', 'Track 29'])
  expect(newest.pagination.totalCount).toBe(31)
  const byTitle = { ...all, order: 'title' } as const
  expect(titles(await pool.ask(catalogue.getNewRelease, { ...byTitle, orderDir: 'ASC' })).slice(0, 2)).toEqual([
    'A kut',
    'Track 00',
  ])
  const last = await pool.ask(catalogue.getNewRelease, { ...byTitle, orderDir: 'DESC', page: 2 })
  expect(titles(last).at(-1)).toBe('A kut')
  // The kut has no year, so it is last in both directions.
  for (const orderDir of ['ASC', 'DESC'] as const) {
    const byYear = await pool.ask(catalogue.getNewRelease, { ...all, order: 'year', orderDir, page: 2 })
    expect(titles(byYear)).toHaveLength(7)
    expect(titles(byYear).at(-1)).toBe('A kut')
  }
})

test('uses the section for a genre, its count and the home page block', async () => {
  const inGenre = async (song_section_id: number) => {
    const { pagination } = await pool.ask(catalogue.genreSongs, { genre_id: deep, song_section_id })
    const { songs } = await pool.ask(catalogue.getGenresSong, { genre_id: deep, song_section_id })
    const { genres } = await pool.ask(catalogue.getGenresWithCount, { song_section_id: String(song_section_id) })
    const counted = genres.flatMap(({ subgenre }) => subgenre).find(({ genre_id }) => genre_id === deep)
    return [pagination.totalCount, songs.length, counted?.song_count]
  }
  expect(await inGenre(1)).toEqual([20, 20, 20])
  expect(await inGenre(2)).toEqual([1, 1, 1])
  expect(await inGenre(0)).toEqual([21, 21, 21])
  const named = async (song_section_id: string) =>
    (await pool.ask(catalogue.getSongGenres, { song_section_id })).genres.map(({ name }) => name)
  expect(await named('2')).toEqual(['House'])
  expect(await named('0')).toEqual(['House', 'Soul'])
})

test('lists only songs in all sections when kuts are hidden', async () => {
  const ctx = { sql: pool.ctx.sql, settings: { ...pool.ctx.settings, hidden: new Set(['kuts'] as const) } }
  expect(await applyHiddenParts(ctx, { song_section_id: 0, page: 2 })).toEqual({ song_section_id: 1, page: 2 })
  await expect(applyHiddenParts(ctx, { song_section_id: 2 })).rejects.toMatchObject({ code: 'section_disabled' })
  expect(await applyHiddenParts(pool.ctx, { song_section_id: 0 })).toEqual({ song_section_id: 0 })
})

test.each([
  ['title', 'ASC', (song: catalogue.Song) => song.title],
  ['min_bpm', 'DESC', (song: catalogue.Song) => -(song.min_bpm ?? 0)],
  ['year', 'ASC', (song: catalogue.Song) => song.year ?? 0],
] as const)('sorts a list by %s %s across all pages', async (order, orderDir, rank) => {
  const one = await pool.ask(catalogue.getNewRelease, { order, orderDir })
  const two = await pool.ask(catalogue.getNewRelease, { order, orderDir, page: 2 })
  const ranks = [...one.songs, ...two.songs].map((song): string | number => rank(song))
  expect(ranks).toHaveLength(30)
  expect(ranks).toEqual([...ranks].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
})

test('puts songs without a tempo last in both directions', async () => {
  const dub = await aGenre(pool.ctx, 'Dub')
  for (const min_bpm of [72, null, 70, null, 71]) await aSong(pool.ctx, { min_bpm, genres: [dub], song_section_id: 2 })
  const tempos = async (orderDir: 'ASC' | 'DESC') => {
    const params = { genre_id: dub, song_section_id: 2, order: 'min_bpm', orderDir } as const
    return (await pool.ask(catalogue.genreSongs, params)).songs.map((song) => song.min_bpm)
  }
  expect(await tempos('ASC')).toEqual([70, 71, 72, null, null])
  expect(await tempos('DESC')).toEqual([72, 71, 70, null, null])
})

test('sorts keys by the Camelot wheel, not alphabetically', async () => {
  const { songs } = await pool.ask(catalogue.genreSongs, { genre_id: house, order: 'song_key', orderDir: 'ASC' })
  const keys = [...new Set(songs.map((song) => song.song_key))]
  expect(keys).toEqual(['G#m', 'Am', 'C', 'F#m'])
})

test('counts the songs of genres, under their parents', async () => {
  const { genres } = await pool.ask(catalogue.getGenresWithCount, {})
  expect(genres.find((genre) => genre.genre_id === house)).toMatchObject({
    song_count: 20,
    subgenre: [{ name: 'Deep House', song_count: 20 }],
  })
})

test('refuses an unknown genre, page, order or section with a message', async () => {
  expect(await errorOf(pool.ask(catalogue.genreSongs, { genre_id: 999_999 }))).toMatchObject({
    status: 404,
    code: 'unknown_genre',
  })
  for (const bad of [
    { page: 0 },
    { page: 'two' },
    { order: 'price' },
    { orderDir: 'UP' },
    { song_section_id: 9 },
    { genre_id: 'x' },
  ]) {
    const response = await pool.request(catalogue.getNewRelease, bad)
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('invalid_request')
    expect(response.json().errors[0]).toMatch(/\.$/)
  }
})

test('ends a list in another order after five thousand pages', async () => {
  const asked = await pool.ask(catalogue.getNewRelease, { page: 900_000, order: 'title', orderDir: 'ASC' })
  expect(asked).toMatchObject({ songs: [], pagination: { page: 900_000, totalCount: 30 } })
})

test('shows a draft or unpublished song nowhere, not even at its own URL', async () => {
  const song = await aSong(pool.ctx, { title: 'Not out yet', song_section_id: 2 })
  for (const status of ['draft', 'unpublished']) {
    await pool.ctx.sql`update song set status = ${status} where entity_id = ${song.entity_id}`
    const asked = pool.ask(catalogue.getSong, { entity_id: song.entity_id })
    expect(await errorOf(asked)).toMatchObject({ status: 404, code: 'unknown_song' })
  }
  await pool.ctx.sql`update genre_counter set songs = songs - 1 where genre_id = 0 and song_section_id = 2`
})

test('finds a far page from its anchor, with the same result as an offset', async () => {
  const { sql } = pool.ctx
  await sql`
    insert into song (title, artist, song_identity, song_section_id) select 'Bulk ' || n, 'Bulk', 'bulk ' || n, 2 from generate_series(1, 3000) n`
  await sql`insert into song_genre (entity_id, genre_id, listed_section) select entity_id, ${soul}, 2 from song where artist = 'Bulk'`
  await sql`insert into genre_counter values (${soul}, 2, 3000)`
  const params = { genre_id: soul, song_section_id: 2, page: 60, order: 'entity_id', orderDir: 'DESC' } as const
  const ask = async () => titles(await listSongs(sql, params, 2))
  const byOffset = await ask()
  expect(byOffset).toHaveLength(24)
  await rebuildAnchors(sql)
  const [anchors] = await sql`select count(*)::int as n from list_anchor where genre_id = ${soul}`
  expect(anchors?.n).toBe(4)
  expect(await ask()).toEqual(byOffset)
  // There are also anchors for both sections together.
  const both = { ...params, song_section_id: 0 }
  const fromAnchor = titles(await listSongs(sql, both, 2))
  await sql`delete from list_anchor where song_section_id = 0`
  expect(titles(await listSongs(sql, both, 2))).toEqual(fromAnchor)
})

test('returns no field beyond the contract, and an ETag that allows a 304', async () => {
  const response = await pool.request(catalogue.getNewRelease, {})
  expect(Object.keys(response.json().data.songs[0])).not.toContain('cover_seed')
  const again = await pool.app.inject({
    method: 'POST',
    url: '/api/song/get-new-release.json',
    payload: {},
    headers: { 'if-none-match': String(response.headers.etag) },
  })
  expect(again.statusCode).toBe(304)
})

test('returns 404 for an unknown store', async () => {
  const response = await pool.app.inject({
    method: 'POST',
    url: '/api/song/get-new-release.json?store_id=2',
    payload: {},
  })
  expect(response.statusCode).toBe(404)
})

test('opens on the genre with the most songs without the usual home genre, and on none in an empty pool', async () => {
  const other = await openTestPool()
  try {
    expect(await other.ask(catalogue.homePageGenres, {})).toMatchObject({ genres: [], default_genre_id: null })
    const [few, many] = [await aGenre(other.ctx, 'Few'), await aGenre(other.ctx, 'Many')]
    for (const genres of [[few], [many], [many]]) await aSong(other.ctx, { genres })
    const { genre, songs } = await other.ask(catalogue.getGenresSong, {})
    expect([genre.name, songs.length]).toEqual(['Many', 2])
  } finally {
    await other.close()
  }
})

test('introduces the pool with its songs, genres, new songs and the lowest monthly price', async () => {
  const other = await openTestPool()
  const introduction = () => other.ask(catalogue.homePageGenres, {})
  try {
    expect(await introduction()).toMatchObject({ song_count: 0, genre_count: 0, new_song_count: 0, lowest_price: null })
    const genre = await aGenre(other.ctx, 'House')
    const songs = [await aSong(other.ctx, { genres: [genre] }), await aSong(other.ctx, { genres: [genre] })]
    const plan = { subscription_type_id: 1, is_published: true, currency: 'USD', position: 1 }
    await other.ctx.sql`update song set created_at = now() - interval '8 days' where entity_id = ${songs[0]!.entity_id}`
    await other.ctx.sql`insert into plan ${other.ctx.sql([
      { ...plan, title: 'Monthly', price_minor: 1000, interval: 'month' },
      { ...plan, title: 'Yearly', price_minor: 9000, interval: 'year' },
      { ...plan, title: 'Unpublished', price_minor: 100, interval: 'month', is_published: false },
    ])}`
    await expect.poll(introduction).toMatchObject({
      song_count: 2,
      genre_count: 1,
      new_song_count: 1,
      lowest_price: { price: '90.00', interval: 'year' },
    })
  } finally {
    await other.close()
  }
})

test('requires membership for lists when public browsing is off', async () => {
  const closed = await openTestPool({ settings: { publicBrowsing: false } })
  try {
    expect(await errorOf(closed.ask(catalogue.getNewRelease, {}))).toMatchObject({
      status: 401,
      code: 'not_signed_in',
    })
    const { token } = await aMember(closed.ctx)
    expect(await closed.ask(catalogue.getNewRelease, {}, token)).toMatchObject({ songs: [] })
  } finally {
    await closed.close()
  }
})

test('lists the versions of a song in one order: the usual kinds, then the others in the order of the song', async () => {
  const other = await openTestPool()
  try {
    const usual = ['Original', 'Intro Clean', 'Intro Dirty', 'Clean', 'Dirty', 'Quick Hit', 'Extended', 'Instrumental']
    const versions = ['Hype Edit', 'Club Mix', 'Transition', 'Acapella', ...usual.toReversed()]
    const { entity_id } = await aSong(other.ctx, { label: 'Low Ceiling', versions })
    await other.ctx.sql`insert into song_total (entity_id, listens) values (${entity_id}, 7)`
    const { song } = await other.ask(catalogue.getSong, { entity_id })
    const labels = song.version.map(({ version_label }) => version_label)
    expect(labels).toEqual([...usual, 'Acapella', 'Transition', 'Hype Edit', 'Club Mix'])
    expect(song).toMatchObject({ label: 'Low Ceiling', plays: 7 })
    expect(song.version.every(({ bytes }) => (bytes ?? 0) > 0)).toBe(true)
  } finally {
    await other.close()
  }
})
