import { type InputOf, notices, savedSearches } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { relistSong, unpublishSong } from '../catalogue/publication.ts'
import { notify } from '../notices/notifications.ts'
import { savedSearchesData } from './own-data.ts'

let pool: TestPool
let house: number
beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House')
  await aSong(pool.ctx, { title: 'Midnight Sun', artist: 'Halo', min_bpm: 124, genres: [house] })
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Query = InputOf<typeof savedSearches.saveSearch>['query']

const save = async ({ token }: Member, name: string, query: Query = { searchTerm: 'midnight' }, by_email = false) =>
  (await pool.ask(savedSearches.saveSearch, { name, query, by_email }, token)).search
const listFor = async ({ token }: Member) => (await pool.ask(savedSearches.getSearches, {}, token)).searches
const countNewFor = async (member: Member) =>
  Object.fromEntries((await listFor(member)).map(({ name, new_songs }) => [name, new_songs]))
const change = async ({ token }: Member, saved_search_id: number, changes: object) =>
  (await pool.ask(savedSearches.changeSearch, { saved_search_id, ...changes }, token)).search

test('saves a search with all its filters; existing songs are not new', async () => {
  const member = await aMember(pool.ctx)
  const query = {
    searchTerm: '  midnight ~key:8A ',
    genre_id: house,
    SongEntitySearch: { title: 'sun', artist: '', bpm: 124, song_key: '', year: '' },
    versions: ['clean', 'clean'],
    not_downloaded: true,
  }
  const saved = await save(member, '  Peak time ', query, true)
  expect(saved).toMatchObject({ name: 'Peak time', new_songs: 0, by_email: true, error_message: '' })
  expect(saved.query).toEqual({
    searchTerm: 'midnight ~key:8A',
    genre_id: house,
    SongEntitySearch: { title: 'sun', artist: '', bpm: '124', song_key: '', year: '' },
    versions: ['clean'],
    not_downloaded: true,
    song_section_id: 1,
  })
  expect(await listFor(member)).toEqual([saved])
  expect(await listFor(await aMember(pool.ctx))).toEqual([])
})

test('new songs are exact matches added since the last visit', async () => {
  const member = await aMember(pool.ctx)
  const { saved_search_id } = await save(member, 'By words')
  await save(member, 'By genre', { genre_id: house })
  await save(member, 'By tempo', { searchTerm: 'bpm:120-126' })
  await save(member, 'Everything of a title', { searchTerm: 'title:"morning rain"' })
  await aSong(pool.ctx, { title: 'Midnight Two', artist: 'Halo', min_bpm: 100, genres: [house] })
  await aSong(pool.ctx, { title: 'Midnigth Slip', artist: 'Halo', min_bpm: 62 })
  await aSong(pool.ctx, { title: 'Elsewhere', artist: 'Nobody', min_bpm: 123 })
  await aSong(pool.ctx, { title: 'Midnight Kut', artist: 'Halo', song_section_id: 2 })
  await aSong(pool.ctx, { title: 'Midnight of old', artist: 'Halo', created_at: new Date('2020-01-01') })
  expect(await countNewFor(member)).toEqual({ 'By words': 1, 'By genre': 1, 'By tempo': 1, 'Everything of a title': 0 })
  await pool.ask(savedSearches.markSeen, { saved_search_id }, member.token)
  expect(await countNewFor(member)).toMatchObject({ 'By words': 0, 'By genre': 1 })
})

test('a song that was unpublished and restored is not new again', async () => {
  const member = await aMember(pool.ctx)
  const { entity_id } = await aSong(pool.ctx, { title: 'Boomerang', artist: 'Halo' })
  await save(member, 'Boomerang', { searchTerm: 'boomerang' })
  await pool.ctx.sql.begin((sql) => unpublishSong(sql, entity_id))
  await pool.ctx.sql.begin((sql) => relistSong(sql, entity_id))
  expect(await countNewFor(member)).toEqual({ Boomerang: 0 })
})

test('songs the member downloaded are not new to a search that leaves them out', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Fresh', { searchTerm: 'harbour not:downloaded' })
  await save(member, 'Fresh by filter', { searchTerm: 'harbour', not_downloaded: true })
  await save(member, 'All', { searchTerm: 'harbour' })
  const { versionIds } = await aSong(pool.ctx, { title: 'Harbour Lights', artist: 'Pier' })
  expect(await countNewFor(member)).toEqual({ Fresh: 1, 'Fresh by filter': 1, All: 1 })
  await pool.ctx.sql`
    insert into download_grant (customer_id, song_version_id, allowed, used)
    values (${member.customer_id}, ${versionIds[0] ?? 0}, 2, 1)`
  expect(await countNewFor(member)).toEqual({ Fresh: 0, 'Fresh by filter': 0, All: 1 })
})

test('reports more than ninety-nine new songs as a hundred', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Many', { searchTerm: 'artist:plenty' })
  const { sql } = pool.ctx
  await sql`insert into song (title, artist, song_identity) select 'Plenty ' || n, 'Plenty', 'plenty ' || n from generate_series(1, 130) n`
  await sql`
    insert into song_search (entity_id, tsv) select entity_id, array_to_tsvector('{plenty,@plenty,#s1}'::text[])
    from song where artist = 'Plenty'`
  await sql`insert into search_word (word, df) values ('@plenty', 130) on conflict do nothing`
  expect(await countNewFor(member)).toEqual({ Many: 100 })
})

test('a search that no longer works says why, and the others continue', async () => {
  const member = await aMember(pool.ctx)
  const gone = await aGenre(pool.ctx, 'Passing Fad')
  await save(member, 'A: by id', { genre_id: gone })
  await save(member, 'B: by name', { searchTerm: 'genre:"passing fad"' })
  await save(member, 'C: by words', { searchTerm: 'comet' })
  await pool.ctx.sql`delete from genre where genre_id = ${gone}`
  await aSong(pool.ctx, { title: 'Comet', artist: 'Tail' })
  expect(await listFor(member)).toMatchObject([
    { error_message: 'The genre in this search no longer exists.', new_songs: 0 },
    { error_message: expect.stringContaining('No genre matches “passing fad”'), new_songs: 0 },
    { error_message: '', new_songs: 1 },
  ])
})

test('refuses to save an empty or invalid search', async () => {
  const member = await aMember(pool.ctx)
  expect(await errorOf(save(member, 'Short', { searchTerm: 'mi' }))).toMatchObject({ code: 'query_too_short' })
  expect(await errorOf(save(member, 'Signs', { searchTerm: '&&&&' }))).toMatchObject({ code: 'query_too_short' })
  expect(await errorOf(save(member, 'Wrong', { searchTerm: 'bpm:fast' }))).toMatchObject({ code: 'invalid_filter' })
  expect(await errorOf(save(member, '  '))).toMatchObject({ code: 'invalid_request', message: 'Enter a name.' })
  expect(await errorOf(save(member, 'Nothing', { searchTerm: 'mid\0night' }))).toMatchObject({
    code: 'invalid_request',
  })
  expect(await listFor(member)).toEqual([])
})

test('a name is unique per member, ignoring case', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const { saved_search_id } = await save(member, 'Friday')
  await save(other, 'Friday')
  expect(await errorOf(save(member, 'FRIDAY'))).toMatchObject({ status: 409, code: 'name_taken' })
  const second = await save(member, 'Saturday')
  const renamed = change(member, second.saved_search_id, { name: 'friday' })
  expect(await errorOf(renamed)).toMatchObject({ code: 'name_taken' })
  expect(await change(member, saved_search_id, { name: 'FRIDAY' })).toMatchObject({ name: 'FRIDAY', by_email: false })
})

test('a member can save fifty searches, also if the last two are saved at once', async () => {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`
    insert into saved_search (customer_id, name, query)
    select ${member.customer_id}, 'No ' || n, ${pool.ctx.sql.json({ searchTerm: 'midnight', genre_id: null, SongEntitySearch: { title: '', artist: '', bpm: '', song_key: '', year: '' }, versions: [], not_downloaded: false, song_section_id: 1 })}
    from generate_series(1, 49) n`
  const both = await Promise.allSettled([save(member, 'Fiftieth'), save(member, 'One too many')])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await errorOf(save(member, 'Another'))).toMatchObject({ status: 422, code: 'too_many_searches' })
  expect(await listFor(member)).toHaveLength(50)
})

test('only its member can see, change, open and remove a search', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const { saved_search_id } = await save(member, 'Mine')
  const tries = [
    () => change(other, saved_search_id, { name: 'Yours' }),
    () => pool.ask(savedSearches.markSeen, { saved_search_id }, other.token),
    () => pool.ask(savedSearches.removeSearch, { saved_search_id }, other.token),
  ]
  for (const attempt of tries) expect(await errorOf(attempt())).toMatchObject({ status: 404, code: 'unknown_search' })
  expect(await change(member, saved_search_id, { by_email: true })).toMatchObject({ name: 'Mine', by_email: true })
  await pool.ask(savedSearches.removeSearch, { saved_search_id }, member.token)
  expect(await listFor(member)).toEqual([])
})

test('opening or removing a search marks its notification as read', async () => {
  const member = await aMember(pool.ctx)
  const createNotification = (subject: string) =>
    notify(pool.ctx.sql, { customer_id: member.customer_id, kind: 'search', text: 'x', address: '/', about: subject })
  const unread = async () => (await pool.ask(notices.countUnread, {}, member.token)).unread
  const [first, second] = [await save(member, 'First'), await save(member, 'Second')]
  for (const { saved_search_id } of [first, second]) await createNotification(`search ${saved_search_id}`)
  await pool.ask(savedSearches.markSeen, { saved_search_id: first.saved_search_id }, member.token)
  expect(await unread()).toBe(1)
  await pool.ask(savedSearches.removeSearch, { saved_search_id: second.saved_search_id }, member.token)
  expect(await unread()).toBe(0)
})

test('a member’s data export has their searches without the feed URLs; they are deleted with the account', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Mine')
  const [savedSearch] = savedSearchesData
  const rows: unknown[] = []
  for await (const row of savedSearch?.read(pool.ctx.sql, member.customer_id) ?? []) rows.push(row)
  expect(rows).toMatchObject([{ name: 'Mine', query: expect.stringContaining('midnight') }])
  expect(JSON.stringify(rows)).not.toContain('feed')
  await savedSearch?.deleteData?.(pool.ctx.sql, member.customer_id)
  expect(await listFor(member)).toEqual([])
})
