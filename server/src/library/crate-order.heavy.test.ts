import { downloads, type InputOf, library } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { crateContents } from '../downloads/crate.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

/** A member with new songs in the crate, the first one on top. */
async function aCrate(count = 4) {
  const { token, customer_id } = await aMember(pool.ctx)
  const songs = await Promise.all(
    Array.from({ length: count }, () => aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })),
  )
  const ids = songs.map(({ entity_id }) => entity_id)
  await pool.ask(library.crateChange, { version_ids: songs.flatMap(({ versionIds }) => versionIds) }, token)
  const list = async (params: InputOf<typeof library.crateIndex> = {}) =>
    (await pool.ask(library.crateIndex, params, token)).list
  const move = (song_id: number | undefined, position: number) =>
    pool.ask(library.moveInCrate, { song_id: song_id ?? 0, position }, token)
  return { token, customer_id, songs, ids, list, move }
}

describe('by hand', () => {
  test('moves a song to a position of the order that is shown, and keeps it there', async () => {
    const {
      ids: [a, b, c, d],
      list,
      move,
      token,
    } = await aCrate()
    expect(await move(d, 2)).toEqual({ order: 'own', song_ids: [a, d, b, c], revision: 1 })
    expect(await move(a, 4)).toMatchObject({ song_ids: [d, b, c, a], revision: 2 })
    expect(await list()).toEqual([d, b, c, a])
    expect(await pool.ask(library.crateIndex, { page: 2, pageLimit: 3 }, token)).toMatchObject({
      ...{ order: 'own', list: [d, b, c, a], songs: [{ entity_id: a }] },
    })
  })

  test('a position below the last one is the end', async () => {
    const {
      ids: [a, b, c, d],
      move,
    } = await aCrate()
    expect(await move(a, 2000)).toMatchObject({ song_ids: [b, c, d, a] })
  })

  test('rejects a song that is not in the crate (404 unknown_song)', async () => {
    const {
      ids: [a, b],
      list,
      move,
      token,
    } = await aCrate(2)
    await pool.ask(library.crateAddRemove, { songId: a ?? 0 }, token)
    expect(await errorOf(move(a, 1))).toMatchObject({ code: 'unknown_song' })
    expect(await list()).toEqual([b])
  })

  test('new songs come to the top, and a further version stays with its song', async () => {
    const {
      ids: [a, b, c],
      songs,
      list,
      move,
      token,
    } = await aCrate(3)
    await pool.ask(library.crateAddRemove, { songId: a ?? 0, versionId: songs[0]?.versionIds[0] }, token)
    await move(a, 3)
    const [one, two] = [await aSong(pool.ctx), await aSong(pool.ctx)]
    await pool.ask(library.crateAddRemove, { songId: one.entity_id }, token)
    await pool.ask(library.crateChange, { song_ids: [two.entity_id] }, token)
    await pool.ask(library.crateAddRemove, { songId: a ?? 0, versionId: songs[0]?.versionIds[0] }, token)
    expect(await list()).toEqual([two.entity_id, one.entity_id, b, c, a])
    // Its other version leaves, and the one that was added later keeps the place.
    await pool.ask(library.crateAddRemove, { songId: a ?? 0, versionId: songs[0]?.versionIds[1] }, token)
    expect(await list()).toEqual([two.entity_id, one.entity_id, b, c, a])
  })

  test('a version that is added with others keeps the place of its song', async () => {
    const {
      ids: [a, b, c],
      songs,
      list,
      move,
      token,
    } = await aCrate(3)
    const [first = 0, second = 0] = songs[0]?.versionIds ?? []
    await pool.ask(library.crateAddRemove, { songId: a ?? 0, versionId: first }, token)
    await move(a, 3)
    await pool.ask(library.crateChange, { version_ids: [first], below: b }, token)
    await pool.ask(library.crateAddRemove, { songId: a ?? 0, versionId: second }, token)
    expect(await list()).toEqual([b, c, a])
  })

  test('a removed song is restored right below the one it was under', async () => {
    const {
      ids: [a, b, c, d],
      songs,
      list,
      move,
      token,
    } = await aCrate()
    await move(d, 1)
    await pool.ask(library.crateAddRemove, { songId: b ?? 0 }, token)
    await pool.ask(library.crateChange, { version_ids: songs[1]?.versionIds ?? [], below: a }, token)
    expect(await list()).toEqual([d, a, b, c])
  })

  test('an unpublished song keeps its place', async () => {
    const {
      ids: [a, b, c, d],
      list,
      move,
    } = await aCrate()
    await move(d, 1)
    const setStatus = (status: string) => pool.ctx.sql`update song set status = ${status} where entity_id = ${b ?? 0}`
    await setStatus('unpublished')
    expect(await move(c, 1)).toMatchObject({ song_ids: [c, d, a] })
    await setStatus('published')
    expect(await list()).toEqual([c, d, a, b])
  })
})

describe('the choice of an order', () => {
  test('shows the newest first, and keeps the own order for later', async () => {
    const {
      ids: [a, b, c],
      list,
      move,
      token,
    } = await aCrate(3)
    await move(c, 1)
    expect(await pool.ask(library.orderCrate, { order: 'newest' }, token)).toMatchObject({
      ...{ order: 'newest', song_ids: [a, b, c], revision: 2 },
    })
    expect(await list()).toEqual([a, b, c])
    expect(await pool.ask(library.orderCrate, { order: 'own' }, token)).toMatchObject({ song_ids: [c, a, b] })
  })

  test('restores an own order, with new songs on top and without removed ones', async () => {
    const {
      ids: [a, b, c],
      token,
    } = await aCrate(3)
    const added = await aSong(pool.ctx)
    await pool.ask(library.crateAddRemove, { songId: added.entity_id }, token)
    await pool.ask(library.crateAddRemove, { songId: a ?? 0 }, token)
    const song_ids = [c ?? 0, a ?? 0, b ?? 0]
    expect(await pool.ask(library.orderCrate, { order: 'own', song_ids }, token)).toMatchObject({
      song_ids: [added.entity_id, c, b],
    })
  })

  test('rejects an undo when the order was changed since (409 conflict)', async () => {
    const {
      ids: [a, b, c],
      list,
      move,
      token,
    } = await aCrate(3)
    const { revision } = await move(c, 1)
    await move(b, 1)
    const undo = pool.ask(library.orderCrate, { order: 'newest', revision }, token)
    expect(await errorOf(undo)).toMatchObject({ code: 'conflict' })
    expect(await list()).toEqual([b, c, a])
  })
})

test('zips, lists of ids and genres of the crate are in the own order, with the versions of a song together', async () => {
  const {
    ids: [a, b, c],
    songs,
    move,
    token,
    customer_id,
  } = await aCrate(3)
  await move(c, 1)
  const [ofA, ofB, ofC] = songs.map(({ versionIds }) => versionIds)
  const versionIds = [ofC, ofA, ofB].flat()
  expect(await pool.ask(library.getCrates, {}, token)).toMatchObject({ version: versionIds, crates: [c, a, b] })
  const contents = await crateContents(pool.ctx, customer_id, { genre_id: undefined })
  expect(contents.versionIds).toEqual(versionIds)
  await pool.ask(library.orderCrate, { order: 'newest' }, token)
  const newest = await crateContents(pool.ctx, customer_id, { genre_id: undefined })
  expect(newest.versionIds).toEqual([ofA, ofB, ofC].flat())
  expect(await pool.ask(downloads.crateSummary, {}, token)).toMatchObject({ songs: 3, files: 6 })
})

describe('as a set', () => {
  /** A crate whose songs have these tempos and keys, on top the first one. */
  async function aMixedCrate(tempos: [bpm: number, song_key: string][]) {
    const crate = await aCrate(tempos.length)
    for (const [n, [bpm, song_key]] of tempos.entries())
      await pool.ctx.sql`
        update song_version set bpm = ${bpm}, song_key = ${song_key}, bpm_source = 'staff', key_source = 'staff'
        where entity_id = ${crate.ids[n] ?? 0}`
    return crate
  }
  const MIXED: [number, string][] = [
    [128, 'Em'],
    [120, 'Am'],
    [126, 'Em'],
    [123, 'Am'],
  ]

  test('arranges the whole crate along the curve, and says what it replaced', async () => {
    const {
      ids: [a, b, c, d],
      list,
      token,
    } = await aMixedCrate(MIXED)
    const result = await pool.ask(library.arrangeCrate, { curve: 'warm_up' }, token)
    expect(result).toEqual({
      ...{ order: 'own', song_ids: [b, d, c, a], revision: 1 },
      previous: { order: 'newest', song_ids: [a, b, c, d] },
    })
    expect(await list()).toEqual([b, d, c, a])
    expect(await pool.ask(library.arrangeCrate, { curve: 'cool_down' }, token)).toMatchObject({
      ...{ song_ids: [a, c, d, b], previous: { order: 'own', song_ids: [b, d, c, a] } },
    })
  })

  test('can be undone, also when another own order was not shown', async () => {
    const {
      ids: [a, b, c, d],
      list,
      move,
      token,
    } = await aMixedCrate(MIXED)
    await move(d, 1)
    await pool.ask(library.orderCrate, { order: 'newest' }, token)
    const { previous, revision } = await pool.ask(library.arrangeCrate, { curve: 'warm_up' }, token)
    await pool.ask(library.orderCrate, { ...previous, revision }, token)
    expect(await list()).toEqual([a, b, c, d])
    await pool.ask(library.orderCrate, { order: 'own' }, token)
    expect(await list()).toEqual([d, a, b, c])
  })

  test('starts with a song; one that is not in the crate is ignored', async () => {
    const {
      ids: [a, b],
      token,
    } = await aMixedCrate(MIXED)
    const { song_ids } = await pool.ask(library.arrangeCrate, { curve: 'warm_up', first_song_id: a }, token)
    expect(song_ids[0]).toBe(a)
    const other = await pool.ask(library.arrangeCrate, { curve: 'warm_up', first_song_id: 999_999 }, token)
    expect(other.song_ids[0]).toBe(b)
  })

  test('an empty crate and one song stay as they are', async () => {
    const { ids, token } = await aCrate(1)
    expect(await pool.ask(library.arrangeCrate, { curve: 'full_night' }, token)).toMatchObject({ song_ids: ids })
    await pool.ask(library.clearCrates, {}, token)
    expect(await pool.ask(library.arrangeCrate, { curve: 'full_night' }, token)).toMatchObject({ song_ids: [] })
  })

  test('lists what every song is mixed with: its first version in the crate', async () => {
    const {
      ids: [a, b],
      songs,
      token,
    } = await aMixedCrate(MIXED.slice(0, 2))
    const { sql } = pool.ctx
    const [first = 0, second = 0] = songs[0]?.versionIds ?? []
    await sql`update song_version set bpm = 100, bpm_to = 128, song_key = 'Dm' where song_version_id = ${second}`
    await sql`update song_version set bpm = null, song_key = null where entity_id = ${b ?? 0}`
    await sql`update song set min_bpm = 119, max_bpm = 119, song_key = 'Cm' where entity_id = ${b ?? 0}`
    const tempos = async () => (await pool.ask(library.crateTempos, {}, token)).songs
    expect(await tempos()).toMatchObject([
      { entity_id: a, bpm: 128, bpm_to: null, song_key: 'Em', energy: null },
      { entity_id: b, bpm: 119, bpm_to: null, song_key: 'Cm' },
    ])
    await pool.ask(library.crateAddRemove, { songId: a ?? 0, versionId: first }, token)
    expect(await tempos()).toMatchObject([{ entity_id: a, bpm: 100, bpm_to: 128, song_key: 'Dm' }, { entity_id: b }])
    await sql`update song set min_bpm = 100, max_bpm = 119 where entity_id = ${b ?? 0}`
    expect((await tempos())[1]).toMatchObject({ bpm: null })
  })
})
