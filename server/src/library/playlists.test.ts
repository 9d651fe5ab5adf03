import { player, playlists } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { openSession } from '../membership/session.ts'
import { libraryData } from './own-data.ts'
import { sweepPlaylists } from './own-playlists.ts'

let pool: TestPool
/** Eight songs with files. */
let songs: Awaited<ReturnType<typeof aSong>>[]
let ids: number[]
beforeAll(async () => {
  pool = await openTestPool()
  songs = []
  for (let n = 0; n < 8; n++) songs.push(await aSong(pool.ctx))
  ids = songs.map((song) => song.entity_id)
})
afterAll(() => pool.close())

const idAt = (n: number) => ids[n] ?? 0

async function aStaffMember() {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set staff_role = 'curator' where customer_id = ${member.customer_id}`
  return member
}

type PlaylistOverrides = { title?: string; description?: string; song_ids?: number[]; public?: boolean }
let createdPlaylist = 0
const aPlaylist = async (token: string, overrides: PlaylistOverrides = {}) =>
  (
    await pool.ask(
      playlists.savePlaylist,
      { title: `Playlist ${++createdPlaylist}`, song_ids: ids.slice(0, 4), ...overrides },
      token,
    )
  ).playlist

/** Adds published songs without files. */
async function createSongs(count: number): Promise<number[]> {
  const rows = await pool.ctx.sql<{ entity_id: number }[]>`
    insert into song (title, artist, song_identity)
    select 'Filler ' || n, 'Nobody', ${`filler ${++createdPlaylist} `} || n from generate_series(1, ${count}) n returning entity_id`
  return rows.map((row) => row.entity_id)
}

const view = (playlist_id: number, token: string, page = 1) =>
  pool.ask(playlists.viewPlaylist, { playlist_id, page }, token)
const songIds = async (playlist_id: number, token: string) => (await view(playlist_id, token)).song_ids
const change = (
  playlist_id: number,
  overrides: { song_ids: number[]; action?: 'remove'; position?: number },
  token: string,
) => pool.ask(playlists.changePlaylistSongs, { playlist_id, ...overrides }, token)
const move = (playlist_id: number, song_id: number, position: number, token: string) =>
  pool.ask(playlists.reorderPlaylist, { playlist_id, song_id, position }, token)
const remove = (playlist_id: number, token: string) => pool.ask(playlists.deletePlaylist, { playlist_id }, token)
const restore = (playlist_id: number, token: string) => pool.ask(playlists.restorePlaylist, { playlist_id }, token)
const rename = (playlist_id: number, title: string, token: string) =>
  pool.ask(playlists.savePlaylist, { playlist_id, title }, token)
const listTitles = async (token: string) =>
  (await pool.ask(playlists.getPlaylists, {}, token)).playlists.map((playlist) => playlist.title)
const listPositions = async (playlistId: number) =>
  (await pool.ctx.sql`select position from playlist_song where playlist_id = ${playlistId} order by position`).map(
    (row) => row.position,
  )
const setStatus = (entityId: number, status: 'published' | 'unpublished') =>
  pool.ctx.sql`update song set status = ${status} where entity_id = ${entityId}`
const rangeTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test('creates a playlist with songs in the given order', async () => {
  const { token } = await aMember(pool.ctx)
  const order = [3, 1, 2, 0, 4].map(idAt)
  const playlist = await aPlaylist(token, { title: '  Friday ', song_ids: [...order, idAt(1)] })
  expect(playlist).toMatchObject({ title: 'Friday', song_count: 5, mine: true, public: false })
  const shown = await view(playlist.playlist_id, token)
  expect(shown.song_ids).toEqual(order)
  expect(shown.songs.map((song) => song.entity_id)).toEqual(order)
  expect(playlist.images).toEqual(shown.songs.slice(0, 4).map((song) => song.image))
})

test('a playlist lasts as long as the first versions of its songs', async () => {
  const { token } = await aMember(pool.ctx)
  const [one, two] = [await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }), await aSong(pool.ctx)]
  const setDuration = (versionId: number | undefined, seconds: number) =>
    pool.ctx.sql`update song_version set duration_seconds = ${seconds} where song_version_id = ${versionId ?? 0}`
  await setDuration(one.versionIds[0], 200)
  await setDuration(one.versionIds[1], 1000)
  await setDuration(two.versionIds[0], 180)
  const playlist = await aPlaylist(token, { song_ids: [one.entity_id, two.entity_id] })
  expect(playlist.duration_seconds).toBe(380)
})

test('lists a member’s own playlists last changed first, and the public ones of others by title', async () => {
  const [me, staff] = [await aMember(pool.ctx), await aStaffMember()]
  for (const title of ['zebra', 'Été', 'Apple']) await aPlaylist(staff.token, { title, public: true })
  await aPlaylist(staff.token, { title: 'A draft' })
  const first = await aPlaylist(me.token, { title: 'First' })
  await aPlaylist(me.token, { title: 'Second' })
  expect(await listTitles(me.token)).toEqual(['Second', 'First'])
  await change(first.playlist_id, { song_ids: [idAt(7)] }, me.token)
  expect(await listTitles(me.token)).toEqual(['First', 'Second'])
  const shown = (await pool.ask(playlists.getPlaylists, {}, me.token)).public_playlists
  expect(shown.map((playlist) => playlist.title)).toEqual(['Apple', 'Été', 'zebra'])
  expect(shown.every((playlist) => playlist.public && !playlist.mine)).toBe(true)
  const otherPlaylists = await pool.ask(playlists.getPlaylists, {}, staff.token)
  expect(otherPlaylists.playlists).toHaveLength(4)
  expect(otherPlaylists.public_playlists).toEqual([])
})

const playlistCalls = (playlist_id: number, token: string) => [
  () => view(playlist_id, token),
  () => rename(playlist_id, 'Mine now', token),
  () => change(playlist_id, { song_ids: [idAt(5)] }, token),
  () => change(playlist_id, { song_ids: [idAt(0)], action: 'remove' }, token),
  () => move(playlist_id, idAt(0), 2, token),
  () => remove(playlist_id, token),
  () => restore(playlist_id, token),
]

test('reports a private playlist of someone else as unknown, also to staff', async () => {
  const [me, staff] = [await aMember(pool.ctx), await aStaffMember()]
  const { playlist_id } = await aPlaylist(me.token)
  for (const call of playlistCalls(playlist_id, staff.token))
    expect(await errorOf(call())).toMatchObject({ status: 404, code: 'unknown_playlist' })
  expect(await songIds(playlist_id, me.token)).toEqual(ids.slice(0, 4))
})

test('every member sees a public playlist, but only its owner can change it', async () => {
  const [me, staff] = [await aMember(pool.ctx), await aStaffMember()]
  const { playlist_id } = await aPlaylist(staff.token, { public: true })
  const [readCall, ...changes] = playlistCalls(playlist_id, me.token)
  expect(await readCall?.()).toMatchObject({ playlist: { mine: false, public: true }, song_ids: ids.slice(0, 4) })
  for (const call of changes) expect(await errorOf(call())).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await songIds(playlist_id, staff.token)).toEqual(ids.slice(0, 4))
})

test('only staff can publish a playlist; others are refused, not ignored', async () => {
  const [me, staff] = [await aMember(pool.ctx), await aStaffMember()]
  expect(await errorOf(aPlaylist(me.token, { public: true }))).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await listTitles(me.token)).toEqual([])
  const { playlist_id, title } = await aPlaylist(staff.token)
  const publish = (overrides: { public?: boolean }) =>
    pool.ask(playlists.savePlaylist, { playlist_id, title, ...overrides }, staff.token)
  expect((await publish({ public: true })).playlist.public).toBe(true)
  expect((await publish({})).playlist.public).toBe(true)
  expect((await publish({ public: false })).playlist.public).toBe(false)
  expect(await errorOf(view(playlist_id, me.token))).toMatchObject({ code: 'unknown_playlist' })
})

test('a member has each title once, regardless of case, also of letters with accents', async () => {
  const [me, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const { playlist_id } = await aPlaylist(me.token, { title: 'Été à Łódź' })
  const again = aPlaylist(me.token, { title: 'éTÉ  À łÓDŹ'.normalize('NFD') })
  expect(await errorOf(again)).toEqual({
    status: 409,
    code: 'playlist_title_taken',
    message: 'You already have a playlist named “Été à Łódź”.',
  })
  await aPlaylist(other.token, { title: 'Été à Łódź' })
  const second = await aPlaylist(me.token, { title: 'Second' })
  expect(await errorOf(rename(second.playlist_id, 'ÉTÉ À ŁÓDŹ', me.token))).toMatchObject({
    code: 'playlist_title_taken',
  })
  expect((await rename(playlist_id, 'ÉTÉ À ŁÓDŹ', me.token)).playlist.title).toBe('ÉTÉ À ŁÓDŹ')
})

test('creates only one of ten simultaneous playlists with the same title, and refuses the others', async () => {
  const { token } = await aMember(pool.ctx)
  const calls = rangeTo(10).map(() => aPlaylist(token, { title: 'Rush' }))
  const rejected = await Promise.all(calls.map((call) => call.then(() => 'made').catch((error) => error.reply?.code)))
  expect(rejected.toSorted()).toEqual(['made', ...rangeTo(9).map(() => 'playlist_title_taken')])
  expect(await listTitles(token)).toEqual(['Rush'])
})

test('a renamed playlist keeps its songs; songs cannot be added while renaming', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id } = await aPlaylist(token)
  await rename(playlist_id, 'Another name', token)
  expect(await songIds(playlist_id, token)).toEqual(ids.slice(0, 4))
  const both = pool.ask(playlists.savePlaylist, { playlist_id, title: 'Third', song_ids: [idAt(5)] }, token)
  expect(await errorOf(both)).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('limits a member to two hundred playlists, whether created or restored', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const deleted = await aPlaylist(token)
  await remove(deleted.playlist_id, token)
  await pool.ctx.sql`
    insert into playlist (customer_id, title, folded_title)
    select ${customer_id}, 'List ' || n, 'list ' || n from generate_series(1, ${playlists.PLAYLIST_LIMIT - 1}) n`
  const last = await aPlaylist(token)
  for (const one of [() => aPlaylist(token), () => restore(deleted.playlist_id, token)]) {
    const rejected = await errorOf(one())
    expect(rejected).toMatchObject({ status: 422, code: 'too_many_playlists' })
    expect(rejected.message).toContain('200')
  }
  await remove(last.playlist_id, token)
  const calls = await Promise.allSettled([
    restore(deleted.playlist_id, token),
    ...rangeTo(5).map(() => aPlaylist(token)),
  ])
  expect(calls.filter((call) => call.status === 'fulfilled')).toHaveLength(1)
})

test('existing songs stay where they are, and only new ones are counted', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id } = await aPlaylist(token, { song_ids: [0, 1].map(idAt) })
  const added = await change(playlist_id, { song_ids: [1, 2, 2, 0, 3].map(idAt) }, token)
  expect(added).toMatchObject({ changed: 2, playlist: { song_count: 4 } })
  expect(await songIds(playlist_id, token)).toEqual([0, 1, 2, 3].map(idAt))
  const before = added.playlist.changed_at
  const unchanged = await change(playlist_id, { song_ids: [idAt(0)], position: 3 }, token)
  expect(unchanged).toMatchObject({ changed: 0, playlist: { changed_at: before } })
  expect(await songIds(playlist_id, token)).toEqual([0, 1, 2, 3].map(idAt))
})

test('adds songs before the given position, and a removal can be undone', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id } = await aPlaylist(token)
  await change(playlist_id, { song_ids: [6, 7].map(idAt), position: 2 }, token)
  expect(await songIds(playlist_id, token)).toEqual([0, 6, 7, 1, 2, 3].map(idAt))
  expect(await change(playlist_id, { song_ids: [6, 7, 5].map(idAt), action: 'remove' }, token)).toMatchObject({
    changed: 2,
  })
  expect(await listPositions(playlist_id)).toEqual(rangeTo(4))
  await change(playlist_id, { song_ids: [6, 7].map(idAt), position: 2 }, token)
  await change(playlist_id, { song_ids: [idAt(5)], position: 500 }, token)
  expect(await songIds(playlist_id, token)).toEqual([0, 6, 7, 1, 2, 3, 5].map(idAt))
})

test('moves a song to the given position, forwards and backwards', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id } = await aPlaylist(token)
  expect((await move(playlist_id, idAt(0), 3, token)).song_ids).toEqual([1, 2, 0, 3].map(idAt))
  expect((await move(playlist_id, idAt(3), 1, token)).song_ids).toEqual([3, 1, 2, 0].map(idAt))
  expect((await move(playlist_id, idAt(1), 500, token)).song_ids).toEqual([3, 2, 0, 1].map(idAt))
  expect(await songIds(playlist_id, token)).toEqual([3, 2, 0, 1].map(idAt))
  expect(await errorOf(move(playlist_id, idAt(7), 1, token))).toMatchObject({ status: 404, code: 'unknown_song' })
})

test('refuses an unknown song and changes nothing', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id } = await aPlaylist(token)
  const removed = await aSong(pool.ctx)
  await setStatus(removed.entity_id, 'unpublished')
  for (const unknown of [999_999, removed.entity_id]) {
    const wrong = { song_ids: [idAt(6), unknown] }
    expect(await errorOf(change(playlist_id, wrong, token))).toMatchObject({ status: 404, code: 'unknown_song' })
    expect(await errorOf(aPlaylist(token, { title: 'Not made', ...wrong }))).toMatchObject({ code: 'unknown_song' })
  }
  expect(await songIds(playlist_id, token)).toEqual(ids.slice(0, 4))
  expect(await listTitles(token)).not.toContain('Not made')
})

test('an unpublished song is neither shown nor counted, and returns to its position when published again', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const order = [idAt(0), song.entity_id, idAt(1), idAt(2)]
  const { playlist_id } = await aPlaylist(token, { song_ids: order })
  await setStatus(song.entity_id, 'unpublished')
  const withoutHidden = await view(playlist_id, token)
  expect(withoutHidden).toMatchObject({
    playlist: { song_count: 3, duration_seconds: 3 },
    pagination: { totalCount: 3 },
  })
  expect(withoutHidden.song_ids).toEqual([0, 1, 2].map(idAt))
  expect(withoutHidden.songs).toHaveLength(3)
  expect(withoutHidden.playlist.images).toHaveLength(3)
  expect(await errorOf(move(playlist_id, song.entity_id, 1, token))).toMatchObject({ code: 'unknown_song' })
  // Positions are counted among visible songs.
  await change(playlist_id, { song_ids: [idAt(5)], position: 3 }, token)
  expect((await move(playlist_id, idAt(2), 1, token)).song_ids).toEqual([2, 0, 1, 5].map(idAt))
  await setStatus(song.entity_id, 'published')
  expect(await songIds(playlist_id, token)).toEqual([idAt(2), idAt(0), song.entity_id, idAt(1), idAt(5)])
  expect(await listPositions(playlist_id)).toEqual(rangeTo(5))
})

test('after simultaneous changes each song has one position, from 1 without gaps', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id } = await aPlaylist(token)
  const additionalSongs = await createSongs(30)
  await Promise.all(
    [
      ...additionalSongs.map((id, n) => change(playlist_id, { song_ids: [id], position: (n % 5) + 1 }, token)),
      ...rangeTo(20).map((n) => move(playlist_id, idAt(n % 4), (n % 6) + 1, token)),
      ...rangeTo(5).map(() => change(playlist_id, { song_ids: [4, 5].map(idAt) }, token)),
      change(playlist_id, { song_ids: [idAt(3)], action: 'remove' }, token),
    ].map((call) => call.catch((error) => expect(error.reply?.code).toBe('unknown_song'))),
  )
  expect(await listPositions(playlist_id)).toEqual(rangeTo(35))
  expect(new Set(await songIds(playlist_id, token))).toEqual(
    new Set([...additionalSongs, ...[0, 1, 2, 4, 5].map(idAt)]),
  )
})

test('a full playlist accepts no more songs, but its songs can be moved', async () => {
  const { token } = await aMember(pool.ctx)
  const many = await createSongs(playlists.PLAYLIST_SONG_LIMIT)
  const { playlist_id } = await aPlaylist(token, { song_ids: many })
  const rejected = await errorOf(change(playlist_id, { song_ids: [idAt(0)] }, token))
  expect(rejected).toMatchObject({ status: 422, code: 'playlist_full' })
  expect(rejected.message).toContain('500')
  expect(await change(playlist_id, { song_ids: many.slice(0, 3) }, token)).toMatchObject({ changed: 0 })
  expect((await move(playlist_id, many[499] ?? 0, 1, token)).song_ids[0]).toBe(many[499])
  await setStatus(many[7] ?? 0, 'unpublished')
  expect(await change(playlist_id, { song_ids: [idAt(0)] }, token)).toMatchObject({ changed: 1 })
})

test('returns a hundred songs per page, and the ids of all', async () => {
  const { token } = await aMember(pool.ctx)
  const many = await createSongs(130)
  const { playlist_id } = await aPlaylist(token, { song_ids: many })
  const last = await view(playlist_id, token, 2)
  expect(last.songs.map((song) => song.entity_id)).toEqual(many.slice(100))
  expect(last.song_ids).toEqual(many)
  expect(last.pagination).toEqual({ page: 2, perPageLimit: 100, totalCount: 130 })
  expect((await view(playlist_id, token, 3)).songs).toEqual([])
})

test('a deleted playlist is gone for everyone, and can be restored as it was', async () => {
  const { token } = await aMember(pool.ctx)
  const playlist = await aPlaylist(token)
  await remove(playlist.playlist_id, token)
  const calls = playlistCalls(playlist.playlist_id, token).slice(0, -1)
  for (const call of calls) expect(await errorOf(call())).toMatchObject({ code: 'unknown_playlist' })
  expect(await listTitles(token)).toEqual([])
  const other = await aMember(pool.ctx)
  expect(await errorOf(restore(playlist.playlist_id, other.token))).toMatchObject({ code: 'unknown_playlist' })
  expect((await restore(playlist.playlist_id, token)).playlist).toEqual(playlist)
  expect((await restore(playlist.playlist_id, token)).playlist).toEqual(playlist)
  expect(await songIds(playlist.playlist_id, token)).toEqual(ids.slice(0, 4))
})

test('numbers a restored playlist whose title has been used since', async () => {
  const { token } = await aMember(pool.ctx)
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

test('permanently deletes a playlist after a day, but keeps the listens from it', async () => {
  const { sql } = pool.ctx
  const { token, customer_id } = await aMember(pool.ctx)
  const [old, recent, kept] = [await aPlaylist(token), await aPlaylist(token), await aPlaylist(token)]
  const song_version_id = songs[0]?.versionIds[0] ?? 0
  await pool.ask(
    player.songPlayed,
    { song_version_id, listen_key: 'from-old-one', playlist_id: old.playlist_id },
    token,
  )
  for (const { playlist_id } of [old, recent]) await remove(playlist_id, token)
  await sql`update playlist set deleted_at = now() - interval '25 hours' where playlist_id = ${old.playlist_id}`
  expect(await errorOf(restore(old.playlist_id, token))).toMatchObject({ code: 'unknown_playlist' })
  await sweepPlaylists(sql)
  const left = await sql`select playlist_id from playlist where customer_id = ${customer_id} order by 1`
  expect(left.map((row) => row.playlist_id)).toEqual([recent.playlist_id, kept.playlist_id])
  expect(await sql`select playlist_id from listen where customer_id = ${customer_id}`).toMatchObject([
    { playlist_id: null },
  ])
})

test('visitors and applicants have no playlists', async () => {
  const { customer_id } = await aMember(pool.ctx, { application: 'pending' })
  const applicant = await openSession(pool.ctx.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
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

test('everyone sees the last played public playlists, without the names of listeners', async () => {
  const [me, staff] = [await aMember(pool.ctx), await aStaffMember()]
  const playPlaylist = ({ playlist_id }: { playlist_id: number }) => {
    const listen = { song_version_id: songs[0]?.versionIds[0] ?? 0, listen_key: `listen-${++createdPlaylist}` }
    return pool.ask(player.songPlayed, { ...listen, playlist_id }, me.token)
  }
  for (const n of rangeTo(6)) await playPlaylist(await aPlaylist(staff.token, { title: `Public ${n}`, public: true }))
  await aPlaylist(staff.token, { title: 'Never heard', public: true })
  await playPlaylist(await aPlaylist(me.token, { title: 'Mine alone' }))
  const removed = await aPlaylist(staff.token, { title: 'Deleted', public: true })
  await playPlaylist(removed)
  await remove(removed.playlist_id, staff.token)
  const reply = await pool.ask(playlists.playlistsJustPlayed, {}, staff.token)
  expect(reply.playlists.map((playlist) => playlist.title)).toEqual([6, 5, 4, 3, 2].map((n) => `Public ${n}`))
  expect(reply.playlists.some((playlist) => playlist.mine)).toBe(false)
  const [lastPlayed] = await pool.ctx
    .sql`select max(at) as at from listen join playlist using (playlist_id) where title = 'Public 6'`
  expect(reply.playlists[0]?.played_at).toBe(lastPlayed?.at.toISOString())
  const forVisitors = await pool.request(playlists.playlistsJustPlayed, {})
  expect(forVisitors.json().data).toEqual(reply)
  for (const trace of ['customer', 'DJ ', '@']) expect(forVisitors.body).not.toContain(trace)
})

test('saves the description of a playlist as one paragraph, and leaves it unchanged if it is omitted', async () => {
  const { token } = await aMember(pool.ctx)
  const { playlist_id, description } = await aPlaylist(token, { description: ' Slow\n and   deep. ' })
  expect(description).toBe('Slow and deep.')
  expect((await rename(playlist_id, 'Renamed', token)).playlist.description).toBe('Slow and deep.')
  const saveDescription = (text: string) =>
    pool.ask(playlists.savePlaylist, { playlist_id, title: 'Renamed', description: text }, token)
  const tooLong = saveDescription('x'.repeat(301))
  expect(await errorOf(tooLong)).toMatchObject({ code: 'invalid_request', message: 'Use at most 300 characters.' })
  expect((await view(playlist_id, token)).playlist.description).toBe('Slow and deep.')
  expect((await saveDescription('')).playlist.description).toBe('')
})

test('others see the description of a playlist only while it is public', async () => {
  const [me, staff] = [await aMember(pool.ctx), await aStaffMember()]
  const { playlist_id, title } = await aPlaylist(staff.token, { description: 'Only for us', public: false })
  const publish = (isPublic: boolean) =>
    pool.ask(playlists.savePlaylist, { playlist_id, title, public: isPublic }, staff.token)
  const shownToMember = async () => JSON.stringify(await pool.ask(playlists.getPlaylists, {}, me.token))
  expect(await errorOf(view(playlist_id, me.token))).toMatchObject({ code: 'unknown_playlist' })
  expect(await shownToMember()).not.toContain('Only for us')
  await publish(true)
  expect((await view(playlist_id, me.token)).playlist.description).toBe('Only for us')
  expect(await shownToMember()).toContain('Only for us')
  await publish(false)
  expect(await errorOf(view(playlist_id, me.token))).toMatchObject({ code: 'unknown_playlist' })
})

test('a member’s own data includes the descriptions of playlists', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const { title } = await aPlaylist(token, { description: 'For Friday' })
  const rows: unknown[] = []
  const data = libraryData.find(({ name }) => name === 'playlists')
  for await (const row of data?.read(pool.ctx.sql, customer_id) ?? []) rows.push(row)
  expect(rows).toMatchObject([{ title, description: 'For Friday' }])
})
