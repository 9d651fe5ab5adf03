import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  catalogue,
  collections,
  genreTree,
  type InputOf,
  newsletter,
  savedSearches,
  staffSongs,
} from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { COUNT_CHECKS, findWrongCounts } from '../backups/consistency-checks.ts'
import { genresWithCounts } from '../catalogue/genres.ts'
import { unpublishSong } from '../catalogue/publication.ts'
import { indexSong } from '../catalogue/search-index.ts'
import { findGenresByName } from '../imports/genre-names.ts'
import { projectRoot } from '../platform/project-root.ts'

let pool: TestPool
let curator: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  curator = await aMember(pool.ctx, { staff_role: 'curator' })
})
afterAll(() => pool.close())

const findWrongGenreCounts = () => findWrongCounts(pool.ctx.sql, COUNT_CHECKS, () => {})
const tree = async () => (await pool.ask(genreTree.getGenreTree, {}, curator.token)).genres
const entry = async (genreId: number) => {
  const found = (await tree()).find(({ genre_id }) => genre_id === genreId)
  if (!found) throw new Error('no such entry')
  return found
}
const versionOf = async (genreId: number) => (await entry(genreId)).version

/** Returns the count members see for a genre. */
async function readSongCount(name: string): Promise<number | undefined> {
  const { genres, moods } = await genresWithCounts(pool.ctx.sql, 1)
  return [...genres, ...moods].flatMap((main) => [main, ...main.subgenre]).find((one) => one.name === name)?.song_count
}

const found = async (searchTerm: string) => {
  const { songs } = await pool.ask(catalogue.searchSongs, { searchTerm }, curator.token)
  return songs.map(({ entity_id }) => entity_id).sort((a, b) => a - b)
}

test('a new genre is added last, and can be found by its old name after renaming', async () => {
  const add = (name: string, more = {}) => pool.ask(genreTree.saveGenre, { name, ...more }, curator.token)
  const { genre: main } = await add('Bass Music')
  const { genre: sub } = await add('Halftime', { parent_id: main.genre_id, home_chip: true })
  expect((await errorOf(add('halftime', { parent_id: main.genre_id }))).code).toBe('name_taken')
  expect((await errorOf(add('Deeper', { parent_id: sub.genre_id }))).code).toBe('nesting_too_deep')
  const song = await aSong(pool.ctx, { genres: [sub.genre_id] })
  const { genre } = await pool.ask(genreTree.saveGenre, { ...sub, name: 'Slow Bass', home_chip: true }, curator.token)
  expect(genre).toMatchObject({ name: 'Slow Bass', former_names: ['Halftime'], home_chip: true, songs: 1 })
  expect((await errorOf(pool.ask(genreTree.saveGenre, { ...sub, name: 'Mine' }, curator.token))).code).toBe('conflict')
  // The search finds it by either name, and so does a file tagged with the old name.
  expect(await found('genre:"slow bass"')).toEqual([song.entity_id])
  expect(await found('genre:halftime')).toEqual([song.entity_id])
  expect(await findGenresByName(pool.ctx.sql, ['Half-Time'])).toEqual([sub.genre_id])
  const { genres } = await pool.ask(catalogue.homePageGenres, {})
  expect(genres).toEqual([{ genre_id: sub.genre_id, name: 'Slow Bass' }])
})

test('moving a sub-genre lists its songs under the new main genre and no longer under the old one', async () => {
  const [from, to] = [await aGenre(pool.ctx, 'From'), await aGenre(pool.ctx, 'To')]
  const sub = await aGenre(pool.ctx, 'Moved', { parent_id: from })
  const other = await aGenre(pool.ctx, 'Stays', { parent_id: from })
  await aSong(pool.ctx, { genres: [sub] })
  await aSong(pool.ctx, { genres: [sub, other] })
  const unpublishedSong = await aSong(pool.ctx, { genres: [sub] })
  await pool.ctx.sql.begin((sql) => unpublishSong(sql, unpublishedSong.entity_id))
  expect([await readSongCount('From'), await readSongCount('To')]).toEqual([2, 0])
  const params = { genre_id: sub, parent_id: to, place: 1, version: await versionOf(sub) }
  await pool.ask(genreTree.moveGenre, params, curator.token)
  expect([await readSongCount('From'), await readSongCount('To'), await readSongCount('Moved')]).toEqual([1, 2, 2])
  expect(await findWrongGenreCounts()).toEqual([])
  expect((await found('genre:to')).length).toBe(2)
  expect((await found('genre:from')).length).toBe(1)
  expect((await errorOf(pool.ask(genreTree.moveGenre, params, curator.token))).code).toBe('conflict')
  // Move to the top level, before all others.
  await pool.ask(genreTree.moveGenre, { ...params, parent_id: null, version: await versionOf(sub) }, curator.token)
  expect((await tree())[0]).toMatchObject({ genre_id: sub, parent_id: null })
  expect(await readSongCount('To')).toBe(0)
  expect(await findWrongGenreCounts()).toEqual([])
  // A genre with sub-genres cannot have a parent.
  const down = { genre_id: from, parent_id: to, place: 1, version: await versionOf(from) }
  expect((await errorOf(pool.ask(genreTree.moveGenre, down, curator.token))).code).toBe('nesting_too_deep')
})

test('changes of the tree leave songs with the facets that they would get today', async () => {
  const { sql } = pool.ctx
  const [from, to] = [await aGenre(pool.ctx, 'Facets'), await aGenre(pool.ctx, 'More facets')]
  const [moved, merged] = [await aGenre(pool.ctx, 'Moves', { parent_id: from }), await aGenre(pool.ctx, 'Merges')]
  for (const min_bpm of [124.5, 127.4, 127.5, null])
    for (const year of [2019, null]) await aSong(pool.ctx, { genres: [moved, merged], min_bpm, year })
  const readRows = () =>
    sql<{ entity_id: number }[]>`select entity_id, max_bpm, tsv::text from song_search order by entity_id`
  const readVocabulary = async () =>
    (await sql<{ word: string }[]>`select word from search_word`).map(({ word }) => word)
  const expectCurrentRows = async () => {
    const [rows, vocabulary] = [[...(await readRows())], await readVocabulary()]
    await sql.begin((tx) => Promise.all(rows.map(({ entity_id }) => indexSong(tx, entity_id))))
    expect([...(await readRows())]).toEqual(rows)
    expect(await readVocabulary()).toEqual(expect.arrayContaining(vocabulary))
    expect(await readVocabulary()).toHaveLength(vocabulary.length)
    return vocabulary
  }
  const place = { genre_id: moved, parent_id: to, place: 1, version: await versionOf(moved) }
  await pool.ask(genreTree.moveGenre, place, curator.token)
  expect(await expectCurrentRows()).toEqual(
    expect.arrayContaining([`#g${to}`, `#G${to}y2019`, `#G${to}B15`, `#G${to}B16`]),
  )
  const merge = { genre_id: merged, into_genre_id: to, version: await versionOf(merged) }
  await pool.ask(genreTree.mergeGenre, merge, curator.token)
  const vocabulary = await expectCurrentRows()
  expect(
    vocabulary.filter(
      (word) => word === `#g${merged}` || word.startsWith(`#G${merged}y`) || word.startsWith(`#G${merged}B`),
    ),
  ).toEqual([])
})

test('merging moves songs, sub-genres, followers and searches, and the old URL redirects', async () => {
  const { sql } = pool.ctx
  const main = await aGenre(pool.ctx, 'Club')
  const into = await aGenre(pool.ctx, 'UK Garage', { parent_id: main })
  const from = await aGenre(pool.ctx, 'UKG')
  const [both, one] = [await aSong(pool.ctx, { genres: [into, from] }), await aSong(pool.ctx, { genres: [from] })]
  const unpublishedSong = await aSong(pool.ctx, { genres: [from] })
  await sql.begin((sql) => unpublishSong(sql, unpublishedSong.entity_id))
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await pool.ask(newsletter.followGenre, { genre_id: from, follow: true }, other.token)
  for (const genre_id of [into, from]) await pool.ask(newsletter.followGenre, { genre_id, follow: true }, member.token)
  await pool.ask(savedSearches.saveSearch, { name: 'UKG', query: { searchTerm: '', genre_id: from } }, member.token)
  await sql`
    insert into upload_song (customer_id, title, artist, year, song_key, min_bpm, max_bpm, genres, sources, expires_at, has_custom_expiry)
    values (${member.customer_id}, 'T', 'A', 2026, 'Am', 130, 130, ${[from, into]}::int[], '{}', now() + interval '9 days', false)`
  await pool.ask(
    genreTree.mergeGenre,
    { genre_id: from, into_genre_id: into, version: await versionOf(from) },
    curator.token,
  )
  expect(await findWrongGenreCounts()).toEqual([])
  expect([await readSongCount('UK Garage'), await readSongCount('Club'), await readSongCount('UKG')]).toEqual([
    2,
    2,
    undefined,
  ])
  const { genre, songs } = await pool.ask(catalogue.genreSongs, { genre_id: from })
  expect(genre).toEqual({ genre_id: into, name: 'UK Garage' })
  expect(songs.map(({ entity_id }) => entity_id)).toEqual([one.entity_id, both.entity_id])
  expect(await found('genre:ukg')).toEqual([both.entity_id, one.entity_id])
  const old = await pool.ask(catalogue.searchSongs, { searchTerm: '', genre_id: from }, member.token)
  expect(old.songs.length).toBe(2)
  const { followed } = await pool.ask(newsletter.getMailing, {}, member.token)
  expect(followed).toEqual([{ genre_id: into, name: 'UK Garage' }])
  const otherMailing = await pool.ask(newsletter.getMailing, {}, other.token)
  expect(otherMailing.followed).toEqual(followed)
  const { searches: kept } = await pool.ask(savedSearches.getSearches, {}, member.token)
  expect(kept[0]?.query.genre_id).toBe(into)
  const [upload] = await sql`select genres from upload_song where customer_id = ${member.customer_id}`
  expect(upload?.genres).toEqual([into])
  expect(await findGenresByName(sql, ['ukg'])).toEqual([into])
  const auditEntries = await sql`select action from audit where subject = ${`genre ${from}`}`
  expect(auditEntries).toEqual([{ action: 'genre merged' }])
})

test('only an empty genre can be deleted; one with songs, even unpublished ones, has to be merged', async () => {
  const [empty, used] = [await aGenre(pool.ctx, 'Empty'), await aGenre(pool.ctx, 'Used')]
  const song = await aSong(pool.ctx, { genres: [used] })
  await pool.ctx.sql.begin((sql) => unpublishSong(sql, song.entity_id))
  const remove = async (genre_id: number) =>
    pool.ask(genreTree.removeGenre, { genre_id, version: await versionOf(genre_id) }, curator.token)
  await remove(empty)
  expect((await tree()).some(({ genre_id }) => genre_id === empty)).toBe(false)
  expect(await errorOf(remove(used))).toMatchObject({
    code: 'genre_in_use',
    message: '“Used” has songs (1 unpublished). Merge it into another genre instead.',
  })
  const mood = await aGenre(pool.ctx, 'Moody', { kind: 'mood' })
  const strange = { genre_id: used, into_genre_id: mood, version: await versionOf(used) }
  expect((await errorOf(pool.ask(genreTree.mergeGenre, strange, curator.token))).code).toBe('cannot_merge')
})

test('songs imported as “Unsorted” have no genre, members do not see such a genre, and staff find the songs', async () => {
  const [unsorted, jazz] = [await aGenre(pool.ctx, 'Unsorted'), await aGenre(pool.ctx, 'Gypsy Jazz')]
  const bare = await aSong(pool.ctx, { title: 'Unsortable', genres: [unsorted] })
  const both = await aSong(pool.ctx, { title: 'Unsortable too', genres: [unsorted, jazz] })
  await pool.ctx.sql`update genre set home_chip = true where genre_id = ${unsorted}`
  const readMigration = (name: string) => readFileSync(path.join(projectRoot, 'server/migrations', name), 'utf8')
  const [check = ''] = /^do \$\$[\s\S]*^end \$\$;/m.exec(readMigration('0025-uploaded-audio.sql')) ?? []
  await pool.ctx.sql.unsafe(check)
  const [mark = ''] = /^update song_search[^;]+;/m.exec(readMigration('0061-large-pools.sql')) ?? []
  await pool.ctx.sql.unsafe(mark)
  expect(await readSongCount('Unsorted')).toBeUndefined()
  expect((await pool.ask(catalogue.homePageGenres, {})).genres).not.toContainEqual({
    genre_id: unsorted,
    name: 'Unsorted',
  })
  expect(await found('Unsortable')).toEqual([bare.entity_id, both.entity_id])
  const { song } = await pool.ask(catalogue.getSong, { entity_id: both.entity_id })
  expect(song.genres).toEqual([{ genre_id: jazz, name: 'Gypsy Jazz' }])
  const { songs } = await pool.ask(staffSongs.getSongs, { find: 'Unsortable', lacks: 'genre' }, curator.token)
  expect(songs.map(({ entity_id }) => entity_id)).toEqual([bare.entity_id])
  expect(await findWrongGenreCounts()).toEqual([])
})

test('members see the description of a genre, and it is audited', async () => {
  const save = async (input: InputOf<typeof genreTree.saveGenre>) =>
    (await pool.ask(genreTree.saveGenre, input, curator.token)).genre
  const added = await save({ name: 'Described', description: 'Rolling\nbass lines.' })
  expect(added.description).toBe('Rolling bass lines.')
  const { collection } = await pool.ask(collections.getCollection, { type: 'genre', id: added.genre_id })
  expect(collection.description).toBe('Rolling bass lines.')
  const { genre_id } = added
  // The switch for the home page does not send it.
  const switched = await save({ genre_id, version: added.version, name: 'Described', home_chip: true })
  expect(switched.description).toBe('Rolling bass lines.')
  const tooLong = save({ genre_id, version: switched.version, name: 'Described', description: 'x'.repeat(301) })
  expect(await errorOf(tooLong)).toMatchObject({ code: 'invalid_request', message: 'Use at most 300 characters.' })
  await save({ genre_id, version: switched.version, name: 'Described', description: 'Dry drums.' })
  const [entry] = await pool.ctx.sql`
    select before->>'description' as before, after->>'description' as after from audit
    where subject = ${`genre ${genre_id}`} order by audit_id desc limit 1`
  expect(entry).toEqual({ before: 'Rolling bass lines.', after: 'Dry drums.' })
})
