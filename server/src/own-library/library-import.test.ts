import { ownLibrary } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEntry, importLibrary, matchAll, sendLibrary } from '../../test/library-makers.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { matchOldLibraries, sweepImports } from './libraries.ts'
import { matchNext } from './matching.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
const overviewOf = ({ token }: Member) => pool.ask(ownLibrary.getLibraries, {}, token)
const matchesOf = (
  { token }: Member,
  state: ownLibrary.MatchState,
  more: { library_id?: number; search?: string } = {},
) => pool.ask(ownLibrary.getMatches, { state, ...more }, token)
const entriesNamed = (...titles: string[]) => titles.map((title) => anEntry({ artist: 'Zorblax', title }))
const numbered = (count: number) => entriesNamed(...Array.from({ length: count }, (_, n) => `Zzyx ${n}`))

test('imports a library in parts and matches it with the pool', async () => {
  const member = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Night Bus', artist: 'Kwame Ofori', versions: ['Clean', 'Dirty'] })
  const { artist } = song
  const entries = [
    anEntry({ artist, title: 'Night Bus (Dirty)' }),
    anEntry({ artist, title: 'Nigth Bsu' }),
    ...numbered(600),
  ]
  const sent = await sendLibrary(pool, member, entries)
  expect(sent).toMatchObject({ name: 'My library', format: 'rekordbox', state: 'matching', entries: 602, done: 0 })
  expect(await overviewOf(member)).toMatchObject({ libraries: [], imports: [{ library_id: sent.library_id }] })
  await matchAll(pool)
  expect(await overviewOf(member)).toMatchObject({
    libraries: [{ library_id: sent.library_id, entries: 602, matched: 1, to_review: 1, not_found: 600 }],
    imports: [],
    songs: { in_library: 1, downloaded: 0, owned: 1 },
  })
  const matched = await matchesOf(member, 'matched')
  expect(matched).toMatchObject({
    matches: [{ reason: 'name', entity_id: song.entity_id, song_version_id: song.versionIds[1], decision: null }],
    songs: [{ entity_id: song.entity_id }],
    pagination: { totalCount: 1 },
  })
  const review = await matchesOf(member, 'review')
  expect(review).toMatchObject({
    matches: [{ title: 'Nigth Bsu', entity_id: null, candidates: [{ entity_id: song.entity_id }] }],
    songs: [{ entity_id: song.entity_id }],
  })
  const missing = await matchesOf(member, 'not_found')
  expect(missing).toMatchObject({ songs: [], pagination: { totalCount: 600, perPageLimit: 50 } })
  expect(missing.matches.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => `Zzyx ${n}`))
  const { matches } = await matchesOf(member, 'not_found', { search: 'zzyx 599' })
  expect(matches).toMatchObject([{ title: 'Zzyx 599', file_name: 'Zorblax - Zzyx 599.mp3', folder: 'Music/Sets' }])
})

test('accepts parts in any order and twice', async () => {
  const member = await aMember(pool.ctx)
  const entries = numbered(3)
  const send = async (offset: number, library_id?: number) =>
    (
      await pool.ask(
        ownLibrary.importCollection,
        { library_id, name: 'Parts', format: 'm3u', total: 3, offset, entries: [entries[offset]!] },
        member.token,
      )
    ).import
  const { library_id } = await send(2)
  expect(await send(2, library_id)).toMatchObject({ state: 'receiving', done: 1 })
  await send(0, library_id)
  expect(await send(1, library_id)).toMatchObject({ state: 'matching' })
  await matchAll(pool)
  expect(await send(1, library_id)).toMatchObject({ state: 'ready' })
  const { matches } = await matchesOf(member, 'not_found')
  expect(matches.map(({ title }) => title)).toEqual(['Zzyx 0', 'Zzyx 1', 'Zzyx 2'])
})

test('a library of the same name is replaced once the new one is matched, not before', async () => {
  const member = await aMember(pool.ctx)
  const first = await importLibrary(pool, member, entriesNamed('Old'), { name: 'Traktor' })
  // A half-sent import, and the one that replaces it.
  const half = { name: 'TRAKTOR', format: 'traktor', total: 2, offset: 0, entries: entriesNamed('Half') } as const
  await pool.ask(ownLibrary.importCollection, half, member.token)
  expect(await overviewOf(member)).toMatchObject({
    libraries: [{ library_id: first }],
    imports: [{ state: 'receiving', done: 1 }],
  })
  const sent = await sendLibrary(pool, member, entriesNamed('New', 'Newer'), { name: 'traktor' })
  expect((await overviewOf(member)).imports).toHaveLength(1)
  expect((await matchesOf(member, 'not_found')).matches).toMatchObject([{ title: 'Old' }])
  await matchAll(pool)
  expect(await overviewOf(member)).toMatchObject({
    libraries: [{ library_id: sent.library_id, entries: 2 }],
    imports: [],
  })
  expect((await matchesOf(member, 'not_found')).matches.map(({ title }) => title)).toEqual(['New', 'Newer'])
})

test('continues where it was stopped', async () => {
  const member = await aMember(pool.ctx)
  const { library_id } = await sendLibrary(pool, member, numbered(450))
  await pool.ctx.sql`update own_library set done = 200 where library_id = ${library_id}`
  await matchNext(pool.ctx, AbortSignal.abort())
  expect((await overviewOf(member)).imports).toMatchObject([{ done: 200, state: 'matching' }])
  await matchAll(pool)
  const [counted] = await pool.ctx.sql<{ n: number }[]>`
    select count(*)::int as n from own_library_entry where library_id = ${library_id} and found is not null`
  expect(counted).toEqual({ n: 250 })
})

test('gives up after three attempts, and offers the library again', async () => {
  const member = await aMember(pool.ctx)
  const { library_id } = await sendLibrary(pool, member, numbered(1))
  await pool.ctx.sql`update own_library set attempts = 3 where library_id = ${library_id}`
  await matchAll(pool)
  expect((await overviewOf(member)).imports).toMatchObject([{ library_id, state: 'failed' }])
  expect(await pool.ask(ownLibrary.matchAgain, { library_id }, member.token)).toMatchObject({
    imports: [{ state: 'matching', done: 0 }],
  })
  await matchAll(pool)
  expect((await overviewOf(member)).libraries).toMatchObject([{ library_id, not_found: 1 }])
})

test('finds songs that were added later when a library is compared again, each week by itself', async () => {
  const member = await aMember(pool.ctx)
  const library_id = await importLibrary(pool, member, [anEntry({ artist: 'Late Artist', title: 'Coming Soon' })])
  expect((await overviewOf(member)).libraries).toMatchObject([{ not_found: 1 }])
  const song = await aSong(pool.ctx, { artist: 'Late Artist', title: 'Coming Soon' })
  await matchOldLibraries(pool.ctx.sql)
  await matchAll(pool)
  expect((await overviewOf(member)).libraries).toMatchObject([{ not_found: 1 }])
  await pool.ctx.sql`update own_library set matched_at = now() - interval '7 days' where library_id = ${library_id}`
  await matchOldLibraries(pool.ctx.sql)
  expect(await overviewOf(member)).toMatchObject({
    libraries: [{ library_id }],
    imports: [{ library_id, state: 'matching' }],
  })
  await matchAll(pool)
  expect((await matchesOf(member, 'matched')).matches).toMatchObject([{ entity_id: song.entity_id }])
})

test('a download that is stored as a profile says is certain', async () => {
  const member = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { artist: 'Path Artist', title: 'By Path', versions: ['Clean', 'Dirty'] })
  const { sql } = pool.ctx
  await sql`
    insert into download_grant (customer_id, song_version_id, allowed, used)
    values (${member.customer_id}, ${song.versionIds[1]!}, 2, 1)`
  const settings = {
    ...{ system: 'macos', software: 'rekordbox', music_folder: '/Users/me/Music', folder_template: '{artist}' },
    file_template: '{title} {version}',
  }
  await sql`
    insert into download_profile (customer_id, name, settings, is_default)
    values (${member.customer_id}, 'Mac', ${sql.json(settings)}, true)`
  const path = ['Music', 'Path Artist', 'By Path Dirty.mp3']
  await importLibrary(pool, member, [
    anEntry({ title: 'Renamed by me', path_parts: path, file_name: path[2]! }),
    anEntry({ title: 'Renamed by me too', file: 'By Path Dirty.mp3' }),
  ])
  expect((await matchesOf(member, 'matched')).matches).toMatchObject([
    { reason: 'path', confidence: 1, song_version_id: song.versionIds[1] },
  ])
})

test('deletes a library with its matches, and cancels an import', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const song = await aSong(pool.ctx, { artist: 'Delete Artist', title: 'Gone' })
  const library_id = await importLibrary(pool, member, [anEntry(song)])
  expect(await errorOf(pool.ask(ownLibrary.removeCollection, { library_id }, other.token))).toMatchObject({
    code: 'unknown_library',
  })
  const sent = await sendLibrary(pool, member, numbered(1), { name: 'Cancelled' })
  await pool.ask(ownLibrary.removeCollection, { library_id: sent.library_id }, member.token)
  expect(await matchNext(pool.ctx, new AbortController().signal)).toBe(false)
  const overview = await pool.ask(ownLibrary.removeCollection, { library_id }, member.token)
  expect(overview).toEqual({ libraries: [], imports: [], songs: { in_library: 0, downloaded: 0, owned: 0 } })
})

test('limits the number of libraries and of their files', async () => {
  const member = await aMember(pool.ctx)
  const send = (name: string, total = 1) =>
    pool.ask(ownLibrary.importCollection, { name, format: 'm3u', total, offset: 0, entries: numbered(1) }, member.token)
  await send('Large', 99_990)
  expect(await errorOf(send('Too large', 11))).toMatchObject({
    code: 'library_too_large',
    message:
      'Your libraries can have 100,000 files together, and 10 are left. Delete a library, or import a smaller one.',
  })
  await send('large', 100_000)
  await pool.ctx.sql`
    insert into own_library (customer_id, name, format, entries)
    select ${member.customer_id}, 'Library ' || n, 'm3u', 1 from generate_series(1, 19) n`
  await pool.ctx.sql`update own_library set entries = 1 where customer_id = ${member.customer_id}`
  expect(await errorOf(send('One more'))).toMatchObject({ code: 'too_many_libraries' })
  await send('Library 3')
  const { import: sent } = await send('Library 4', 2)
  const beyond = {
    library_id: sent.library_id,
    name: 'Library 4',
    format: 'm3u',
    total: 2,
    offset: 1,
    entries: numbered(2),
  } as const
  expect(await errorOf(pool.ask(ownLibrary.importCollection, beyond, member.token))).toMatchObject({
    code: 'invalid_request',
  })
})

test('deletes imports that were not continued for a day', async () => {
  const member = await aMember(pool.ctx)
  const library_id = await importLibrary(pool, member, numbered(1), { name: 'Kept' })
  const half = { name: 'Half', format: 'm3u', total: 2, offset: 0, entries: numbered(1) } as const
  await pool.ask(ownLibrary.importCollection, half, member.token)
  await sweepImports(pool.ctx.sql)
  expect((await overviewOf(member)).imports).toHaveLength(1)
  await pool.ctx.sql`update own_library set started_at = now() - interval '25 hours'`
  await sweepImports(pool.ctx.sql)
  expect(await overviewOf(member)).toMatchObject({ libraries: [{ library_id }], imports: [] })
})
