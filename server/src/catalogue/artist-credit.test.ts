import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { findOrAddSong } from './additions.ts'
import { creditOf } from './artist-credit.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test.each([
  ['Skepta, Peggy Gou', 'Skepta & Peggy Gou'],
  ['Skepta feat. Peggy Gou', 'Skepta x Peggy Gou'],
  ['Skepta ft Peggy Gou', 'Peggy Gou and Skepta'],
  ['Skepta (feat. Peggy Gou)', 'SKEPTA vs. Peggy Gou'],
  ['Wisin y Yandel', 'Wisin & Yandel'],
  ['Drake ft. Rick Ross & Lil Wayne', 'Drake, Rick Ross, Lil Wayne'],
])('%s and %s are the same credit', (one, other) => {
  expect(creditOf(one)).toBe(creditOf(other))
})

test.each([
  ['Lil Nas X', 'Lil Nas'],
  ['Malcolm X Band', 'Malcolm, Band'],
  ['Skepta', 'Skepta & Peggy Gou'],
  ['Andy Stott', 'Stott'],
  ['DJ Yella', 'DJ Ella'],
])('%s and %s are two credits', (one, other) => {
  expect(creditOf(one)).not.toBe(creditOf(other))
})

const add = async (artist: string, title = 'Bass Tings', remixer = '') =>
  (await findOrAddSong(pool.ctx.sql, { artist, title, remixer })).entity_id
const artistOf = async (entityId: number) =>
  (await pool.ctx.sql<{ artist: string }[]>`select artist from song where entity_id = ${entityId}`)[0]?.artist

test('adds a version with differently separated artists to the existing song, which keeps its artist', async () => {
  const song = await add('Skepta & Peggy Gou')
  expect(
    await Promise.all(['Skepta feat. Peggy Gou', 'Peggy Gou x Skepta', 'Skepta, Peggy Gou'].map((by) => add(by))),
  ).toEqual([song, song, song])
  expect(await artistOf(song)).toBe('Skepta & Peggy Gou')
  expect(await add('Skepta feat. Peggy Gou', 'Bass Tings (Maceo Remix)', 'Maceo')).not.toBe(song)
  expect(await add('Skepta')).not.toBe(song)
})

test('prefers the song with exactly the same artist to one with the same artists', async () => {
  const older = await add('Tyler, The Creator', 'Who')
  const [exact] = await pool.ctx.sql<{ entity_id: number }[]>`
    insert into song (title, artist, song_identity) values ('Who', 'Tyler and The Creator', 'tyler and the creator|who|') returning entity_id`
  expect(await add('Tyler and The Creator', 'Who')).toBe(exact?.entity_id)
  expect(await add('The Creator & Tyler', 'Who')).toBe(older)
})
