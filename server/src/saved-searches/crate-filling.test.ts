import { digging, library, notices, savedSearches } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { fillCrates } from './crate-filling.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from saved_search`
})

type Member = Awaited<ReturnType<typeof aMember>>

const save = async ({ token }: Member, searchTerm: string, fill_limit: number | null = 2) =>
  (await pool.ask(savedSearches.saveSearch, { name: searchTerm, query: { searchTerm }, fill_limit }, token)).search

/** Songs of an artist, the last one newest. */
async function songsOf(artist: string, count: number) {
  const songs = []
  for (let n = 1; n <= count; n++)
    songs.push(await aSong(pool.ctx, { title: `Part ${n}`, artist, created_at: new Date(Date.UTC(2026, 0, n)) }))
  return songs.map(({ entity_id }) => entity_id)
}

const crateOf = async ({ token }: Member) => (await pool.ask(library.crateIndex, {}, token)).list
const noticesOf = async ({ token }: Member) =>
  (await pool.ask(notices.getNotices, {}, token)).notices.map(({ text }) => text)
const passDays = (days: number) =>
  pool.ctx.sql`update saved_search set filled_at = filled_at - make_interval(days => ${days})`

test('adds the newest matches up to the limit, the next ones a week later, and says so', async () => {
  const member = await aMember(pool.ctx)
  const [first, second, third] = await songsOf('Weekly', 3)
  await save(member, 'weekly')
  await fillCrates(pool.ctx)
  expect(await crateOf(member)).toEqual([third, second])
  expect(await noticesOf(member)).toEqual(['2 songs added to your crate from “weekly”'])
  // A run that is repeated does nothing.
  await fillCrates(pool.ctx)
  expect(await crateOf(member)).toHaveLength(2)
  await passDays(7)
  await fillCrates(pool.ctx)
  expect(await crateOf(member)).toEqual([first, third, second])
  await passDays(7)
  await fillCrates(pool.ctx)
  expect(await noticesOf(member)).toEqual(['1 song added to your crate from “weekly”'])
})

test('leaves out songs that were downloaded, are in the crate, or were removed from it again', async () => {
  const member = await aMember(pool.ctx)
  const [removed, downloaded, collected, left] = await songsOf('Fresh', 4)
  const { sql } = pool.ctx
  await sql`
    insert into download_grant (customer_id, song_version_id, allowed, used)
    select ${member.customer_id}, song_version_id, 2, 1 from song_version where entity_id = ${downloaded!}`
  const { saved_search_id } = await save(member, 'fresh', 1)
  const fill = () => pool.ask(savedSearches.fillCrate, { saved_search_id }, member.token)
  await pool.ask(library.crateAddRemove, { songId: left! }, member.token)
  await pool.ask(library.crateAddRemove, { songId: collected! }, member.token)
  expect(await fill()).toEqual({ added: 1 })
  expect((await crateOf(member))[0]).toBe(removed)
  await pool.ask(library.crateAddRemove, { songId: removed! }, member.token)
  expect(await fill()).toEqual({ added: 0 })
})

test('leaves out what the member has muted', async () => {
  const member = await aMember(pool.ctx)
  const [muted, other] = await songsOf('Hushed', 2)
  await pool.ask(digging.changeMutes, { add: [{ kind: 'song', id: muted! }] }, member.token)
  const { saved_search_id } = await save(member, 'hushed')
  expect(await pool.ask(savedSearches.fillCrate, { saved_search_id }, member.token)).toEqual({ added: 1 })
  expect(await crateOf(member)).toEqual([other])
})

test('fills nothing for searches without a limit, and for members who cannot sign in', async () => {
  const [off, suspended] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await songsOf('Quiet', 1)
  const search = await save(off, 'quiet')
  const { token } = off
  const changed = await pool.ask(
    savedSearches.changeSearch,
    { saved_search_id: search.saved_search_id, fill_limit: null },
    token,
  )
  expect(changed.search).toMatchObject({ fill_limit: null, filled_at: null })
  await save(suspended, 'quiet')
  await pool.ctx.sql`update customer set status = 'suspended' where customer_id = ${suspended.customer_id}`
  await fillCrates(pool.ctx)
  expect(
    await pool.ctx
      .sql`select 1 from crate_item where customer_id = any(${[off, suspended].map((each) => each.customer_id)}::bigint[])`,
  ).toEqual([])
  const renamed = await pool.ask(
    savedSearches.changeSearch,
    { saved_search_id: search.saved_search_id, fill_limit: 50, name: 'Kept' },
    token,
  )
  expect(renamed.search).toMatchObject({ fill_limit: 50, name: 'Kept' })
})

test('a full crate is left as it is, and the member is told', async () => {
  const member = await aMember(pool.ctx)
  await songsOf('Overflow', 1)
  const search = await save(member, 'overflow')
  const { sql } = pool.ctx
  const song = await aSong(pool.ctx, { title: 'Filler', artist: 'Other' })
  await sql`
    insert into song_version (entity_id, version_kind_id, version_label, file_id, recipe, duration_seconds)
    select ${song.entity_id}, 1, 'Copy ' || n, null, '{}', 1 from generate_series(1, ${library.CRATE_LIMIT}) n`
  await sql`
    insert into crate_item (customer_id, entity_id, song_version_id)
    select ${member.customer_id}, entity_id, song_version_id from song_version
    where entity_id = ${song.entity_id} and file_id is null`
  await fillCrates(pool.ctx)
  expect(await noticesOf(member)).toEqual(['Your crate is full, so no songs were added from “overflow”'])
  const { saved_search_id } = search
  const now = pool.ask(savedSearches.fillCrate, { saved_search_id }, member.token)
  expect(await errorOf(now)).toMatchObject({ code: 'crate_full' })
})
