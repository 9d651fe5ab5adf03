import { collections, type InputOf } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aSong } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { creditMissing, creditQuery, listCredited } from '../catalogue/credits.ts'
import { unpublishSong } from '../catalogue/publication.ts'
import { getCollection, getCredited } from './collections.ts'

let pool: TestPool
let house: number
let songs: Record<'solo' | 'joint' | 'remix' | 'other' | 'kut', number>

beforeAll(async () => {
  pool = await openTestPool()
  const { ctx } = pool
  house = await aGenre(ctx, 'House')
  const add = async (overrides: Parameters<typeof aSong>[1]) => (await aSong(ctx, overrides)).entity_id
  songs = {
    solo: await add({ artist: 'Beyoncé', title: 'Solo', label: 'Parkwood', min_bpm: 99, genres: [house], seconds: 2 }),
    joint: await add({
      artist: 'BEYONCE feat. Jay-Z',
      title: 'Joint',
      label: 'PARKWOOD',
      min_bpm: 120,
      genres: [house],
    }),
    remix: await add({ artist: 'Jay-Z & Beyoncé, Kanye West', title: 'Third', label: 'Roc', min_bpm: 110 }),
    other: await add({ artist: 'Lil Nas X', title: 'Other' }),
    kut: await add({ artist: 'Beyoncé', title: 'Kut', song_section_id: 2 }),
  }
})
afterAll(() => pool.close())

const idsOf = (list: { entity_id: number }[]) => list.map(({ entity_id }) => entity_id)
const artistSongs = async (input: InputOf<typeof collections.getArtistSongs>) =>
  idsOf((await pool.ask(collections.getArtistSongs, input)).songs)

test.each(['Beyoncé', 'beyonce', 'BEYONCÉ', ' Beyonce '])('lists the songs of “%s”, newest first', async (name) => {
  expect(await artistSongs({ name })).toEqual([songs.remix, songs.joint, songs.solo])
})

test('lists the songs of two artists together under their joint name, in any order and with others', async () => {
  for (const name of ['Beyoncé feat. Jay-Z', 'Jay-Z x Beyonce'])
    expect(await artistSongs({ name })).toEqual([songs.remix, songs.joint])
  expect(await artistSongs({ name: 'Jay-Z' })).toEqual([songs.remix, songs.joint])
  expect(await artistSongs({ name: 'Lil Nas X' })).toEqual([songs.other])
})

test('sorts the songs of an artist, and shows kuts on request', async () => {
  expect(await artistSongs({ name: 'Beyoncé', order: 'min_bpm', orderDir: 'ASC' })).toEqual([
    songs.solo,
    songs.remix,
    songs.joint,
  ])
  expect(await artistSongs({ name: 'Beyoncé', song_section_id: 0 })).toContain(songs.kut)
})

test.each(['min_bpm', 'title', 'year'] as const)('sorts a large name by %s as a small one', async (order) => {
  const { sql } = pool.ctx
  for (const orderDir of ['ASC', 'DESC'] as const) {
    const params = { page: 1, order, orderDir, song_section_id: 1 }
    const query = creditQuery('artist', 'Beyoncé feat. Jay-Z', 1)
    const small = await listCredited(sql, query, params, 2)
    expect(small).toHaveLength(2)
    expect(await listCredited(sql, query, params, 1_000_000)).toEqual(small)
  }
})

test('an artist’s page names the newest spelling, joint artists, labels, genres and the most downloaded songs', async () => {
  await pool.ctx.sql`insert into song_total (entity_id, downloads) values (${songs.solo}, 3), (${songs.joint}, 9)`
  const page = await pool.ask(collections.getArtist, { name: 'beyonce' })
  expect(page.collection).toMatchObject({ title: 'Beyoncé', song_count: 3, duration_seconds: 4, new_count: null })
  expect(page.collection.images).toHaveLength(3)
  expect(idsOf(page.top_songs)).toEqual([songs.joint, songs.solo])
  expect(page.artists).toEqual([
    { name: 'Jay-Z', song_count: 2 },
    { name: 'Kanye West', song_count: 1 },
  ])
  expect(page.labels).toEqual([
    { name: 'PARKWOOD', song_count: 2 },
    { name: 'Roc', song_count: 1 },
  ])
  expect(page.genres).toEqual([{ genre_id: house, name: 'House' }])
})

test('the page of a joint name leads to each of its artists', async () => {
  const { collection, artists } = await pool.ask(collections.getArtist, { name: 'Beyoncé feat. Jay-Z' })
  expect(collection.title).toBe('Beyoncé feat. Jay-Z')
  expect(artists.map(({ name }) => name)).toEqual(['Beyoncé', 'Jay-Z', 'Kanye West'])
})

test('the page of a label with more than 50 songs has no length, and the most downloaded of its newest 1,000', async () => {
  const { sql } = pool.ctx
  const addSongs = (count: number) =>
    addPlainSongs(
      sql,
      Array.from({ length: count }, (_, n) => ({
        artist: `Artist ${n}`,
        title: `${count}`,
        label: 'Large',
        versions: ['Clean'],
      })),
    )
  // Replies to visitors are cached for a second.
  const page = () => getCredited(pool.ctx, 'label', { name: 'Large', song_section_id: 1 })
  const [first = 0] = await addSongs(50)
  await sql`insert into song_total (entity_id, downloads) values (${first}, 7)`
  expect((await page()).collection).toMatchObject({ song_count: 50, duration_seconds: 50 })
  const [next = 0] = await addSongs(1)
  await sql`insert into song_total (entity_id, downloads) values (${next}, 3)`
  expect((await page()).collection).toMatchObject({ song_count: 51, duration_seconds: null })
  expect(idsOf((await page()).top_songs)).toEqual([first, next])
  await sql`
    with added as (
      insert into song (title, artist, song_identity, label) select 'Bulk', 'Bulk', 'bulk ' || n, 'Large' from generate_series(1, 950) n
      returning entity_id)
    insert into song_credit (entity_id, kind, credit_key, name, song_section_id)
    select entity_id, 'label', 'large', 'Large', 1 from added`
  // Of 1,001 songs, the oldest is left out.
  expect(idsOf((await page()).top_songs)).toEqual([next])
})

test('a label’s page has its artists and songs, whatever the case', async () => {
  const page = await pool.ask(collections.getLabel, { name: 'parkwood' })
  expect(page.collection).toMatchObject({ title: 'PARKWOOD', song_count: 2 })
  expect(page.artists).toEqual([
    { name: 'BEYONCE', song_count: 2 },
    { name: 'Jay-Z', song_count: 1 },
  ])
  expect(page.labels).toEqual([])
  expect(idsOf((await pool.ask(collections.getLabelSongs, { name: 'Parkwood' })).songs)).toEqual([
    songs.joint,
    songs.solo,
  ])
})

test.each([
  ['getArtist', 'Nobody', 'unknown_artist'],
  ['getArtist', '…', 'unknown_artist'],
  ['getArtistSongs', 'Beyoncé feat. Lil Nas X', 'unknown_artist'],
  ['getLabel', 'Beyoncé', 'unknown_label'],
  ['getLabelSongs', '', 'unknown_label'],
] as const)('%s of “%s” is %s', async (call, name, code) => {
  expect(await errorOf(pool.ask(collections[call], { name }))).toMatchObject({ code })
})

test('follows changes of a song: artist, unpublishing, and a pool from before there were credits', async () => {
  const { sql } = pool.ctx
  const { entity_id } = await aSong(pool.ctx, { artist: 'Before', label: 'Old label' })
  expect(await artistSongs({ name: 'Before' })).toEqual([entity_id])
  await sql`delete from song_credit where entity_id = ${entity_id}`
  await creditMissing(sql, new AbortController().signal)
  // Replies are cached for a second, so each request spells the name differently.
  expect(await artistSongs({ name: 'before' })).toEqual([entity_id])
  await sql.begin((sql) => unpublishSong(sql, entity_id))
  await creditMissing(sql, new AbortController().signal)
  expect(await errorOf(artistSongs({ name: 'BEFORE' }))).toMatchObject({ code: 'unknown_artist' })
  expect(await errorOf(pool.ask(collections.getLabel, { name: 'Old label' }))).toMatchObject({ code: 'unknown_label' })
})

test('the facts of a genre count its songs and the new ones, without adding up lengths', async () => {
  const { collection } = await pool.ask(collections.getCollection, { type: 'genre', id: house })
  expect(collection).toMatchObject({ title: 'House', song_count: 2, new_count: 2, duration_seconds: null })
  await pool.ctx.sql`update song set created_at = now() - interval '8 days' where entity_id = ${songs.solo}`
  const later = await pool.ask(collections.getCollection, {
    type: 'genre',
    id: house,
    song_section_id: 1,
    name: 'again',
  })
  expect(later.collection.new_count).toBe(1)
})

async function aSpotlight(entityIds: number[]) {
  const { sql } = pool.ctx
  const [list] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by) values ('Peak time', 'Mara Voss') returning curated_list_id as id`
  const id = list?.id ?? 0
  await sql`
    insert into curated_list_song (curated_list_id, entity_id, position)
    select ${id}, entity_id, n from unnest(${entityIds}::bigint[]) with ordinality songs (entity_id, n)`
  return id
}

test('the facts and songs of a spotlight leave out unpublished songs and keep the order', async () => {
  const gone = (await aSong(pool.ctx)).entity_id
  const id = await aSpotlight([songs.other, gone, songs.solo])
  await pool.ctx.sql.begin((sql) => unpublishSong(sql, gone))
  const { collection } = await pool.ask(collections.getCollection, { type: 'spotlight', id })
  expect(collection).toMatchObject({ title: 'Peak time', created_by: 'Mara Voss', song_count: 2, duration_seconds: 3 })
  const reply = await pool.ask(collections.getCollectionSongs, { type: 'spotlight', id })
  expect(idsOf(reply.songs)).toEqual([songs.other, songs.solo])
  expect(reply.pagination).toEqual({ page: 1, perPageLimit: 100, totalCount: 2 })
})

test('lists the songs of a chart by rank, and of an artist or genre newest first', async () => {
  await pool.ctx.sql`
    insert into chart_snapshot (chart, genre_id, song_section_id, rank, entity_id, n)
    values ('weekly', 0, 1, 2, ${songs.solo}, 4), ('weekly', 0, 1, 1, ${songs.other}, 9)`
  const listed = async (input: InputOf<typeof collections.getCollectionSongs>) =>
    idsOf((await pool.ask(collections.getCollectionSongs, input)).songs)
  expect(await listed({ type: 'chart', chart_type: 'weekly' })).toEqual([songs.other, songs.solo])
  expect(await listed({ type: 'genre', id: house })).toEqual([songs.joint, songs.solo])
  expect(await listed({ type: 'artist', name: 'Jay-Z' })).toEqual([songs.remix, songs.joint])
  expect(await listed({ type: 'artist', name: 'Jay-Z', page: 2 })).toEqual([])
  const { collection } = await pool.ask(collections.getCollection, { type: 'chart', chart_type: 'weekly' })
  expect(collection).toMatchObject({ title: 'Weekly chart', song_count: 2 })
})

test.each([
  [{ type: 'genre', id: 999 }, 'unknown_genre'],
  [{ type: 'spotlight', id: 999 }, 'unknown_list'],
  [{ type: 'top20', id: 999 }, 'unknown_list'],
  [{ type: 'chart', id: 999 }, 'unknown_genre'],
  [{ type: 'label', name: 'Nothing' }, 'unknown_label'],
] as const)('an unknown collection %o is %s', async (input, code) => {
  expect(await errorOf(pool.ask(collections.getCollection, input))).toMatchObject({ code })
  expect(await errorOf(pool.ask(collections.getCollectionSongs, input))).toMatchObject({ code })
})

test('hides collections of hidden sections, and kuts from artist pages', async () => {
  const { ctx } = pool
  const hidden = new Set(['spotlights', 'charts', 'top20', 'kuts'])
  const closed = { ...ctx, settings: { ...ctx.settings, hidden } } as unknown as TestPool['ctx']
  const parsed = { id: 1, name: 'Beyoncé', chart_type: 'daily', song_section_id: 1 } as const
  for (const type of ['spotlight', 'chart', 'top20'] as const)
    await expect(getCollection(closed, { ...parsed, type })).rejects.toMatchObject({ code: 'section_disabled' })
  const withKuts = { ...parsed, type: 'artist', song_section_id: 0 } as const
  expect((await getCollection(ctx, withKuts)).song_count).toBe(4)
  expect((await getCollection(closed, withKuts)).song_count).toBe(3)
})
