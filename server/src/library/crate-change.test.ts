import { library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

/** As if all that is in a crate had been put there a minute ago: what is put in at once stands milliseconds apart. */
const aMinuteGoesBy = () => pool.world.sql`update crate_item set added_at = added_at - interval '1 minute'`

test('songs and single versions go into the crate together, the first on top; what is in already stays', async () => {
  const { token } = await aMember(pool.world)
  const [one, two, three] = [
    await aSong(pool.world, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.world, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.world),
  ]
  await pool.ask(library.crateAddRemove, { songId: three.entity_id }, token)
  await aMinuteGoesBy()
  const wish = { song_ids: [two.entity_id, three.entity_id], version_ids: [one.versionIds[1] ?? 0] }
  expect(await pool.ask(library.crateChange, wish, token)).toEqual({ changed: 3, count: 3 })
  const { list } = await pool.ask(library.crateIndex, {}, token)
  expect(list).toEqual([two.entity_id, one.entity_id, three.entity_id])
  expect(await pool.ask(library.crateChange, wish, token)).toEqual({ changed: 0, count: 3 })
})

test('a crate that was cleared is put back as it was', async () => {
  const { token } = await aMember(pool.world)
  for (const versions of [['Clean', 'Dirty'], ['Intro'], ['Clean', 'Intro', 'Dirty']]) {
    const song = await aSong(pool.world, { versions })
    await pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId: song.versionIds[0] }, token)
  }
  const before = await pool.ask(library.getCrates, {}, token)
  await pool.ask(library.clearCrates, {}, token)
  expect(await pool.ask(library.crateChange, { version_ids: before.version }, token)).toEqual({ changed: 3, count: 3 })
  expect(await pool.ask(library.getCrates, {}, token)).toEqual(before)
})

test('a song that was taken out comes back right below the one it stood under', async () => {
  const { token } = await aMember(pool.world)
  const songs = [
    await aSong(pool.world),
    await aSong(pool.world),
    await aSong(pool.world, { versions: ['Clean', 'Dirty'] }),
  ]
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

test('what comes back stands below the whole of a song, not between its versions', async () => {
  const { token } = await aMember(pool.world)
  const [top, one, two] = [
    await aSong(pool.world, { versions: ['Clean', 'Dirty', 'Intro'] }),
    await aSong(pool.world, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.world),
  ]
  await pool.ask(library.crateChange, { song_ids: [top, one, two].map((song) => song.entity_id) }, token)
  const before = await pool.ask(library.getCrates, {}, token)
  expect(before.version).toEqual([top, one, two].flatMap((song) => song.versionIds))
  await pool.ask(library.crateChange, { song_ids: [one.entity_id], action: 'remove' }, token)
  await pool.ask(library.crateChange, { version_ids: one.versionIds, below: top.entity_id }, token)
  expect(await pool.ask(library.getCrates, {}, token)).toEqual(before)

  // A version that was put in by itself, long before the others, is no foot to stand below.
  const [early = 0, ...others] = top.versionIds
  await pool.ask(library.clearCrates, {}, token)
  for (const version_ids of [[early], two.versionIds, others]) {
    await pool.ask(library.crateChange, { version_ids }, token)
    await aMinuteGoesBy()
  }
  await pool.ask(library.crateChange, { version_ids: one.versionIds, below: top.entity_id }, token)
  const order = [...others, ...one.versionIds, ...two.versionIds, early]
  expect((await pool.ask(library.getCrates, {}, token)).version).toEqual(order)
})

test('the versions of a song that went in as a whole stand in the order of the song', async () => {
  const { token } = await aMember(pool.world)
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty', 'Intro', 'Acapella'] })
  await pool.world.sql`update song_version set position = 100 - position where entity_id = ${song.entity_id}`
  await pool.ask(library.crateAddRemove, { songId: song.entity_id }, token)
  expect((await pool.ask(library.getCrates, {}, token)).version).toEqual(song.versionIds.toReversed())
})

test('songs and single versions are taken out together; what is not in is no trouble', async () => {
  const { token } = await aMember(pool.world)
  const [one, two] = [await aSong(pool.world), await aSong(pool.world, { versions: ['Clean', 'Dirty'] })]
  await pool.ask(library.crateChange, { song_ids: [one.entity_id, two.entity_id] }, token)
  const wish = { song_ids: [one.entity_id], version_ids: [two.versionIds[0] ?? 0], action: 'remove' as const }
  expect(await pool.ask(library.crateChange, wish, token)).toEqual({ changed: 2, count: 1 })
  expect(await pool.ask(library.crateChange, wish, token)).toEqual({ changed: 0, count: 1 })
})

test('many favourites are marked and unmarked together, the first on top', async () => {
  const { token } = await aMember(pool.world)
  const songs = [await aSong(pool.world), await aSong(pool.world), await aSong(pool.world)]
  const song_ids = songs.map((song) => song.entity_id)
  expect(await pool.ask(library.favouriteChange, { song_ids: [...song_ids, 2_000_000_000] }, token)).toEqual({
    changed: 3,
  })
  const shown = (await pool.ask(library.favouriteIndex, {}, token)).songs.map((song) => song.entity_id)
  expect(shown).toEqual(song_ids)
  expect(await pool.ask(library.favouriteChange, { song_ids }, token)).toEqual({ changed: 0 })
  const less = { song_ids: song_ids.slice(1), action: 'remove' as const }
  expect(await pool.ask(library.favouriteChange, less, token)).toEqual({ changed: 2 })
  expect((await pool.ask(library.getFavouriteSongs, {}, token)).favouriteSongs).toEqual(song_ids.slice(0, 1))
})

test('what is withdrawn or unknown is passed over, and too much is refused whole', async () => {
  const { token } = await aMember(pool.world)
  const [gone, there] = [await aSong(pool.world), await aSong(pool.world)]
  await pool.world.sql`update song set status = 'withdrawn' where entity_id = ${gone.entity_id}`
  const wish = { song_ids: [gone.entity_id, 2_000_000_000, there.entity_id] }
  expect(await pool.ask(library.crateChange, wish, token)).toEqual({ changed: 1, count: 1 })
  await pool.world.sql`
    insert into song_version (entity_id, version_kind_id, version_label, file_id, recipe, duration_seconds)
    select ${there.entity_id}, 1, 'Copy ' || n, null, '{}', 1 from generate_series(1, ${library.CRATE_LIMIT}) n`
  const full = pool.ask(library.crateChange, { song_ids: [there.entity_id] }, token)
  expect(await refusalOf(full)).toMatchObject({ status: 422, code: 'crate_full' })
  expect((await pool.ask(library.getCrates, {}, token)).version).toHaveLength(1)
})

test('a visitor has no crate to put songs in', async () => {
  expect(await refusalOf(pool.ask(library.crateChange, { song_ids: [1] }))).toMatchObject({ code: 'not_signed_in' })
})
