import { library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

/** Moves the crate's content back by a minute, because songs added at once are only milliseconds apart. */
const passOneMinute = () => pool.ctx.sql`update crate_item set added_at = added_at - interval '1 minute'`

test('adds songs and single versions together, the first on top, and keeps what is already in the crate', async () => {
  const { token } = await aMember(pool.ctx)
  const [one, two, third] = [
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.ctx),
  ]
  await pool.ask(library.crateAddRemove, { songId: third.entity_id }, token)
  await passOneMinute()
  const params = { song_ids: [two.entity_id, third.entity_id], version_ids: [one.versionIds[1] ?? 0] }
  expect(await pool.ask(library.crateChange, params, token)).toEqual({ changed: 2, count: 3 })
  const { list } = await pool.ask(library.crateIndex, {}, token)
  expect(list).toEqual([two.entity_id, one.entity_id, third.entity_id])
  expect(await pool.ask(library.crateChange, params, token)).toEqual({ changed: 0, count: 3 })
})

test('restores a cleared crate as it was', async () => {
  const { token } = await aMember(pool.ctx)
  for (const versions of [['Clean', 'Dirty'], ['Intro'], ['Clean', 'Intro', 'Dirty']]) {
    const song = await aSong(pool.ctx, { versions })
    await pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId: song.versionIds[0] }, token)
  }
  const before = await pool.ask(library.getCrates, {}, token)
  await pool.ask(library.clearCrates, {}, token)
  expect(await pool.ask(library.crateChange, { version_ids: before.version }, token)).toEqual({ changed: 3, count: 3 })
  expect(await pool.ask(library.getCrates, {}, token)).toEqual(before)
})

test('a removed song is restored right below the one it was under', async () => {
  const { token } = await aMember(pool.ctx)
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx), await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })]
  const song_ids = songs.map((song) => song.entity_id)
  await pool.ask(library.crateChange, { song_ids }, token)
  const list = async () => (await pool.ask(library.crateIndex, {}, token)).list
  for (const [n, song_id] of song_ids.entries()) {
    await pool.ask(library.crateChange, { song_ids: [song_id], action: 'remove' }, token)
    expect(await list()).toEqual(song_ids.filter((id) => id !== song_id))
    await pool.ask(library.crateChange, { song_ids: [song_id], below: song_ids[n - 1] }, token)
    expect(await list()).toEqual(song_ids)
  }
})

test('restores below all versions of a song, not between them', async () => {
  const { token } = await aMember(pool.ctx)
  const [top, one, two] = [
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] }),
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.ctx),
  ]
  await pool.ask(library.crateChange, { version_ids: [top, one, two].flatMap((song) => song.versionIds) }, token)
  const before = await pool.ask(library.getCrates, {}, token)
  expect(before.version).toEqual([top, one, two].flatMap((song) => song.versionIds))
  await pool.ask(library.crateChange, { song_ids: [one.entity_id], action: 'remove' }, token)
  await pool.ask(library.crateChange, { version_ids: one.versionIds, below: top.entity_id }, token)
  expect(await pool.ask(library.getCrates, {}, token)).toEqual(before)

  // A version that was added separately, long before the others, is not a reference.
  const [earlier = 0, ...others] = top.versionIds
  await pool.ask(library.clearCrates, {}, token)
  for (const version_ids of [[earlier], two.versionIds, others]) {
    await pool.ask(library.crateChange, { version_ids }, token)
    await passOneMinute()
  }
  await pool.ask(library.crateChange, { version_ids: one.versionIds, below: top.entity_id }, token)
  const order = [...others, ...one.versionIds, ...two.versionIds, earlier]
  expect((await pool.ask(library.getCrates, {}, token)).version).toEqual(order)
})

test('the versions of a song have the order of the song', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro', 'Acapella'] })
  await pool.ctx.sql`update song_version set position = 100 - position where entity_id = ${song.entity_id}`
  for (const versionId of song.versionIds)
    await pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId }, token)
  expect((await pool.ask(library.getCrates, {}, token)).version).toEqual(song.versionIds.toReversed())
})

test('removes songs and single versions together, and ignores those that are not in the crate', async () => {
  const { token } = await aMember(pool.ctx)
  const [one, two] = [await aSong(pool.ctx), await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })]
  await pool.ask(library.crateChange, { version_ids: [...one.versionIds, ...two.versionIds] }, token)
  const params = { song_ids: [one.entity_id], version_ids: [two.versionIds[0] ?? 0], action: 'remove' as const }
  expect(await pool.ask(library.crateChange, params, token)).toEqual({ changed: 2, count: 1 })
  expect(await pool.ask(library.crateChange, params, token)).toEqual({ changed: 0, count: 1 })
})

test('adds and removes many favourites together, the first on top', async () => {
  const { token } = await aMember(pool.ctx)
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx), await aSong(pool.ctx)]
  const song_ids = songs.map((song) => song.entity_id)
  expect(await pool.ask(library.favouriteChange, { song_ids: [...song_ids, 2_000_000_000] }, token)).toEqual({
    changed: 3,
  })
  const shown = (await pool.ask(library.favouriteIndex, {}, token)).songs.map((song) => song.entity_id)
  expect(shown).toEqual(song_ids)
  expect(await pool.ask(library.favouriteChange, { song_ids }, token)).toEqual({ changed: 0 })
  const fewer = { song_ids: song_ids.slice(1), action: 'remove' as const }
  expect(await pool.ask(library.favouriteChange, fewer, token)).toEqual({ changed: 2 })
  expect((await pool.ask(library.getFavouriteSongs, {}, token)).favouriteSongs).toEqual(song_ids.slice(0, 1))
})

test('skips unpublished and unknown songs, and refuses a change that exceeds the limit as a whole', async () => {
  const { token } = await aMember(pool.ctx)
  const [unpublished, published] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${unpublished.entity_id}`
  const params = { song_ids: [unpublished.entity_id, 2_000_000_000, published.entity_id] }
  expect(await pool.ask(library.crateChange, params, token)).toEqual({ changed: 1, count: 1 })
  await pool.ctx.sql`
    insert into song_version (entity_id, version_kind_id, version_label, file_id, recipe, duration_seconds)
    select ${published.entity_id}, 1, 'Copy ' || n, null, '{}', 1 from generate_series(1, ${library.CRATE_LIMIT}) n`
  const copies = await pool.ctx.sql<{ song_version_id: number }[]>`
    select song_version_id from song_version where entity_id = ${published.entity_id} and file_id is null`
  const version_ids = copies.map((row) => row.song_version_id)
  const full = pool.ask(library.crateChange, { version_ids }, token)
  expect(await errorOf(full)).toMatchObject({ status: 422, code: 'crate_full' })
  expect((await pool.ask(library.getCrates, {}, token)).version).toHaveLength(1)
})

test('a visitor has no crate', async () => {
  expect(await errorOf(pool.ask(library.crateChange, { song_ids: [1] }))).toMatchObject({ code: 'not_signed_in' })
})
