import { library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test('songs and single versions go into the crate together, the first on top; what is in already stays', async () => {
  const { token } = await aMember(pool.world)
  const [one, two, three] = [
    await aSong(pool.world, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.world, { versions: ['Clean', 'Dirty'] }),
    await aSong(pool.world),
  ]
  await pool.ask(library.crateAddRemove, { songId: three.entity_id }, token)
  const wish = { song_ids: [two.entity_id, three.entity_id], version_ids: [one.versionIds[1] ?? 0] }
  expect(await pool.ask(library.crateAdd, wish, token)).toEqual({ added: 3, count: 3 })
  const { list } = await pool.ask(library.crateIndex, {}, token)
  expect(list).toEqual([two.entity_id, one.entity_id, three.entity_id])
  expect(await pool.ask(library.crateAdd, wish, token)).toEqual({ added: 0, count: 3 })
})

test('a crate that was cleared is put back as it was', async () => {
  const { token } = await aMember(pool.world)
  for (const versions of [['Clean', 'Dirty'], ['Intro'], ['Clean', 'Intro', 'Dirty']]) {
    const song = await aSong(pool.world, { versions })
    await pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId: song.versionIds[0] }, token)
  }
  const before = await pool.ask(library.getCrates, {}, token)
  await pool.ask(library.clearCrates, {}, token)
  expect(await pool.ask(library.crateAdd, { version_ids: before.version }, token)).toEqual({ added: 3, count: 3 })
  expect(await pool.ask(library.getCrates, {}, token)).toEqual(before)
})

test('what is withdrawn or unknown is passed over, and too much is refused whole', async () => {
  const { token } = await aMember(pool.world)
  const [gone, there] = [await aSong(pool.world), await aSong(pool.world)]
  await pool.world.sql`update song set status = 'withdrawn' where entity_id = ${gone.entity_id}`
  const wish = { song_ids: [gone.entity_id, 2_000_000_000, there.entity_id] }
  expect(await pool.ask(library.crateAdd, wish, token)).toEqual({ added: 1, count: 1 })
  await pool.world.sql`
    insert into song_version (entity_id, version_kind_id, version_label, file_id, recipe, duration_seconds)
    select ${there.entity_id}, 1, 'Copy ' || n, null, '{}', 1 from generate_series(1, ${library.CRATE_LIMIT}) n`
  const full = pool.ask(library.crateAdd, { song_ids: [there.entity_id] }, token)
  expect(await refusalOf(full)).toMatchObject({ status: 422, code: 'crate_full' })
  expect((await pool.ask(library.getCrates, {}, token)).version).toHaveLength(1)
})

test('a visitor has no crate to put songs in', async () => {
  expect(await refusalOf(pool.ask(library.crateAdd, { song_ids: [1] }))).toMatchObject({ code: 'not_signed_in' })
})
