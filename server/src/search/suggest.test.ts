import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { suggest as suggestWith } from './suggest.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  const { ctx } = pool
  const house = await aGenre(ctx, 'House')
  const afro = await aGenre(ctx, 'Afro House', { parent_id: house })
  const deep = await aGenre(ctx, 'Deep House', { parent_id: house })
  const slow = await aGenre(ctx, 'Slow House', { parent_id: house })
  const techno = await aGenre(ctx, 'Techno')
  await aGenre(ctx, 'Houston Rap')
  await addPlainSongs(ctx.sql, [
    { title: 'Around', artist: 'Daft Punk' },
    { title: 'Harder', artist: 'Daft Punk', genres: [house] },
    { title: 'Around the World', artist: 'Daft Punk feat. Nobody' },
    { title: 'Arounded', artist: 'Davina' },
    { title: 'All Around', artist: 'Someone' },
    { title: 'Around the Kut', artist: 'Daft Kut', song_section_id: 2 },
    { title: 'Low', artist: 'Bass Line', genres: [afro, slow], label: 'Toolroom Records' },
    { title: 'Lower', artist: 'Bass Line', genres: [deep], label: 'Toolroom' },
    { title: 'Lowest', artist: 'Line Out', genres: [techno, deep], label: 'Big Tool' },
    ...Array.from({ length: 7 }, (_, n) => ({ title: `Marathon ${n}`, artist: `Runner ${n}` })),
  ])
})
afterAll(() => pool.close())

const suggest = (text: string) => pool.ask(catalogue.suggestSearch, { text })
const titles = async (text: string) => (await suggest(text)).songs.map((song) => song.title)

test('suggests full titles first, then titles and artists that begin with the text, then words that do', async () => {
  expect(await titles('aroun')).toEqual(['Arounded', 'Around the World', 'Around', 'All Around'])
  expect(await titles('around')).toEqual(['Around', 'Arounded', 'Around the World', 'All Around'])
  expect(await titles('daft har')).toEqual(['Harder'])
  expect(await titles('lin')).toEqual(['Lowest', 'Lower', 'Low'])
})

test('finds a title that begins with the text among many newer songs that contain it', async () => {
  const { sql } = pool.ctx
  await addPlainSongs(sql, [{ title: 'Quartz', artist: 'Old' }])
  await addPlainSongs(
    sql,
    Array.from({ length: 70 }, (_, n) => ({ title: `The Quartz ${n}`, artist: 'New' })),
  )
  expect((await titles('quart'))[0]).toBe('Quartz')
})

test('suggests kuts in their section', async () => {
  const { songs, artists } = await pool.ask(catalogue.suggestSearch, { text: 'daft kut', song_section_id: 2 })
  expect(songs.map(({ title }) => title)).toEqual(['Around the Kut'])
  expect(artists).toEqual(['Daft Kut'])
})

test('suggests at most six songs, each with its picture', async () => {
  const { songs } = await suggest('mara')
  expect(songs).toHaveLength(6)
  expect(songs[0]).toMatchObject({
    title: 'Marathon 6',
    artist: 'Runner 6',
    image: expect.stringMatching(/^\/images\/song-/),
  })
})

test('suggests matching artists one by one: the exact one first, then those with the most results', async () => {
  expect((await suggest('da')).artists).toEqual(['Daft Punk', 'Davina'])
  expect((await suggest('daft punk')).artists).toEqual(['Daft Punk'])
  expect((await suggest('nobody')).artists).toEqual(['Nobody'])
  expect((await suggest('daft punk nobody')).artists).toEqual(['Daft Punk feat. Nobody'])
  expect((await suggest('around')).artists).toEqual([])
  expect((await suggest('runner')).artists).toHaveLength(4)
})

test('suggests up to three genres that have songs, those that begin with the text first, with their song counts', async () => {
  const genres = async (text: string) => (await suggest(text)).genres.map(({ name }) => name)
  expect((await suggest('hou')).genres).toMatchObject([
    { name: 'House', song_count: 4 },
    { name: 'Afro House', song_count: 1 },
    { name: 'Deep House', song_count: 2 },
  ])
  expect(await genres('deep ho')).toEqual(['Deep House'])
  expect(await genres('deephouse')).toEqual(['Deep House'])
  expect(await genres('techno clean')).toEqual(['Techno'])
  expect(await genres('tehcno')).toEqual(['Techno'])
  expect(await genres('deep huose')).toEqual(['Deep House'])
  expect(await genres('house music')).toEqual(['House'])
})

test('suggests labels, those that begin with the text first', async () => {
  expect((await suggest('tool')).labels).toEqual(['Toolroom', 'Toolroom Records', 'Big Tool'])
  expect((await suggest('toolroom rec')).labels).toEqual(['Toolroom Records'])
  expect((await suggest('around')).labels).toEqual([])
})

test('suggests published spotlights, unless an admin has hidden spotlights', async () => {
  const { ctx } = pool
  await ctx.sql`insert into curated_list (title, created_by, published_at) values
    ('Warehouse Nights', 'Staff', now()), ('The Warehouse', 'Staff', now()), ('Warehouse Drafts', 'Staff', null)`
  const spotlights = async () => (await suggest('wareh')).spotlights.map(({ title }) => title)
  expect(await spotlights()).toEqual(['Warehouse Nights', 'The Warehouse'])
  const hiding = { ...ctx.settings, hidden: new Set(['spotlights'] as const) }
  expect((await suggestWith(ctx.sql, 'wareh', 1, hiding)).spotlights).toEqual([])
})

test('allows a typo when there are too few exact suggestions', async () => {
  expect(await titles('hadrer')).toEqual(['Harder'])
})

test('uses only plain words and ignores operators and exclusions', async () => {
  expect(await titles('harder genre:nonsense bpm:x -punk')).toEqual(['Harder'])
  const nothing = { songs: [], artists: [], labels: [], genres: [], spotlights: [] }
  expect(await suggest('genre:house')).toEqual(nothing)
  expect(await suggest('d')).toEqual(nothing)
  expect(await suggest('')).toEqual(nothing)
})
