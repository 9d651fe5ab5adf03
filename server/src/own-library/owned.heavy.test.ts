import {
  account,
  catalogue,
  decodeIds,
  type InputOf,
  library,
  members,
  ownLibrary,
  playlists,
  savedSearches,
} from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEntry, importLibrary } from '../../test/library-makers.ts'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { ownLibraryData } from './own-data.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

const download = ({ customer_id }: Member, versionId: number) => pool.ctx.sql`
  insert into download_grant (customer_id, song_version_id, allowed, used) values (${customer_id}, ${versionId}, 2, 1)`

const ARTISTS = ['Kwame Ofori', 'Lena Park', 'Dmitri Volkov', 'Yuki Tanaka']

/** Four songs: a file of a known version, one of an unknown version, a download, and one that is not owned. */
async function aCollection(genre: number) {
  const member = await aMember(pool.ctx)
  const songs = []
  for (const artist of ARTISTS)
    songs.push(
      await aSong(pool.ctx, {
        artist: `${artist} of ${genre}`,
        title: `Sunrise ${genre}`,
        versions: ['Clean', 'Dirty'],
        genres: [genre],
      }),
    )
  const [known, unknown, downloaded, foreign] = songs
  const library_id = await importLibrary(pool, member, [
    anEntry({ artist: known!.artist, title: `${known!.title} (Dirty)` }),
    anEntry(unknown!),
  ])
  await download(member, downloaded!.versionIds[0]!)
  return { member, library_id, known: known!, unknown: unknown!, downloaded: downloaded!, foreign: foreign! }
}

const ownedOf = async ({ token }: Member, revision = '') => {
  const reply = await pool.ask(ownLibrary.getOwned, { revision }, token)
  const decoded = Object.entries(reply.owned ?? {}).map(([kind, { songs, versions }]) => [
    kind,
    { songs: decodeIds(songs), versions: decodeIds(versions) },
  ])
  return { revision: reply.revision, isUnchanged: reply.owned === null, ...Object.fromEntries(decoded) }
}

test('lists the ids of songs and versions in the library and of downloads, unless they are unchanged', async () => {
  const genre = await aGenre(pool.ctx, 'Owned')
  const { member, library_id, known, unknown, downloaded } = await aCollection(genre)
  const owned = await ownedOf(member)
  expect(owned).toMatchObject({
    in_library: { songs: [known.entity_id, unknown.entity_id], versions: [known.versionIds[1]] },
    downloaded: { songs: [downloaded.entity_id], versions: [downloaded.versionIds[0]] },
  })
  expect(await ownedOf(member, owned.revision)).toEqual({ revision: owned.revision, isUnchanged: true })
  // Files of an import that is not finished are not owned yet.
  const setListed = (isListed: boolean) => pool.ctx.sql`
    update own_library set is_listed = ${isListed}, state = ${isListed ? 'ready' : 'matching'} where library_id = ${library_id}`
  await setListed(false)
  expect(await ownedOf(member)).toMatchObject({
    in_library: { songs: [] },
    downloaded: { songs: [downloaded.entity_id] },
  })
  await setListed(true)
  await pool.ask(ownLibrary.removeCollection, { library_id }, member.token)
  expect(await ownedOf(member, owned.revision)).toMatchObject({
    ...{ isUnchanged: false, in_library: { songs: [], versions: [] } },
    downloaded: { songs: [downloaded.entity_id] },
  })
  expect(await ownedOf(await aMember(pool.ctx))).toMatchObject({ in_library: { songs: [] }, downloaded: { songs: [] } })
})

test('lists and searches leave out owned songs, and only the member’s own', async () => {
  const genre = await aGenre(pool.ctx, 'Filtered')
  const { member, known, unknown, downloaded, foreign } = await aCollection(genre)
  const list = async (token?: string) => {
    const { songs } = await pool.ask(catalogue.getNewRelease, { genre_id: genre, filter: { not_owned: true } }, token)
    return songs.map(({ entity_id }) => entity_id)
  }
  const all = [foreign, downloaded, unknown, known].map(({ entity_id }) => entity_id)
  expect(await list(member.token)).toEqual([foreign.entity_id])
  expect(await list((await aMember(pool.ctx)).token)).toEqual(all)
  expect(await list()).toEqual(all)
  const search = { searchTerm: `sunrise ${genre}`, filter: { not_owned: true } }
  const found = await pool.ask(catalogue.searchSongs, search, member.token)
  expect(found.songs.slice(0, found.exact_count).map(({ entity_id }) => entity_id)).toEqual([foreign.entity_id])
})

test('a smart crate leaves out owned songs', async () => {
  const genre = await aGenre(pool.ctx, 'Smart')
  const { member, foreign } = await aCollection(genre)
  const { search } = await pool.ask(
    savedSearches.saveSearch,
    { name: 'Sunrise', query: { searchTerm: `sunrise ${genre}` }, fill_limit: 20 },
    member.token,
  )
  await pool.ask(savedSearches.fillCrate, { saved_search_id: search.saved_search_id }, member.token)
  expect((await pool.ask(library.crateIndex, {}, member.token)).list).toEqual([foreign.entity_id])
})

test('counts the owned songs of genres, playlists, spotlights and top 20s', async () => {
  const genre = await aGenre(pool.ctx, 'Counted')
  const { member, known, downloaded, foreign } = await aCollection(genre)
  const other = await aMember(pool.ctx)
  const { sql } = pool.ctx
  const songIds = [known, downloaded, foreign].map(({ entity_id }) => entity_id)
  const addPlaylist = async ({ token }: Member) => {
    const { playlist } = await pool.ask(playlists.savePlaylist, { title: 'Mine', song_ids: songIds }, token)
    return playlist.playlist_id
  }
  const [own, foreignList] = [await addPlaylist(member), await addPlaylist(other)]
  const [spotlight] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by, published_at) values ('S', 'Staff', now()) returning curated_list_id as id`
  const [draft] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by, published_at) values ('D', 'Staff', now() + interval '1 day') returning curated_list_id as id`
  for (const { id } of [spotlight!, draft!])
    await sql`insert into curated_list_song (curated_list_id, position, entity_id) values (${id}, 1, ${known.entity_id})`
  const count = async (input: InputOf<typeof ownLibrary.countOwned>) =>
    (await pool.ask(ownLibrary.countOwned, input, member.token)).owned
  expect(await count({ playlist_id: own })).toBe(2)
  expect(await errorOf(count({ playlist_id: foreignList }))).toMatchObject({ code: 'unknown_playlist' })
  expect(await count({ collection: { type: 'genre', id: genre } })).toBe(3)
  expect(await count({ collection: { type: 'spotlight', id: spotlight!.id } })).toBe(1)
  expect(await errorOf(count({ collection: { type: 'spotlight', id: draft!.id } }))).toMatchObject({
    code: 'unknown_list',
  })
  expect(await errorOf(count({}))).toMatchObject({ message: 'Choose a collection or a playlist.' })
  await sql`update song set status = 'unpublished' where entity_id = ${known.entity_id}`
  expect(await count({ playlist_id: own })).toBe(1)
})

test('counts the owned songs of charts, artists and labels', async () => {
  const genre = await aGenre(pool.ctx, 'Charted')
  const { member, known, unknown, foreign } = await aCollection(genre)
  const { sql } = pool.ctx
  for (const [n, { entity_id }] of [known, unknown, foreign].entries()) {
    await sql`
      insert into chart_snapshot (chart, genre_id, song_section_id, rank, entity_id, n)
      values ('weekly', ${genre}, 1, ${n + 1}, ${entity_id}, 1)`
    await sql`
      insert into song_credit (entity_id, kind, credit_key, name, song_section_id)
      values (${entity_id}, 'label', ${`shelf ${genre}`}, ${`Shelf ${genre}`}, 1)`
  }
  const count = async (collection: InputOf<typeof ownLibrary.countOwned>['collection']) =>
    (await pool.ask(ownLibrary.countOwned, { collection }, member.token)).owned
  expect(await count({ type: 'chart', chart_type: 'weekly', id: genre })).toBe(2)
  expect(await count({ type: 'chart', chart_type: 'daily', id: genre })).toBe(0)
  expect(await count({ type: 'label', name: `Shelf ${genre}` })).toBe(2)
  expect(await count({ type: 'artist', name: foreign.artist })).toBe(0)
  expect(await count({ type: 'artist', name: known.artist })).toBe(1)
})

test('a deleted account leaves no libraries', async () => {
  const member = await aMember(pool.ctx, { password: 'correct horse battery' })
  await importLibrary(pool, member, [anEntry({ artist: 'A', title: 'B' })])
  await pool.ask(account.deleteAccount, { password: 'correct horse battery' }, member.token)
  expect(await pool.ctx.sql`select 1 from own_library where customer_id = ${member.customer_id}`).toHaveLength(0)
})

test('the data export has the libraries with all files and their matches', async () => {
  const genre = await aGenre(pool.ctx, 'Exported')
  const { member, known } = await aCollection(genre)
  const rowsOf = async (name: string) => {
    const rows = []
    const data = ownLibraryData.find((one) => one.name === name)!
    for await (const row of data.read(pool.ctx.sql, member.customer_id)) rows.push(row)
    return rows
  }
  expect(await rowsOf('libraries')).toMatchObject([{ name: 'My library', format: 'rekordbox', entries: 2 }])
  const files = await rowsOf('library-files')
  expect(files).toHaveLength(2)
  expect(files[0]).toMatchObject({
    ...{ library: 'My library', path: `Music/Sets/${known.artist} - ${known.title} (Dirty).mp3`, state: 'matched' },
    ...{ song_title: known.title, song_version: 'Dirty', candidates: `${known.artist} – ${known.title}` },
  })
})

test('staff who view as a member see their libraries and cannot change them', async () => {
  const genre = await aGenre(pool.ctx, 'Viewed')
  const { member, library_id } = await aCollection(genre)
  const support = await aMember(pool.ctx, { group_id: 4, staff_role: 'support' })
  const { token } = await pool.ask(members.viewAs, { customer_id: member.customer_id }, support.token)
  expect(await pool.ask(ownLibrary.getLibraries, {}, token)).toMatchObject({ libraries: [{ library_id }] })
  expect((await pool.ask(ownLibrary.getMatches, { state: 'matched' }, token)).matches).toHaveLength(2)
  expect((await pool.ask(ownLibrary.getOwned, {}, token)).owned?.in_library.songs).toHaveLength(2)
  expect((await pool.ask(ownLibrary.getBetterVersions, {}, token)).counts.all).toBe(1)
  expect(await pool.ask(ownLibrary.countOwned, { collection: { type: 'genre', id: genre } }, token)).toEqual({
    owned: 3,
  })
  expect(await errorOf(pool.ask(ownLibrary.removeCollection, { library_id }, token))).toMatchObject({
    code: 'read_only_session',
  })
})
