import { account, curation, type InputOf, newsletter, playlists } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { refreshChart } from '../charts/chart-snapshots.ts'
import { sweepFollowedLists } from './followed-lists.ts'
import { moveFollowers } from './merged-genres.ts'

let pool: TestPool
let songs: number[]
beforeAll(async () => {
  pool = await openTestPool()
  songs = []
  for (let i = 0; i < 6; i += 1) songs.push((await aSong(pool.ctx)).entity_id)
})
afterAll(() => pool.close())

type Reference = InputOf<typeof newsletter.openFollowedList>

const follow = async (token: string, reference: Reference, isFollowed = true) =>
  (await pool.ask(newsletter.followList, { ...reference, follow: isFollowed }, token)).followed_lists
const followed = async (token: string) => (await pool.ask(newsletter.getMailing, {}, token)).followed_lists
const newCounts = async (token: string) => (await followed(token)).map(({ new_count }) => new_count)
const open = (token: string, reference: Reference) => pool.ask(newsletter.openFollowedList, reference, token)

async function aPublicPlaylist() {
  const staff = await aMember(pool.ctx, { staff_role: 'admin' })
  const { playlist } = await pool.ask(
    playlists.savePlaylist,
    { title: `Finds ${songs.length}`, song_ids: songs.slice(0, 2), public: true },
    staff.token,
  )
  return { staff, id: playlist.playlist_id }
}

async function aSpotlight(songIds = songs.slice(0, 2)) {
  const [list] = await pool.ctx.sql<{ id: number }[]>`
    insert into curated_list (title, created_by, published_at) values ('Warm up', 'Mara', now() - interval '1 day')
    returning curated_list_id as id`
  const id = list?.id ?? 0
  await pool.ctx.sql`
    insert into curated_list_song (curated_list_id, position, entity_id, added_at)
    select ${id}, n, entity_id, null from unnest(${songIds}::bigint[]) with ordinality songs (entity_id, n)`
  return id
}

test('a followed playlist shows how many songs were added since it was last opened', async () => {
  const { staff, id } = await aPublicPlaylist()
  const { token } = await aMember(pool.ctx)
  const list = { kind: 'playlist', id, chart_type: 'daily', song_section_id: 1, name: 'Finds 6', new_count: 0 }
  expect(await follow(token, { kind: 'playlist', id })).toEqual([list])
  await pool.ask(playlists.changePlaylistSongs, { playlist_id: id, song_ids: songs.slice(1, 4) }, staff.token)
  expect(await followed(token)).toEqual([{ ...list, new_count: 2 }])
  // Following it again does not mark them as seen, and moving songs does not make them new.
  await follow(token, { kind: 'playlist', id })
  expect(await newCounts(token)).toEqual([2])
  await open(token, { kind: 'playlist', id })
  await pool.ask(playlists.reorderPlaylist, { playlist_id: id, song_id: songs[3] ?? 0, position: 1 }, staff.token)
  expect(await newCounts(token)).toEqual([0])
  expect(await follow(token, { kind: 'playlist', id }, false)).toEqual([])
})

test('does not count unpublished songs', async () => {
  const { staff, id } = await aPublicPlaylist()
  const { token } = await aMember(pool.ctx)
  await follow(token, { kind: 'playlist', id })
  const { entity_id } = await aSong(pool.ctx)
  await pool.ask(playlists.changePlaylistSongs, { playlist_id: id, song_ids: [entity_id] }, staff.token)
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${entity_id}`
  expect(await newCounts(token)).toEqual([0])
})

test('a playlist made private or deleted is no longer shown', async () => {
  const { staff, id } = await aPublicPlaylist()
  const { token } = await aMember(pool.ctx)
  await follow(token, { kind: 'playlist', id })
  const publish = (isPublic: boolean) =>
    pool.ask(playlists.savePlaylist, { playlist_id: id, title: 'Finds', public: isPublic }, staff.token)
  await publish(false)
  expect(await followed(token)).toEqual([])
  expect(await errorOf(follow((await aMember(pool.ctx)).token, { kind: 'playlist', id }))).toMatchObject({
    code: 'unknown_playlist',
  })
  await publish(true)
  expect(await followed(token)).toHaveLength(1)
  await pool.ask(playlists.deletePlaylist, { playlist_id: id }, staff.token)
  expect(await followed(token)).toEqual([])
})

test('members cannot follow their own playlists', async () => {
  const { staff, id } = await aPublicPlaylist()
  expect(await errorOf(follow(staff.token, { kind: 'playlist', id }))).toMatchObject({ code: 'forbidden' })
})

test('a followed spotlight counts the songs that a curator adds, and is not shown while unpublished', async () => {
  const id = await aSpotlight()
  const { token } = await aMember(pool.ctx)
  const curator = await aMember(pool.ctx, { staff_role: 'admin' })
  expect(await follow(token, { kind: 'spotlight', id })).toMatchObject([{ id, name: 'Warm up', new_count: 0 }])
  const { list } = await pool.ask(curation.getList, { kind: 'spotlight', list_id: id }, curator.token)
  const { list: saved } = await pool.ask(
    curation.saveList,
    {
      ...{ kind: 'spotlight', list_id: id, version: list.version, title: list.title, created_by: list.created_by },
      entity_ids: songs.slice(0, 5).toReversed(),
    },
    curator.token,
  )
  expect(await newCounts(token)).toEqual([3])
  await open(token, { kind: 'spotlight', id })
  expect(await newCounts(token)).toEqual([0])
  await pool.ask(curation.unpublishList, { kind: 'spotlight', list_id: id, version: saved.version }, curator.token)
  expect(await followed(token)).toEqual([])
  expect(await errorOf(follow(token, { kind: 'spotlight', id }))).toMatchObject({ code: 'unknown_list' })
})

test('following a top 20 announces those that are published later', async () => {
  const publish = async (title: string) => {
    const [top20] = await pool.ctx.sql<{ id: number }[]>`
      insert into top20 (title) values (${title}) returning top20_track_id as id`
    return top20?.id ?? 0
  }
  const october = await publish('October')
  const { token } = await aMember(pool.ctx)
  expect(await follow(token, { kind: 'top20', id: october })).toMatchObject([{ id: october, new_count: 0 }])
  const november = await publish('November')
  expect(await followed(token)).toMatchObject([{ kind: 'top20', id: november, name: 'Monthly top 20', new_count: 1 }])
  await open(token, { kind: 'top20', id: october })
  expect(await newCounts(token)).toEqual([1])
  await open(token, { kind: 'top20', id: november })
  expect(await newCounts(token)).toEqual([0])
  expect(await follow(token, { kind: 'top20', id: october }, false)).toEqual([])
})

test('a followed chart counts new entries, and keeps one that only changes its rank', async () => {
  const { sql } = pool.ctx
  const house = await aGenre(pool.ctx, 'House')
  const now = Date.now()
  const [first, second] = [await aSong(pool.ctx, { genres: [house] }), await aSong(pool.ctx, { genres: [house] })]
  const download = (entityId: number, n: number) => sql`
    insert into chart_count (period, start, entity_id, n)
    values ('day', date_trunc('day', now(), 'UTC'), ${entityId}, ${n})`
  await download(first.entity_id, 1)
  await refreshChart(sql, 'weekly', new Date(now - 60_000))
  const { token } = await aMember(pool.ctx)
  const reference = { kind: 'chart', chart_type: 'weekly', id: house } as const
  expect(await follow(token, reference)).toMatchObject([{ id: house, name: 'Weekly chart, House', new_count: 0 }])
  await follow(token, { ...reference, song_section_id: 0 })
  await download(second.entity_id, 2)
  await refreshChart(sql, 'weekly', new Date(now + 60_000))
  expect(await followed(token)).toMatchObject([
    { name: 'Weekly chart, House (songs and kuts)', song_section_id: 0, new_count: 1 },
    { name: 'Weekly chart, House', song_section_id: 1, new_count: 1 },
  ])
  await sql`update followed_list set opened_at = now() + interval '2 minutes'`
  await refreshChart(sql, 'weekly', new Date(now + 180_000))
  expect(await newCounts(token)).toEqual([0, 0])
  await moveFollowers(sql, house, await aGenre(pool.ctx, 'Tech House'))
  expect((await followed(token)).map(({ name }) => name)).toEqual([
    ...['Weekly chart, Tech House (songs and kuts)', 'Weekly chart, Tech House'],
  ])
  expect(await errorOf(follow(token, { ...reference, id: 999_999 }))).toMatchObject({ code: 'unknown_genre' })
})

test('a member can follow a limited number of lists', async () => {
  const id = await aSpotlight()
  const { token, customer_id } = await aMember(pool.ctx)
  await pool.ctx.sql`
    insert into followed_list (customer_id, kind, list_id)
    select ${customer_id}, 'playlist', 1000000 + n from generate_series(1, ${newsletter.FOLLOW_LIMIT}::int) n`
  expect(await errorOf(follow(token, { kind: 'spotlight', id }))).toMatchObject({
    code: 'too_many_followed',
    status: 422,
  })
  await pool.ctx.sql`delete from followed_list where customer_id = ${customer_id} and list_id = 1000001`
  expect(await follow(token, { kind: 'spotlight', id })).toHaveLength(1)
  expect(await follow(token, { kind: 'spotlight', id })).toHaveLength(1)
})

test('what members followed is deleted once the list no longer exists, and with their account', async () => {
  const password = 'a good long password'
  const [kept, deleted] = [await aSpotlight(), await aSpotlight([])]
  const { token, customer_id } = await aMember(pool.ctx, { password })
  await follow(token, { kind: 'spotlight', id: kept })
  await follow(token, { kind: 'spotlight', id: deleted })
  await pool.ctx.sql`delete from curated_list where curated_list_id = ${deleted}`
  await sweepFollowedLists(pool.ctx.sql)
  const stored = async () =>
    (await pool.ctx.sql`select list_id from followed_list where customer_id = ${customer_id}`).map((row) => row.list_id)
  expect(await stored()).toEqual([kept])
  await pool.ask(account.deleteAccount, { password }, token)
  expect(await stored()).toEqual([])
})
