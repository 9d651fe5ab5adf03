import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEntry } from '../../test/library-makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { storeCatalogue } from '../../test/store-catalogue.ts'
import { indexCatalogue } from './catalogue-index.ts'
import { makeCatalogue, makeDamagedLibrary } from './make-damaged-library.ts'
import { matchLibrary } from './match-library.ts'
import { measureMatches } from './measure-matches.ts'
import { SqlCatalogue } from './sql-catalogue.ts'

const songs = makeCatalogue(3000, 4)

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  await storeCatalogue(pool.ctx.sql, songs)
})
afterAll(() => pool.close())

test('finds the songs of a damaged library as well as the index in memory', async () => {
  const made = makeDamagedLibrary(songs, 1000, 104)
  const entries = made.map(({ entry }) => entry)
  const inMemory = measureMatches(await matchLibrary(entries, indexCatalogue(songs)), made)
  const inDatabase = measureMatches(await matchLibrary(entries, new SqlCatalogue(pool.ctx.sql)), made)
  expect(inDatabase.precision).toBeGreaterThan(0.995)
  expect(inDatabase.versionPrecision).toBeGreaterThan(0.995)
  expect(inDatabase.recall).toBeGreaterThan(inMemory.recall - 0.003)
})

const find = (entry: Parameters<typeof anEntry>[0]) => matchLibrary([anEntry(entry)], new SqlCatalogue(pool.ctx.sql))

test('finds a song by its ISRC, with and without hyphens', async () => {
  const { sql } = pool.ctx
  const [first, second] = songs
  await sql`update song set isrc = 'USABC2400001' where entity_id = ${first!.entity_id}`
  await sql`update song set isrc = 'US-ABC-24-00002' where entity_id = ${second!.entity_id}`
  for (const [song, isrc] of [
    [first!, 'us-abc-24-00001'],
    [second!, 'USABC2400002'],
  ] as const)
    expect(await find({ title: song.title, isrc })).toMatchObject([{ reason: 'isrc', entity_id: song.entity_id }])
})

test('leaves out songs and versions that are not published', async () => {
  const { sql } = pool.ctx
  const song = songs.find(({ versions }) => versions.length === 2)!
  const [gone, stays] = song.versions
  await sql`update song_version set status = 'unpublished' where song_version_id = ${gone!.song_version_id}`
  const entry = { artist: song.artist, title: `${song.title} (${stays!.version_label})` }
  expect(await find(entry)).toMatchObject([{ kind: 'certain', song_version_id: stays!.song_version_id }])
  expect(await find({ ...entry, title: `${song.title} (${gone!.version_label})` })).toMatchObject([
    { kind: 'certain', song_version_id: null },
  ])
  await sql`update song set status = 'unpublished' where entity_id = ${song.entity_id}`
  await sql`delete from song_search where entity_id = ${song.entity_id}`
  expect(await find(entry)).not.toMatchObject([{ kind: 'certain' }])
})
