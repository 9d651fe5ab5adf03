import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre } from '../../test/makers.ts'
import { addPlainSongs } from '../../test/plain-songs.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  const { ctx } = pool
  const house = await aGenre(ctx, 'House')
  await aGenre(ctx, 'Afro House', { parent_id: house })
  await aGenre(ctx, 'Deep House', { parent_id: house })
  await aGenre(ctx, 'Slow House', { parent_id: house })
  await addPlainSongs(ctx.sql, [
    { title: 'Around', artist: 'Daft Punk' },
    { title: 'Harder', artist: 'Daft Punk', genres: [house] },
    { title: 'Around the World', artist: 'Daft Punk feat. Nobody' },
    { title: 'Arounded', artist: 'Davina' },
    { title: 'All Around', artist: 'Someone' },
    { title: 'Around the Kut', artist: 'Daft Kut', song_section_id: 2 },
    ...Array.from({ length: 7 }, (_, n) => ({ title: `Marathon ${n}`, artist: `Runner ${n}` })),
  ])
})
afterAll(() => pool.close())

const suggest = (text: string) => pool.ask(catalogue.suggestSearch, { text })
const titles = async (text: string) => (await suggest(text)).songs.map((song) => song.title)

test('suggests songs whose words begin as typed, full titles first, then the newest', async () => {
  expect(await titles('aroun')).toEqual(['All Around', 'Arounded', 'Around the World', 'Around'])
  expect(await titles('around')).toEqual(['Around', 'All Around', 'Arounded', 'Around the World'])
  expect(await titles('daft har')).toEqual(['Harder'])
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

test('suggests matching artists: the exact one first, then those with the most results', async () => {
  expect((await suggest('da')).artists).toEqual(['Daft Punk', 'Davina', 'Daft Punk feat. Nobody'])
  expect((await suggest('daft punk')).artists).toEqual(['Daft Punk', 'Daft Punk feat. Nobody'])
  expect((await suggest('around')).artists).toEqual([])
  expect((await suggest('runner')).artists).toHaveLength(4)
})

test('suggests up to three genres by name, main ones first', async () => {
  expect((await suggest('hou')).genres.map(({ name }) => name)).toEqual(['House', 'Afro House', 'Deep House'])
  expect((await suggest('deep ho')).genres.map(({ name }) => name)).toEqual(['Deep House'])
})

test('allows a typo when there are too few exact suggestions', async () => {
  expect(await titles('hadrer')).toEqual(['Harder'])
})

test('uses only plain words and ignores operators and exclusions', async () => {
  expect(await titles('harder genre:nonsense bpm:x -punk')).toEqual(['Harder'])
  const nothing = { songs: [], artists: [], genres: [] }
  expect(await suggest('genre:house')).toEqual(nothing)
  expect(await suggest('d')).toEqual(nothing)
  expect(await suggest('')).toEqual(nothing)
})
