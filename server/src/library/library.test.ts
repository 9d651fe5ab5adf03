import { library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test('a version can be added to the crate and removed; without a version, all of the song is removed', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const [clean] = song.versionIds
  const toggle = (versionId?: number) => pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId }, token)
  expect(await toggle(clean)).toEqual({ in_crate: true, count: 1 })
  expect(await pool.ask(library.getCrates, {}, token)).toEqual({ version: [clean], crates: [song.entity_id], count: 1 })
  expect(await toggle(clean)).toEqual({ in_crate: false, count: 0 })
  await toggle(clean)
  await toggle(song.versionIds[2])
  expect((await pool.ask(library.getCrates, {}, token)).version).toHaveLength(2)
  expect(await toggle()).toEqual({ in_crate: false, count: 0 })
})

test('twenty simultaneous clicks have the same result as twenty consecutive ones', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const clicks = Array.from({ length: 20 }, () => pool.ask(library.crateAddRemove, { songId: song.entity_id }, token))
  const states = (await Promise.all(clicks)).map((reply) => reply.in_crate)
  expect(states.filter(Boolean)).toHaveLength(10)
  expect((await pool.ask(library.getCrates, {}, token)).count).toBe(0)
})

test('the crate shows its songs last added first, by genre, and can be cleared', async () => {
  const { token } = await aMember(pool.ctx)
  const genre = await aGenre(pool.ctx, 'Afro House')
  const [one, two] = [await aSong(pool.ctx), await aSong(pool.ctx, { genres: [genre] })]
  for (const song of [one, two]) await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  const crate = await pool.ask(library.crateIndex, {}, token)
  expect(crate.songs.map((song) => song.entity_id)).toEqual([two.entity_id, one.entity_id])
  expect(crate.crateGenres).toEqual([{ genre_id: genre, name: 'Afro House' }])
  const afro = await pool.ask(library.crateIndex, { genre_id: genre }, token)
  expect(afro).toMatchObject({ list: [two.entity_id], pagination: { totalCount: 1 } })
  expect(await pool.ask(library.clearCrates, {}, token)).toEqual({ cleared: 2 })
  expect((await pool.ask(library.crateIndex, {}, token)).songs).toEqual([])
})

test('members have separate crates, and a visitor has none', async () => {
  const [mine, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const song = await aSong(pool.ctx)
  await pool.ask(library.crateAddRemove, { songId: song.entity_id }, mine.token)
  expect((await pool.ask(library.getCrates, {}, other.token)).count).toBe(0)
  expect(await errorOf(pool.ask(library.getCrates, {}))).toMatchObject({ status: 401, code: 'not_signed_in' })
})

test('refuses a version of another song, and an unknown song', async () => {
  const { token } = await aMember(pool.ctx)
  const [one, two] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  const wrong = pool.ask(library.crateAddRemove, { songId: one.entity_id, versionId: two.versionIds[0] }, token)
  expect(await errorOf(wrong)).toMatchObject({ status: 404, code: 'unknown_version' })
  expect(await errorOf(pool.ask(library.crateAddRemove, { songId: 999_999 }, token))).toMatchObject({
    code: 'unknown_song',
  })
})

test('a favourite can be added, is listed last added first, and can be removed', async () => {
  const { token } = await aMember(pool.ctx)
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx)]
  for (const song of songs) {
    expect(await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, token)).toEqual({ favourite: true })
  }
  const listed = await pool.ask(library.favouriteIndex, {}, token)
  expect(listed.songs.map((song) => song.entity_id)).toEqual([songs[1]?.entity_id, songs[0]?.entity_id])
  expect(await pool.ask(library.favouriteAddRemove, { songId: songs[0]?.entity_id ?? 0 }, token)).toEqual({
    favourite: false,
  })
  expect(await pool.ask(library.getFavouriteSongs, {}, token)).toEqual({ favouriteSongs: [songs[1]?.entity_id] })
})

test('an unpublished song is not counted, and can still be removed', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, token)
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${song.entity_id}`
  expect((await pool.ask(library.getCrates, {}, token)).count).toBe(0)
  expect((await pool.ask(library.getFavouriteSongs, {}, token)).favouriteSongs).toEqual([])
  expect(await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)).toEqual({
    in_crate: false,
    count: 0,
  })
  expect(await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, token)).toEqual({ favourite: false })
  const again = pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, token)
  expect(await errorOf(again)).toMatchObject({ code: 'unknown_song' })
})
