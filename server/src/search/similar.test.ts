import { catalogue } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { findMixes } from './similar.ts'

let pool: TestPool
let house: number
let soul: number
beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House')
  soul = await aGenre(pool.ctx, 'Soul')
})
afterAll(() => pool.close())

/** The songs of each test have a tempo of their own, out of the range of the other tests. */
const add = (
  title: string,
  min_bpm: number | null,
  song_key: string | null,
  params: Parameters<typeof aSong>[1] = {},
) => aSong(pool.ctx, { title, artist: `By ${title}`, min_bpm, song_key, genres: [house], ...params })

const together = async (...songs: { entity_id: number; versionIds: number[] }[]) => {
  const { customer_id } = await aMember(pool.ctx)
  for (const { entity_id, versionIds } of songs)
    for (const song_version_id of versionIds)
      await pool.ctx
        .sql`insert into crate_item (customer_id, song_version_id, entity_id) values (${customer_id}, ${song_version_id}, ${entity_id})`
}

const similarTo = async ({ entity_id }: { entity_id: number }) =>
  (await pool.ask(catalogue.getSimilarSongs, { entity_id })).songs

const titles = (songs: { title: string }[]) => songs.map((song) => song.title)

test('returns songs in a compatible key and within the fader’s range, best first', async () => {
  const song = await add('Playing', 124, 'Am')
  await add('Same key', 124, 'Am')
  await add('Step', 124, 'Em')
  await add('Faster', 130, 'Am')
  await add('Clash', 124, 'F#')
  await add('Out of reach', 134, 'Am')
  await add('No key', 124, null)
  await add('No tempo', null, 'Am')
  const songs = await similarTo(song)
  expect(titles(songs)).toEqual(['Same key', 'Step', 'Faster'])
  expect(songs[2]?.mix).toEqual({
    key: 'same',
    tempo: 'same',
    tempo_change_percent: -4.6,
    shared_genres: 1,
    shared_crates: 0,
  })
})

test('includes half and double time', async () => {
  const song = await add('Playing at 80', 80, 'D')
  await add('Double', 161, 'D')
  await add('Half', 40.5, 'D')
  const songs = await similarTo(song)
  expect(songs.map(({ title, mix }) => [title, mix.tempo])).toEqual([
    ['Double', 'double'],
    ['Half', 'half'],
  ])
})

test('matches the tempo a song ends with to the tempo the next one starts with', async () => {
  const song = await add('Speeds up', 90, 'F', { max_bpm: 102 })
  await add('Starts at 102', 102, 'F', { max_bpm: 150 })
  await add('Starts at 90', 90, 'F', { max_bpm: 102 })
  expect(titles(await similarTo(song))).toEqual(['Starts at 102'])
})

test('leaves out the song itself and other mixes of it', async () => {
  const song = await add('Twice', 110, 'Bm', { artist: 'Same' })
  await add('Twice', 110, 'Bm', { artist: 'Same', remixer: 'Someone' })
  await add('Twice', 110, 'Bm', { artist: 'Another' })
  const songs = await similarTo(song)
  expect(songs.map((other) => other.artist)).toEqual(['Another'])
})

test('includes a song without a shared genre, after those that share one', async () => {
  const song = await add('Only house', 140, 'G')
  await add('Also house', 140, 'G')
  await add('Soulful', 140, 'G', { genres: [soul] })
  const songs = await similarTo(song)
  expect(songs.map(({ title, mix }) => [title, mix.shared_genres])).toEqual([
    ['Also house', 1],
    ['Soulful', 0],
  ])
})

test('ranks songs that members keep in the same crates first; two versions in one crate count once', async () => {
  const song = await add('In crates', 150, 'Cm')
  const loved = await add('Loved', 150, 'Cm', { versions: ['Clean', 'Dirty'] })
  await add('Newer', 150, 'Cm')
  await together(song, loved)
  await together(song, loved)
  await together(loved)
  const songs = await similarTo(song)
  expect(songs.map(({ title, mix }) => [title, mix.shared_crates])).toEqual([
    ['Loved', 2],
    ['Newer', 0],
  ])
})

test('finds a song of any age in the same crates, if it mixes', async () => {
  const old = await add('Old friend', 190, 'Ebm', { genres: [soul] })
  const clash = await add('Old clash', 190, 'A', { genres: [soul] })
  const song = await add('Has friends', 190, 'Ebm')
  const { sql } = pool.ctx
  await sql`
    insert into song (title, artist, song_identity, min_bpm, max_bpm, song_key, key_position)
    select 'Bulk ' || n, 'Bulk', 'bulk ' || n || '||', 190, 190, 'Ebm', (select key_position from song where entity_id = ${song.entity_id})
    from generate_series(1, 500) n`
  await sql`
    insert into song_search (entity_id, max_bpm, tsv)
    select s.entity_id, 190, array_to_tsvector(array['#s1', '#b190', '#B23', '#k' || s.key_position]) from song s where artist = 'Bulk'`
  await together(song, old, clash)
  const mixes = await findMixes(sql, song.entity_id)
  expect(mixes).toHaveLength(24)
  expect(mixes[0]).toMatchObject({ entity_id: old.entity_id, mix: { shared_crates: 1 } })
  expect(mixes.map((mixing) => mixing.entity_id)).not.toContain(clash.entity_id)
  await sql`delete from song where artist = 'Bulk'`
})

test('leaves out unpublished songs and those of the other section, even if they share crates', async () => {
  const song = await add('Alone', 210, 'E')
  const gone = await add('Gone', 210, 'E')
  const kut = await add('A kut', 210, 'E', { song_section_id: 2 })
  await together(song, gone, kut)
  const { sql } = pool.ctx
  await sql`update song set status = 'unpublished' where entity_id = ${gone.entity_id}`
  expect(await findMixes(sql, song.entity_id)).toEqual([])
})

test('matches a song without a key by tempo, without a tempo by key, without both by genre and crates', async () => {
  const { sql } = pool.ctx
  const dub = await aGenre(pool.ctx, 'Dub')
  const other = await add('Dubwise', 480, 'Abm', { genres: [dub] })
  const friend = await add('Beside it', 70, 'B', { genres: [] })
  const mixesOf = async (min_bpm: number | null, song_key: string | null, genres: number[]) => {
    const song = await add(`Plain ${min_bpm} ${song_key}`, min_bpm, song_key, { genres })
    await together(song, friend)
    return (await findMixes(sql, song.entity_id)).map(({ entity_id, mix }) => [entity_id, mix.key, mix.tempo])
  }
  expect(await mixesOf(481, null, [])).toEqual([[other.entity_id, null, 'same']])
  expect(await mixesOf(null, 'Abm', [])).toContainEqual([other.entity_id, 'same', null])
  const byGenre = await mixesOf(null, null, [dub])
  expect(byGenre).toContainEqual([other.entity_id, null, null])
  expect(byGenre).toContainEqual([friend.entity_id, null, null])
  expect(byGenre).toHaveLength(2)
})

test('refuses an unknown song (404 unknown_song)', async () => {
  expect(await errorOf(similarTo({ entity_id: 999_999 }))).toMatchObject({ status: 404, code: 'unknown_song' })
})
