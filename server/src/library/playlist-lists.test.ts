import { type InputOf, playlists } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { normaliseTitle } from './own-playlists.ts'
import { MAX_MATCHES } from './playlist-lists.ts'

type Member = Awaited<ReturnType<typeof aMember>>

let pool: TestPool
let me: Member
let other: Member
beforeAll(async () => {
  pool = await openTestPool()
  ;[me, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
})
beforeEach(async () => {
  await pool.ctx.sql`delete from playlist`
})
afterAll(() => pool.close())

/** Adds playlists without songs; each was changed a minute before the next one. */
const addPlaylists = ({ customer_id }: Member, titles: string[], isPublic = false) =>
  pool.ctx.sql`
    insert into playlist (customer_id, title, folded_title, public, changed_at)
    select ${customer_id}, title, folded, ${isPublic}, '2026-11-20'::timestamptz + make_interval(mins => n::int)
    from unnest(${titles}::text[], ${titles.map(normaliseTitle)}::text[]) with ordinality as titles (title, folded, n)`
const list = (input: InputOf<typeof playlists.getPlaylists>, { token } = me) =>
  pool.ask(playlists.getPlaylists, input, token)
const titlesOf = (listed: readonly playlists.Playlist[]) => listed.map(({ title }) => title)
const searchPublic = async (search: string) => titlesOf((await list({ list: 'public', search })).public_playlists)
const searchOwn = async (search: string) => titlesOf((await list({ list: 'mine', search })).playlists)
const numbered = (title: string, count: number) => Array.from({ length: count }, (_, n) => `${title} ${n + 1}`)

test('a request without parameters gets the first page of both lists, and how many there are', async () => {
  await addPlaylists(me, numbered('Mine', 30))
  await addPlaylists(other, numbered('Set', 27), true)
  const reply = await list({})
  expect(titlesOf(reply.playlists)).toEqual(numbered('Mine', 30).reverse().slice(0, 24))
  expect(titlesOf(reply.public_playlists)).toEqual(numbered('Set', 24))
  expect(reply.pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 30 })
  expect(reply.public_pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 27 })
})

test('a request for one list gets only that one', async () => {
  await addPlaylists(me, ['Mine'])
  await addPlaylists(other, ['Theirs'], true)
  const [own, shared] = [await list({ list: 'mine' }), await list({ list: 'public' })]
  expect(own).toMatchObject({ playlists: [{ title: 'Mine' }], public_playlists: [] })
  expect(shared).toMatchObject({ playlists: [], public_playlists: [{ title: 'Theirs' }] })
  expect(own.public_pagination).toBeUndefined()
  expect(shared.pagination).toBeUndefined()
  const unknownList = list({ list: 'all' as 'mine' })
  expect(await errorOf(unknownList)).toMatchObject({ code: 'invalid_request', message: 'list must be mine or public.' })
})

test('the pages of five hundred playlists have each of them once, also of those changed at the same time', async () => {
  await addPlaylists(me, numbered('Mine', 500))
  await pool.ctx.sql`update playlist set changed_at = '2026-11-20'`
  const found: number[] = []
  for (let page = 1; page <= 6; page++) {
    const { playlists: own, pagination } = await list({ list: 'mine', page, pageLimit: 100 })
    expect(pagination).toEqual({ page, perPageLimit: 100, totalCount: 500 })
    expect(own).toHaveLength(page <= 5 ? 100 : 0)
    found.push(...own.map(({ playlist_id }) => playlist_id))
  }
  expect(new Set(found).size).toBe(500)
})

test('sorts public playlists by name regardless of case and accents, and numbers by value', async () => {
  const sorted = ['2 Step', '10 years', 'Apple', 'été', 'Été 2', 'Set 2', 'set 10', 'Set 10b', 'zebra']
  await addPlaylists(other, sorted.toReversed(), true)
  expect(titlesOf((await list({})).public_playlists)).toEqual(sorted)
  const paged = [1, 2, 3].map(async (page) => (await list({ list: 'public', page, pageLimit: 3 })).public_playlists)
  expect(titlesOf((await Promise.all(paged)).flat())).toEqual(sorted)
})

test('no list and no search has a private or deleted playlist of someone else', async () => {
  await addPlaylists(other, ['Secret set', 'Deleted set'])
  await addPlaylists(other, ['Shared set'], true)
  await pool.ctx.sql`update playlist set public = true, deleted_at = now() where title = 'Deleted set'`
  expect(titlesOf((await list({})).public_playlists)).toEqual(['Shared set'])
  for (const search of ['', 'set', 'secret', 'secret set', 'deleted', '🔥']) {
    const { playlists: own, public_playlists, pagination, public_pagination } = await list({ search })
    const shared = public_playlists.filter(({ title }) => title !== 'Shared set')
    expect([search, titlesOf(own), titlesOf(shared)]).toEqual([search, [], []])
    expect([pagination?.totalCount, public_pagination?.totalCount]).toEqual([0, public_playlists.length])
  }
})

test('a member’s own public playlists are only in their own list', async () => {
  await addPlaylists(me, ['By me'], true)
  for (const search of ['', 'by me', 'me']) {
    expect(await list({ search })).toMatchObject({ playlists: [{ title: 'By me', mine: true }], public_playlists: [] })
    expect((await list({ search }, other)).public_playlists).toMatchObject([{ title: 'By me', mine: false }])
  }
})

test('finds public playlists by the beginnings of words, those that equal or begin with the search first', async () => {
  const titles = ['Acid House', 'Afro-house', 'House 10', 'House 2', 'house', 'Lighthouse', 'Warm-up: House/Tech']
  await addPlaylists(other, titles, true)
  expect(await searchPublic('House')).toEqual([
    ...['house', 'House 2', 'House 10', 'Acid House', 'Afro-house', 'Warm-up: House/Tech'],
  ])
  expect(await searchPublic('hou ac')).toEqual(['Acid House'])
  expect(await searchPublic('afro ho')).toEqual(['Afro-house'])
  expect(await searchPublic('light')).toEqual(['Lighthouse'])
  expect(await searchPublic('warm tech')).toEqual(['Warm-up: House/Tech'])
  expect(await searchPublic('disco')).toEqual([])
})

test('finds a member’s own playlists also by a part of a word, the last changed first', async () => {
  await addPlaylists(me, ['Afrotech', 'Tech', 'Tech house', 'Rooftop tech'])
  expect(await searchOwn('tech')).toEqual(['Tech', 'Tech house', 'Rooftop tech', 'Afrotech'])
  expect(await searchOwn('tech top')).toEqual(['Rooftop tech'])
})

test('a search ignores case and accents, however they are encoded', async () => {
  const titles = ['Été à Paris', 'Mañana'.normalize('NFD'), 'ÅNGSTRÖM']
  await addPlaylists(other, titles, true)
  await addPlaylists(me, titles)
  for (const [search, title] of [
    ...[
      ['ete', titles[0]],
      ['ÉTÉ A', titles[0]],
      ['manana', titles[1]],
      ['mañ', titles[1]],
      ['angstrom', titles[2]],
    ],
  ] as [string, string][]) {
    expect([search, await searchPublic(search)]).toEqual([search, [title]])
    expect([search, await searchOwn(search)]).toEqual([search, [title]])
  }
})

test('a search without words is looked for as it is', async () => {
  const titles = ['🔥', 'Hot 🔥 set', '100 %', 'A_B', "Rock 'n' roll", 'Back\\slash']
  await addPlaylists(other, titles, true)
  await addPlaylists(me, titles)
  expect(await searchPublic('🔥')).toEqual(['🔥', 'Hot 🔥 set'])
  expect(await searchPublic('%')).toEqual(['100 %'])
  for (const search of [searchPublic, searchOwn]) {
    expect(await search('_')).toEqual(['A_B'])
    expect(await search("rock 'n'")).toEqual(["Rock 'n' roll"])
    expect(await search('\\')).toEqual(['Back\\slash'])
    expect(await search("' & !hot:* |")).toEqual(['Hot 🔥 set'])
  }
})

test('sorts and counts at most five hundred matches, and never misses names that begin with the search', async () => {
  await addPlaylists(other, numbered('Deep dub', MAX_MATCHES), true)
  expect((await list({ list: 'public', search: 'dub' })).public_pagination).toEqual({
    ...{ page: 1, perPageLimit: 24, totalCount: MAX_MATCHES },
  })
  await addPlaylists(other, ['Dub', 'Dub techno'], true)
  const reply = await list({ list: 'public', search: 'dub', pageLimit: 3 })
  expect(titlesOf(reply.public_playlists)).toEqual(['Dub', 'Dub techno', 'Deep dub 1'])
  expect(reply.public_pagination).toEqual({ page: 1, perPageLimit: 3, totalCount: MAX_MATCHES, more: true })
})

test('counts up to ten thousand public playlists', async () => {
  await pool.ctx.sql`
    insert into playlist (customer_id, title, folded_title, public)
    select ${other.customer_id}, 'Set ' || n, 'set ' || n, true from generate_series(1, 10001) n`
  expect((await list({ list: 'public', pageLimit: 1 })).public_pagination).toEqual({
    ...{ page: 1, perPageLimit: 1, totalCount: 10_000, more: true },
  })
})
