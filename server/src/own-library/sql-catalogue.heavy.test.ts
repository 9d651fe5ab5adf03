import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEntry } from '../../test/library-makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { storeCatalogue } from '../../test/store-catalogue.ts'
import { type CatalogueSong, MAX_CANDIDATES } from './candidates.ts'
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

const aSong = (entity_id: number, artist: string, title: string): CatalogueSong => ({
  ...{ entity_id, artist, title, remixer: '', isrc: '' },
  versions: [{ song_version_id: entity_id, version_label: 'Clean', duration_seconds: 200 }],
})

test('finds a song with the same title before those that share more of rarer words', async () => {
  const titles = ['Xanthous', 'Quokka']
  await storeCatalogue(pool.ctx.sql, [
    ...Array.from({ length: 40 }, (_, n) => aSong(200_000 + n, `Prolific Personage`, `Number ${n}`)),
    ...Array.from({ length: 120 }, (_, n) => aSong(201_000 + n, `Band ${n}`, `${titles[n % 2]} ${n} Other`)),
    aSong(202_000, 'Someone', 'Xanthous Quokka (feat. Guest)'),
  ])
  const keys = { core: 'xanthous quokka', title_words: ['xanthous', 'quokka'], artist_words: ['prolific', 'personage'] }
  const [found] = await new SqlCatalogue(pool.ctx.sql).findByName([keys])
  expect(found).toHaveLength(MAX_CANDIDATES)
  expect(found![0]).toMatchObject({ entity_id: 202_000 })
})

test('finds a song whose words all have typing errors', async () => {
  await storeCatalogue(pool.ctx.sql, [aSong(300_000, 'Zephyrine', 'Marmalade Skylark')])
  const keys = { core: 'marmlade skylrak', title_words: ['marmlade', 'skylrak'], artist_words: ['zephirine'] }
  const [found] = await new SqlCatalogue(pool.ctx.sql).findByName([keys])
  expect(found).toMatchObject([{ entity_id: 300_000 }])
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
