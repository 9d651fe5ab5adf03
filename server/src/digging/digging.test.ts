import { digging, library, merging } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { moveMutedGenre } from '../library/merged-genres.ts'
import { moveDigGenre } from './merged-genres.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())
/** Songs of other tests are no longer new. */
beforeEach(async () => {
  await pool.ctx.sql`update song set created_at = now() - interval '8 days'`
})

type Member = Awaited<ReturnType<typeof aMember>>
type Action = (typeof digging.DIG_ACTIONS)[number]

const dig = ({ token }: Member, list = 'new') => pool.ask(digging.digSongs, { list }, token)
const idsLeft = async (member: Member, list = 'new') =>
  (await dig(member, list)).songs.map(({ song }) => song.entity_id)
const decide = ({ token }: Member, entity_id: number, action: Action, list = 'new', song_version_id?: number) =>
  pool.ask(digging.digDecide, { list, entity_id, action, song_version_id }, token)
const undo = ({ token }: Member, entity_id: number, list = 'new') =>
  pool.ask(digging.digUndo, { list, entity_id }, token)
const crateOf = ({ token }: Member) => pool.ask(library.getCrates, {}, token)
const favouritesOf = async ({ token }: Member) => (await pool.ask(library.getFavouriteSongs, {}, token)).favouriteSongs
const mutesOf = async ({ token }: Member) => (await pool.ask(digging.getMutes, {}, token)).mutes

/** New songs, the first of them the newest. */
async function newSongs(count: number, overrides: Parameters<typeof aSong>[1] = {}) {
  const songs = []
  for (let n = 0; n < count; n++)
    songs.push(await aSong(pool.ctx, { ...overrides, created_at: new Date(Date.now() - (n + 1) * 60_000) }))
  return songs
}

test('lists the songs of the last 7 days, newest first, with the number left', async () => {
  const member = await aMember(pool.ctx)
  const [first, second, old] = await newSongs(3)
  await pool.ctx
    .sql`update song set created_at = now() - interval '7 days 1 minute' where entity_id = ${old!.entity_id}`
  expect(await idsLeft(member)).toEqual([first!.entity_id, second!.entity_id])
  expect(await dig(member)).toMatchObject({ title: '', left: 2, decisions: { skip: 0, crate: 0 } })
})

test('continues after the decided songs, per list and member', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const genre = await aGenre(pool.ctx, 'Dub')
  const [first, second] = (await newSongs(2, { genres: [genre] })).map(({ entity_id }) => entity_id)
  await decide(member, first!, 'skip')
  expect(await dig(member)).toMatchObject({ left: 1, decisions: { skip: 1 } })
  expect(await idsLeft(member)).toEqual([second])
  expect(await dig(member, `genre-${genre}`)).toMatchObject({ title: 'Dub', left: 2 })
  expect(await idsLeft(other)).toEqual([first, second])
})

test('adds a song to the crate, to favourites, or mutes it, and undo removes what was added', async () => {
  const member = await aMember(pool.ctx)
  const [one, two, three] = await newSongs(3, { versions: ['Clean', 'Dirty'] })
  await decide(member, one!.entity_id, 'crate')
  await decide(member, two!.entity_id, 'favourite')
  await decide(member, three!.entity_id, 'never')
  expect((await crateOf(member)).version).toEqual([one!.versionIds[0]])
  expect(await favouritesOf(member)).toEqual([two!.entity_id])
  expect(await mutesOf(member)).toMatchObject([{ kind: 'song', name: three!.title, entity_id: three!.entity_id }])
  expect(await dig(member)).toMatchObject({ left: 0, decisions: { skip: 0, crate: 1, favourite: 1, never: 1 } })
  for (const { entity_id } of [three!, two!, one!]) await undo(member, entity_id)
  expect(await crateOf(member)).toMatchObject({ count: 0 })
  expect(await favouritesOf(member)).toEqual([])
  expect(await mutesOf(member)).toEqual([])
  expect(await idsLeft(member)).toEqual([one, two, three].map((song) => song!.entity_id))
})

test('undo keeps what the member had before', async () => {
  const member = await aMember(pool.ctx)
  const [song] = await newSongs(1)
  await pool.ask(library.favouriteAddRemove, { songId: song!.entity_id }, member.token)
  await decide(member, song!.entity_id, 'favourite')
  await undo(member, song!.entity_id)
  expect(await favouritesOf(member)).toEqual([song!.entity_id])
  await undo(member, song!.entity_id)
  expect(await dig(member)).toMatchObject({ left: 1 })
})

test('adds the version that was chosen, and refuses a version of another song', async () => {
  const member = await aMember(pool.ctx)
  const [song, other] = await newSongs(2, { versions: ['Clean', 'Dirty'] })
  await decide(member, song!.entity_id, 'crate', 'new', song!.versionIds[1])
  expect((await crateOf(member)).version).toEqual([song!.versionIds[1]])
  const wrong = decide(member, other!.entity_id, 'crate', 'new', song!.versionIds[0])
  expect(await errorOf(wrong)).toMatchObject({ code: 'unknown_version' })
})

test('a repeated decision changes nothing, another one replaces it', async () => {
  const member = await aMember(pool.ctx)
  const [song] = await newSongs(1)
  await decide(member, song!.entity_id, 'crate')
  expect((await crateOf(member)).version).toEqual(song!.versionIds)
  await pool.ask(library.clearCrates, {}, member.token)
  await decide(member, song!.entity_id, 'crate')
  expect(await crateOf(member)).toMatchObject({ count: 0 })
  await decide(member, song!.entity_id, 'never')
  await decide(member, song!.entity_id, 'favourite')
  expect(await mutesOf(member)).toEqual([])
  expect(await favouritesOf(member)).toEqual([song!.entity_id])
  expect((await dig(member)).decisions).toEqual({ skip: 0, crate: 0, favourite: 1, never: 0 })
})

test('a decision that exceeds the limit of the crate is not saved (422 crate_full)', async () => {
  const member = await aMember(pool.ctx)
  const [song] = await newSongs(1)
  const { entity_id } = await aSong(pool.ctx, { created_at: new Date(0) })
  await pool.ctx.sql`
    insert into song_version (entity_id, version_kind_id, version_label, file_id, recipe, duration_seconds)
    select ${entity_id}, 1, 'Copy ' || n, null, '{}', 1 from generate_series(1, ${library.CRATE_LIMIT}) n`
  await pool.ctx.sql`
    insert into crate_item (customer_id, song_version_id, entity_id)
    select ${member.customer_id}, song_version_id, entity_id from song_version
    where entity_id = ${entity_id} limit ${library.CRATE_LIMIT}`
  expect(await errorOf(decide(member, song!.entity_id, 'crate'))).toMatchObject({ status: 422, code: 'crate_full' })
  expect(await dig(member)).toMatchObject({ left: 1, decisions: { crate: 0 } })
})

test('leaves out songs that are in the crate or downloaded', async () => {
  const member = await aMember(pool.ctx)
  const [collected, downloaded, used, free] = await newSongs(4)
  await pool.ask(library.crateAddRemove, { songId: collected!.entity_id }, member.token)
  await pool.ctx.sql`
    insert into download_grant (customer_id, song_version_id, allowed, used)
    values (${member.customer_id}, ${downloaded!.versionIds[0]!}, 2, 1), (${member.customer_id}, ${used!.versionIds[0]!}, 2, 0)`
  expect(await idsLeft(member)).toEqual([used!.entity_id, free!.entity_id])
})

test('starting again forgets the decisions of one list, and keeps crate and mutes', async () => {
  const member = await aMember(pool.ctx)
  const [skipped, collected, never] = (await newSongs(3)).map(({ entity_id }) => entity_id)
  await decide(member, skipped!, 'skip')
  await decide(member, collected!, 'crate')
  await decide(member, never!, 'never')
  await decide(member, skipped!, 'skip', 'chart-daily')
  expect(await pool.ask(digging.digReset, { list: 'new' }, member.token)).toEqual({ forgotten: 3 })
  expect(await idsLeft(member)).toEqual([skipped])
  expect((await dig(member, 'chart-daily')).decisions.skip).toBe(1)
})

test('names the drop of each version', async () => {
  const member = await aMember(pool.ctx)
  const [song] = await newSongs(1)
  await pool.ctx.sql`
    insert into beat_grid_correction (file_id, bpm, first_downbeat_seconds, cues, corrected_by_kind)
    values (${song!.files[0]!.file_id}, 120, 0.5, ${pool.ctx.sql.json([
      { kind: 'mix_in', at_seconds: 0.5 },
      { kind: 'drop', at_seconds: 32.5 },
    ])}, 'staff')`
  const [{ structure } = { structure: [] }] = (await dig(member)).songs
  expect(structure).toEqual([{ song_version_id: song!.versionIds[0], drop_seconds: 32.5, energy: null }])
})

test('lists a chart by rank, a playlist and a spotlight in their order, and a saved search', async () => {
  const member = await aMember(pool.ctx)
  const { sql } = pool.ctx
  const [one, two] = (await newSongs(2, { artist: 'Kerosene Parade' })).map(({ entity_id }) => entity_id)
  await sql`
    insert into chart_snapshot (chart, genre_id, song_section_id, rank, entity_id, n)
    values ('weekly', 0, 1, 2, ${one!}, 4), ('weekly', 0, 1, 1, ${two!}, 9)`
  const [playlist] = await sql<{ id: number }[]>`
    insert into playlist (customer_id, title, folded_title, changed_at)
    values (${member.customer_id}, 'Mine', 'mine', now()) returning playlist_id as id`
  await sql`insert into playlist_song (playlist_id, position, entity_id) values (${playlist!.id}, 1, ${two!})`
  const [spotlight] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by) values ('Peak', 'Mara') returning curated_list_id as id`
  await sql`insert into curated_list_song (curated_list_id, entity_id, position) values (${spotlight!.id}, ${one!}, 1)`
  const [search] = await sql<{ id: number }[]>`
    insert into saved_search (customer_id, name, query) values (${member.customer_id}, 'Parade', ${sql.json({
      searchTerm: 'kerosene',
      genre_id: null,
      SongEntitySearch: { title: '', artist: '', bpm: '', song_key: '', year: '' },
      versions: [],
      not_downloaded: false,
      song_section_id: 1,
    })}) returning saved_search_id as id`
  expect(await idsLeft(member, 'chart-weekly')).toEqual([two, one])
  expect(await idsLeft(member, `playlist-${playlist!.id}`)).toEqual([two])
  expect(await dig(member, `spotlight-${spotlight!.id}`)).toMatchObject({ title: 'Peak', left: 1 })
  expect(await dig(member, `search-${search!.id}`)).toMatchObject({ title: 'Parade', left: 2 })
  const stranger = await aMember(pool.ctx)
  expect(await errorOf(dig(stranger, `playlist-${playlist!.id}`))).toMatchObject({ code: 'unknown_playlist' })
  expect(await errorOf(dig(stranger, `search-${search!.id}`))).toMatchObject({ code: 'unknown_search' })
})

test.each([
  ['genre-4999', 'unknown_genre'],
  ['spotlight-4999', 'unknown_list'],
  ['top20-4999', 'unknown_list'],
  ['chart-yearly', 'invalid_request'],
  ['genre-0', 'invalid_request'],
])('the list %s is %s', async (list, code) => {
  expect(await errorOf(dig(await aMember(pool.ctx), list))).toMatchObject({ code })
})

test('a visitor cannot dig', async () => {
  expect(await errorOf(pool.ask(digging.digSongs, { list: 'new' }))).toMatchObject({ code: 'not_signed_in' })
})

test('decisions and mutes follow a merged song', async () => {
  const curator = await aMember(pool.ctx, { staff_role: 'curator' })
  const member = await aMember(pool.ctx)
  const [kept, merged] = await newSongs(2)
  await decide(member, merged!.entity_id, 'never')
  await decide(member, kept!.entity_id, 'never')
  await decide(member, merged!.entity_id, 'skip', 'chart-daily')
  const entity_ids = [kept!.entity_id, merged!.entity_id]
  const input = { entity_ids, keep_entity_id: kept!.entity_id }
  const { versions, state } = await pool.ask(merging.getMerge, input, curator.token)
  const choices = versions
    .filter(({ conflicts_with }) => conflicts_with !== null)
    .map(({ song_version_id, proposed_label }) => ({ song_version_id, version_label: proposed_label }))
  await pool.ask(merging.mergeSongs, { ...input, versions: choices, state }, curator.token)
  expect(await mutesOf(member)).toMatchObject([{ entity_id: kept!.entity_id }])
  expect((await dig(member)).decisions.never).toBe(1)
  expect((await dig(member, 'chart-daily')).decisions.skip).toBe(1)
})

test('decisions and mutes follow a merged genre', async () => {
  const member = await aMember(pool.ctx)
  const [from, into] = [await aGenre(pool.ctx, 'Garage'), await aGenre(pool.ctx, 'UK Garage')]
  const [song] = await newSongs(1, { genres: [from, into] })
  await decide(member, song!.entity_id, 'skip', `genre-${from}`)
  await pool.ask(digging.changeMutes, { add: [{ kind: 'genre', id: from }] }, member.token)
  await moveMutedGenre(pool.ctx.sql, from, into)
  await moveDigGenre(pool.ctx.sql, from, into)
  expect(await mutesOf(member)).toMatchObject([{ kind: 'genre', name: 'UK Garage', genre_id: into }])
  expect((await dig(member, `genre-${into}`)).decisions.skip).toBe(1)
})
