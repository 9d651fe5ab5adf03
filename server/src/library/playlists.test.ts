import { player, playlists } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { openSession } from '../membership/session.ts'
import { sweepPlaylists } from './own-playlists.ts'

let pool: TestPool
/** Eight songs with files. */
let songs: Awaited<ReturnType<typeof aSong>>[]
let ids: number[]
beforeAll(async () => {
  pool = await openTestPool()
  songs = []
  for (let n = 0; n < 8; n++) songs.push(await aSong(pool.world))
  ids = songs.map((song) => song.entity_id)
})
afterAll(() => pool.close())

const idAt = (n: number) => ids[n] ?? 0

async function aStaffMember() {
  const member = await aMember(pool.world)
  await pool.world.sql`update customer set staff_role = 'curator' where customer_id = ${member.customer_id}`
  return member
}

type Wish = { title?: string; song_ids?: number[]; public?: boolean }
let made = 0
const aPlaylist = async (token: string, wish: Wish = {}) =>
  (await pool.ask(playlists.savePlaylist, { title: `Playlist ${++made}`, song_ids: ids.slice(0, 4), ...wish }, token))
    .playlist

/** So many published songs without files. */
async function manySongs(count: number): Promise<number[]> {
  const rows = await pool.world.sql<{ entity_id: number }[]>`
    insert into song (title, artist, song_identity)
    select 'Filler ' || n, 'Nobody', ${`filler ${++made} `} || n from generate_series(1, ${count}) n returning entity_id`
  return rows.map((row) => row.entity_id)
}

const view = (playlist_id: number, token: string, page = 1) =>
  pool.ask(playlists.viewPlaylist, { playlist_id, page }, token)
const songIds = async (playlist_id: number, token: string) => (await view(playlist_id, token)).song_ids
const change = (
  playlist_id: number,
  wish: { song_ids: number[]; action?: 'remove'; position?: number },
  token: string,
) => pool.ask(playlists.changePlaylistSongs, { playlist_id, ...wish }, token)
const move = (playlist_id: number, song_id: number, position: number, token: string) =>
  pool.ask(playlists.reorderPlaylist, { playlist_id, song_id, position }, token)
const remove = (playlist_id: number, token: string) => pool.ask(playlists.deletePlaylist, { playlist_id }, token)
const restore = (playlist_id: number, token: string) => pool.ask(playlists.restorePlaylist, { playlist_id }, token)
const rename = (playlist_id: number, title: string, token: string) =>
  pool.ask(playlists.savePlaylist, { playlist_id, title }, token)
const titles = async (token: string) =>
  (await pool.ask(playlists.getPlaylists, {}, token)).playlists.map((playlist) => playlist.title)
const placesOf = async (playlistId: number) =>
  (await pool.world.sql`select position from playlist_song where playlist_id = ${playlistId} order by position`).map(
    (row) => row.position,
  )
const setStatus = (entityId: number, status: 'published' | 'withdrawn') =>
  pool.world.sql`update song set status = ${status} where entity_id = ${entityId}`
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test('a playlist is made with songs in the order they were given', async () => {
  const { token } = await aMember(pool.world)
  const order = [3, 1, 2, 0, 4].map(idAt)
  const playlist = await aPlaylist(token, { title: '  Friday ', song_ids: [...order, idAt(1)] })
  expect(playlist).toMatchObject({ title: 'Friday', song_count: 5, mine: true, public: false })
  const shown = await view(playlist.playlist_id, token)
  expect(shown.song_ids).toEqual(order)
  expect(shown.songs.map((song) => song.entity_id)).toEqual(order)
  expect(playlist.images).toEqual(shown.songs.slice(0, 4).map((song) => song.image))
})

test('a playlist lasts as long as the first versions of its songs', async () => {
  const { token } = await aMember(pool.world)
  const [one, two] = [await aSong(pool.world, { versions: ['Clean', 'Dirty'] }), await aSong(pool.world)]
  const lasts = (versionId: number | undefined, seconds: number) =>
    pool.world.sql`update song_version set duration_seconds = ${seconds} where song_version_id = ${versionId ?? 0}`
  await lasts(one.versionIds[0], 200)
  await lasts(one.versionIds[1], 1000)
  await lasts(two.versionIds[0], 180)
  const playlist = await aPlaylist(token, { song_ids: [one.entity_id, two.entity_id] })
  expect(playlist.duration_seconds).toBe(380)
})

test('a member’s own playlists stand last changed first, the public ones of others by title', async () => {
  const [me, staff] = [await aMember(pool.world), await aStaffMember()]
  for (const title of ['zebra', 'Été', 'Apple']) await aPlaylist(staff.token, { title, public: true })
  await aPlaylist(staff.token, { title: 'A draft' })
  const first = await aPlaylist(me.token, { title: 'First' })
  await aPlaylist(me.token, { title: 'Second' })
  expect(await titles(me.token)).toEqual(['Second', 'First'])
  await change(first.playlist_id, { song_ids: [idAt(7)] }, me.token)
  expect(await titles(me.token)).toEqual(['First', 'Second'])
  const shown = (await pool.ask(playlists.getPlaylists, {}, me.token)).public_playlists
  expect(shown.map((playlist) => playlist.title)).toEqual(['Apple', 'Été', 'zebra'])
  expect(shown.every((playlist) => playlist.public && !playlist.mine)).toBe(true)
  const theirs = await pool.ask(playlists.getPlaylists, {}, staff.token)
  expect(theirs.playlists).toHaveLength(4)
  expect(theirs.public_playlists).toEqual([])
})

const everyCall = (playlist_id: number, token: string) => [
  () => view(playlist_id, token),
  () => rename(playlist_id, 'Mine now', token),
  () => change(playlist_id, { song_ids: [idAt(5)] }, token),
  () => change(playlist_id, { song_ids: [idAt(0)], action: 'remove' }, token),
  () => move(playlist_id, idAt(0), 2, token),
  () => remove(playlist_id, token),
  () => restore(playlist_id, token),
]

test('the private playlist of somebody else is as good as none, also for staff', async () => {
  const [me, staff] = [await aMember(pool.world), await aStaffMember()]
  const { playlist_id } = await aPlaylist(me.token)
  for (const call of everyCall(playlist_id, staff.token))
    expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'unknown_playlist' })
  expect(await songIds(playlist_id, me.token)).toEqual(ids.slice(0, 4))
})

test('a public playlist is shown to every member and changed by its owner alone', async () => {
  const [me, staff] = [await aMember(pool.world), await aStaffMember()]
  const { playlist_id } = await aPlaylist(staff.token, { public: true })
  const [look, ...changes] = everyCall(playlist_id, me.token)
  expect(await look?.()).toMatchObject({ playlist: { mine: false, public: true }, song_ids: ids.slice(0, 4) })
  for (const call of changes) expect(await refusalOf(call())).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await songIds(playlist_id, staff.token)).toEqual(ids.slice(0, 4))
})

test('only staff publish a playlist; anybody else is refused, not passed over', async () => {
  const [me, staff] = [await aMember(pool.world), await aStaffMember()]
  expect(await refusalOf(aPlaylist(me.token, { public: true }))).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await titles(me.token)).toEqual([])
  const { playlist_id, title } = await aPlaylist(staff.token)
  const publish = (wish: { public?: boolean }) =>
    pool.ask(playlists.savePlaylist, { playlist_id, title, ...wish }, staff.token)
  expect((await publish({ public: true })).playlist.public).toBe(true)
  expect((await publish({})).playlist.public).toBe(true)
  expect((await publish({ public: false })).playlist.public).toBe(false)
  expect(await refusalOf(view(playlist_id, me.token))).toMatchObject({ code: 'unknown_playlist' })
})

test('a member has each title once, whatever its case, also of letters with accents', async () => {
  const [me, other] = [await aMember(pool.world), await aMember(pool.world)]
  const { playlist_id } = await aPlaylist(me.token, { title: 'Été à Łódź' })
  const again = aPlaylist(me.token, { title: 'éTÉ  À łÓDŹ'.normalize('NFD') })
  expect(await refusalOf(again)).toEqual({
    status: 409,
    code: 'playlist_title_taken',
    message: 'You already have a playlist named “Été à Łódź”.',
  })
  await aPlaylist(other.token, { title: 'Été à Łódź' })
  const second = await aPlaylist(me.token, { title: 'Second' })
  expect(await refusalOf(rename(second.playlist_id, 'ÉTÉ À ŁÓDŹ', me.token))).toMatchObject({
    code: 'playlist_title_taken',
  })
  expect((await rename(playlist_id, 'ÉTÉ À ŁÓDŹ', me.token)).playlist.title).toBe('ÉTÉ À ŁÓDŹ')
})

test('of ten playlists made at once with one title there is one, and the others are refused in words', async () => {
  const { token } = await aMember(pool.world)
  const calls = upTo(10).map(() => aPlaylist(token, { title: 'Rush' }))
  const refused = await Promise.all(calls.map((call) => call.then(() => 'made').catch((error) => error.reply?.code)))
  expect(refused.toSorted()).toEqual(['made', ...upTo(9).map(() => 'playlist_title_taken')])
  expect(await titles(token)).toEqual(['Rush'])
})

test('a renamed playlist keeps its songs; songs are not given with a new name', async () => {
  const { token } = await aMember(pool.world)
  const { playlist_id } = await aPlaylist(token)
  await rename(playlist_id, 'Another name', token)
  expect(await songIds(playlist_id, token)).toEqual(ids.slice(0, 4))
  const both = pool.ask(playlists.savePlaylist, { playlist_id, title: 'Third', song_ids: [idAt(5)] }, token)
  expect(await refusalOf(both)).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('two hundred playlists are the most, whether made or restored', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const deleted = await aPlaylist(token)
  await remove(deleted.playlist_id, token)
  await pool.world.sql`
    insert into playlist (customer_id, title, folded_title)
    select ${customer_id}, 'List ' || n, 'list ' || n from generate_series(1, ${playlists.PLAYLIST_LIMIT - 1}) n`
  const last = await aPlaylist(token)
  for (const one of [() => aPlaylist(token), () => restore(deleted.playlist_id, token)]) {
    const refused = await refusalOf(one())
    expect(refused).toMatchObject({ status: 422, code: 'too_many_playlists' })
    expect(refused.message).toContain('200')
  }
  await remove(last.playlist_id, token)
  const calls = await Promise.allSettled([restore(deleted.playlist_id, token), ...upTo(5).map(() => aPlaylist(token))])
  expect(calls.filter((call) => call.status === 'fulfilled')).toHaveLength(1)
})

test('songs that are there already stay where they are, and only the new ones are counted', async () => {
  const { token } = await aMember(pool.world)
  const { playlist_id } = await aPlaylist(token, { song_ids: [0, 1].map(idAt) })
  const added = await change(playlist_id, { song_ids: [1, 2, 2, 0, 3].map(idAt) }, token)
  expect(added).toMatchObject({ changed: 2, playlist: { song_count: 4 } })
  expect(await songIds(playlist_id, token)).toEqual([0, 1, 2, 3].map(idAt))
  const before = added.playlist.changed_at
  const nothing = await change(playlist_id, { song_ids: [idAt(0)], position: 3 }, token)
  expect(nothing).toMatchObject({ changed: 0, playlist: { changed_at: before } })
  expect(await songIds(playlist_id, token)).toEqual([0, 1, 2, 3].map(idAt))
})

test('songs go before the place that is asked for, and a removal can be taken back', async () => {
  const { token } = await aMember(pool.world)
  const { playlist_id } = await aPlaylist(token)
  await change(playlist_id, { song_ids: [6, 7].map(idAt), position: 2 }, token)
  expect(await songIds(playlist_id, token)).toEqual([0, 6, 7, 1, 2, 3].map(idAt))
  expect(await change(playlist_id, { song_ids: [6, 7, 5].map(idAt), action: 'remove' }, token)).toMatchObject({
    changed: 2,
  })
  expect(await placesOf(playlist_id)).toEqual(upTo(4))
  await change(playlist_id, { song_ids: [6, 7].map(idAt), position: 2 }, token)
  await change(playlist_id, { song_ids: [idAt(5)], position: 500 }, token)
  expect(await songIds(playlist_id, token)).toEqual([0, 6, 7, 1, 2, 3, 5].map(idAt))
})

test('a song moves to the place that is asked for, forwards and backwards', async () => {
  const { token } = await aMember(pool.world)
  const { playlist_id } = await aPlaylist(token)
  expect((await move(playlist_id, idAt(0), 3, token)).song_ids).toEqual([1, 2, 0, 3].map(idAt))
  expect((await move(playlist_id, idAt(3), 1, token)).song_ids).toEqual([3, 1, 2, 0].map(idAt))
  expect((await move(playlist_id, idAt(1), 500, token)).song_ids).toEqual([3, 2, 0, 1].map(idAt))
  expect(await songIds(playlist_id, token)).toEqual([3, 2, 0, 1].map(idAt))
  expect(await refusalOf(move(playlist_id, idAt(7), 1, token))).toMatchObject({ status: 404, code: 'unknown_song' })
})

test('a song that is not in the pool is refused, and nothing is changed', async () => {
  const { token } = await aMember(pool.world)
  const { playlist_id } = await aPlaylist(token)
  const gone = await aSong(pool.world)
  await setStatus(gone.entity_id, 'withdrawn')
  for (const unknown of [999_999, gone.entity_id]) {
    const wrong = { song_ids: [idAt(6), unknown] }
    expect(await refusalOf(change(playlist_id, wrong, token))).toMatchObject({ status: 404, code: 'unknown_song' })
    expect(await refusalOf(aPlaylist(token, { title: 'Not made', ...wrong }))).toMatchObject({ code: 'unknown_song' })
  }
  expect(await songIds(playlist_id, token)).toEqual(ids.slice(0, 4))
  expect(await titles(token)).not.toContain('Not made')
})

test('a song that was withdrawn is neither shown nor counted, and comes back to its place', async () => {
  const { token } = await aMember(pool.world)
  const song = await aSong(pool.world)
  const order = [idAt(0), song.entity_id, idAt(1), idAt(2)]
  const { playlist_id } = await aPlaylist(token, { song_ids: order })
  await setStatus(song.entity_id, 'withdrawn')
  const without = await view(playlist_id, token)
  expect(without).toMatchObject({ playlist: { song_count: 3, duration_seconds: 3 }, pagination: { totalCount: 3 } })
  expect(without.song_ids).toEqual([0, 1, 2].map(idAt))
  expect(without.songs).toHaveLength(3)
  expect(without.playlist.images).toHaveLength(3)
  expect(await refusalOf(move(playlist_id, song.entity_id, 1, token))).toMatchObject({ code: 'unknown_song' })
  // Places are counted as they are shown.
  await change(playlist_id, { song_ids: [idAt(5)], position: 3 }, token)
  expect((await move(playlist_id, idAt(2), 1, token)).song_ids).toEqual([2, 0, 1, 5].map(idAt))
  await setStatus(song.entity_id, 'published')
  expect(await songIds(playlist_id, token)).toEqual([idAt(2), idAt(0), song.entity_id, idAt(1), idAt(5)])
  expect(await placesOf(playlist_id)).toEqual(upTo(5))
})

test('changes that come at once leave each song one place, from 1 on without gaps', async () => {
  const { token } = await aMember(pool.world)
  const { playlist_id } = await aPlaylist(token)
  const more = await manySongs(30)
  await Promise.all(
    [
      ...more.map((id, n) => change(playlist_id, { song_ids: [id], position: (n % 5) + 1 }, token)),
      ...upTo(20).map((n) => move(playlist_id, idAt(n % 4), (n % 6) + 1, token)),
      ...upTo(5).map(() => change(playlist_id, { song_ids: [4, 5].map(idAt) }, token)),
      change(playlist_id, { song_ids: [idAt(3)], action: 'remove' }, token),
    ].map((call) => call.catch((error) => expect(error.reply?.code).toBe('unknown_song'))),
  )
  expect(await placesOf(playlist_id)).toEqual(upTo(35))
  expect(new Set(await songIds(playlist_id, token))).toEqual(new Set([...more, ...[0, 1, 2, 4, 5].map(idAt)]))
})

test('a full playlist takes no more songs, but what is in it can be moved', async () => {
  const { token } = await aMember(pool.world)
  const many = await manySongs(playlists.PLAYLIST_SONG_LIMIT)
  const { playlist_id } = await aPlaylist(token, { song_ids: many })
  const refused = await refusalOf(change(playlist_id, { song_ids: [idAt(0)] }, token))
  expect(refused).toMatchObject({ status: 422, code: 'playlist_full' })
  expect(refused.message).toContain('500')
  expect(await change(playlist_id, { song_ids: many.slice(0, 3) }, token)).toMatchObject({ changed: 0 })
  expect((await move(playlist_id, many[499] ?? 0, 1, token)).song_ids[0]).toBe(many[499])
  await setStatus(many[7] ?? 0, 'withdrawn')
  expect(await change(playlist_id, { song_ids: [idAt(0)] }, token)).toMatchObject({ changed: 1 })
})

test('a playlist is shown a hundred songs a page, and whole as ids', async () => {
  const { token } = await aMember(pool.world)
  const many = await manySongs(130)
  const { playlist_id } = await aPlaylist(token, { song_ids: many })
  const last = await view(playlist_id, token, 2)
  expect(last.songs.map((song) => song.entity_id)).toEqual(many.slice(100))
  expect(last.song_ids).toEqual(many)
  expect(last.pagination).toEqual({ page: 2, perPageLimit: 100, totalCount: 130 })
  expect((await view(playlist_id, token, 3)).songs).toEqual([])
})

test('a playlist that was deleted is gone for everybody, and can be had back as it was', async () => {
  const { token } = await aMember(pool.world)
  const playlist = await aPlaylist(token)
  await remove(playlist.playlist_id, token)
  const calls = everyCall(playlist.playlist_id, token).slice(0, -1)
  for (const call of calls) expect(await refusalOf(call())).toMatchObject({ code: 'unknown_playlist' })
  expect(await titles(token)).toEqual([])
  const other = await aMember(pool.world)
  expect(await refusalOf(restore(playlist.playlist_id, other.token))).toMatchObject({ code: 'unknown_playlist' })
  expect((await restore(playlist.playlist_id, token)).playlist).toEqual(playlist)
  expect((await restore(playlist.playlist_id, token)).playlist).toEqual(playlist)
  expect(await songIds(playlist.playlist_id, token)).toEqual(ids.slice(0, 4))
})

test('a restored playlist whose title was given away meanwhile is numbered', async () => {
  const { token } = await aMember(pool.world)
  const restoredAfterAnother = async (title: string) => {
    const first = await aPlaylist(token, { title })
    await remove(first.playlist_id, token)
    await aPlaylist(token, { title: title.toUpperCase() })
    return (await restore(first.playlist_id, token)).playlist.title
  }
  expect(await restoredAfterAnother('Peak')).toBe('Peak (2)')
  await remove((await aPlaylist(token, { title: 'Late' })).playlist_id, token)
  await aPlaylist(token, { title: 'Late (2)' })
  expect(await restoredAfterAnother('Late')).toBe('Late (3)')
  expect(await restoredAfterAnother('l'.repeat(100))).toBe(`${'l'.repeat(96)} (2)`)
})

test('after a day a deleted playlist is gone for good, and the listens from it stay', async () => {
  const { sql } = pool.world
  const { token, customer_id } = await aMember(pool.world)
  const [old, recent, kept] = [await aPlaylist(token), await aPlaylist(token), await aPlaylist(token)]
  const song_version_id = songs[0]?.versionIds[0] ?? 0
  await pool.ask(
    player.songPlayed,
    { song_version_id, listen_key: 'from-old-one', playlist_id: old.playlist_id },
    token,
  )
  for (const { playlist_id } of [old, recent]) await remove(playlist_id, token)
  await sql`update playlist set deleted_at = now() - interval '25 hours' where playlist_id = ${old.playlist_id}`
  expect(await refusalOf(restore(old.playlist_id, token))).toMatchObject({ code: 'unknown_playlist' })
  await sweepPlaylists(sql)
  const left = await sql`select playlist_id from playlist where customer_id = ${customer_id} order by 1`
  expect(left.map((row) => row.playlist_id)).toEqual([recent.playlist_id, kept.playlist_id])
  expect(await sql`select playlist_id from listen where customer_id = ${customer_id}`).toMatchObject([
    { playlist_id: null },
  ])
})

test('visitors and applicants have no playlists', async () => {
  const { customer_id } = await aMember(pool.world, { application: 'pending' })
  const applicant = await openSession(pool.world.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
  const calls = [
    [playlists.getPlaylists, {}],
    [playlists.viewPlaylist, { playlist_id: 1 }],
    [playlists.savePlaylist, { title: 'Nobody’s' }],
    [playlists.deletePlaylist, { playlist_id: 1 }],
    [playlists.restorePlaylist, { playlist_id: 1 }],
    [playlists.changePlaylistSongs, { playlist_id: 1, song_ids: [1] }],
    [playlists.reorderPlaylist, { playlist_id: 1, song_id: 1, position: 1 }],
  ] as const
  for (const [call, input] of calls) {
    expect([call.path, (await pool.request(call, input)).statusCode]).toEqual([call.path, 401])
    expect([call.path, (await pool.request(call, input, applicant)).statusCode]).toEqual([call.path, 403])
  }
})

test('the public playlists last listened to are shown to everybody, and nobody is named', async () => {
  const [me, staff] = [await aMember(pool.world), await aStaffMember()]
  const play = ({ playlist_id }: { playlist_id: number }) => {
    const listen = { song_version_id: songs[0]?.versionIds[0] ?? 0, listen_key: `listen-${++made}` }
    return pool.ask(player.songPlayed, { ...listen, playlist_id }, me.token)
  }
  for (const n of upTo(6)) await play(await aPlaylist(staff.token, { title: `Public ${n}`, public: true }))
  await aPlaylist(staff.token, { title: 'Never heard', public: true })
  await play(await aPlaylist(me.token, { title: 'Mine alone' }))
  const gone = await aPlaylist(staff.token, { title: 'Deleted', public: true })
  await play(gone)
  await remove(gone.playlist_id, staff.token)
  const reply = await pool.ask(playlists.playlistsJustPlayed, {}, staff.token)
  expect(reply.playlists.map((playlist) => playlist.title)).toEqual([6, 5, 4, 3, 2].map((n) => `Public ${n}`))
  expect(reply.playlists.some((playlist) => playlist.mine)).toBe(false)
  const [heard] = await pool.world
    .sql`select max(at) as at from listen join playlist using (playlist_id) where title = 'Public 6'`
  expect(reply.playlists[0]?.played_at).toBe(heard?.at.toISOString())
  const forVisitors = await pool.request(playlists.playlistsJustPlayed, {})
  expect(forVisitors.json().data).toEqual(reply)
  for (const trace of ['customer', 'DJ ', '@']) expect(forVisitors.body).not.toContain(trace)
})
