import { library, membership, player, playlists } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { parseFrameHeader } from '../audio-files/mp3-frame.ts'
import { saveBeatGrid } from '../media/beat-grids.ts'
import { hashToken } from '../membership/caller.ts'
import { openSession } from '../membership/session.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}, from = pool) =>
  from.app.inject({ method: 'GET', url, headers })

async function aPreview(seconds: number, from = pool) {
  const member = await aMember(from.ctx)
  const { entity_id } = await aSong(from.ctx, { seconds })
  await from.ask(library.favouriteAddRemove, { songId: entity_id }, member.token)
  const { songs } = await from.ask(library.favouriteIndex, { page: 1 }, member.token)
  const { profile } = await from.ask(membership.getProfile, {}, member.token)
  return {
    url: songs[0]?.version[0]?.mp3 ?? '',
    key: profile.media_key,
    versionId: songs[0]?.version[0]?.song_version_id ?? 0,
    token: member.token,
  }
}

/** The duration of the frames, up to the first byte of anything else. */
function secondsOf(mp3: Buffer): number {
  let seconds = 0
  for (let at = 0; at < mp3.length; ) {
    const header = parseFrameHeader(mp3, at)
    if (!header) break
    seconds += header.samples / header.sample_rate
    at += header.bytes
  }
  return seconds
}

test('a visitor hears a clip of 30 s, a member the whole song', async () => {
  const { url, key } = await aPreview(40)
  const clip = await get(url)
  expect([clip.statusCode, clip.headers['content-type']]).toEqual([200, 'audio/mpeg'])
  expect(secondsOf(clip.rawPayload)).toBeCloseTo(30, 0)
  const wholeFile = await get(`${url}?k=${key}`)
  expect(secondsOf(wholeFile.rawPayload)).toBeGreaterThan(39)
  expect((await get(`${url}?k=${key}x`)).rawPayload.length).toBe(clip.rawPayload.length)
})

test('a key plays the whole song during its session; within a minute after that it only plays a clip', async () => {
  const { url, key, token } = await aPreview(40)
  const plays = async () => secondsOf((await get(`${url}?k=${key}`)).rawPayload)
  expect(await plays()).toBeGreaterThan(39)
  await pool.ask(membership.signOut, {}, token)
  const { now } = pool.ctx
  pool.ctx.now = () => new Date(Date.now() + 61_000)
  expect(await plays()).toBeCloseTo(30, 0)
  pool.ctx.now = now
})

test('the key of a suspended member plays clips', async () => {
  const { url, key, token } = await aPreview(40)
  await pool.ctx.sql`
    update customer set status = 'suspended'
    where customer_id = (select customer_id from session where token_hash = ${hashToken(token)})`
  expect(secondsOf((await get(`${url}?k=${key}`)).rawPayload)).toBeCloseTo(30, 0)
})

test('supports seeking in a preview', async () => {
  const { url } = await aPreview(2)
  const part = await get(url, { range: 'bytes=1000-1999' })
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 1000])
})

test('a visitor’s clip begins at the preview start, with a whole frame; another start is another clip', async () => {
  const { url, key, versionId } = await aPreview(40)
  const requestFrom = (seconds: number) =>
    pool.ctx.sql`update song_version set preview_start_seconds = ${seconds} where song_version_id = ${versionId}`
  const wholeFile = (await get(`${url}?k=${key}`)).rawPayload
  const first = await get(url)
  await requestFrom(20)
  const clip = await get(url)
  expect(secondsOf(clip.rawPayload)).toBeCloseTo(20, 0)
  expect(clip.headers.etag).not.toBe(first.headers.etag)
  const part = await get(url, { range: 'bytes=1000-1999' })
  expect(part.rawPayload.equals(clip.rawPayload.subarray(1000, 2000))).toBe(true)
  expect((await get(`${url}?k=${key}`)).rawPayload.length).toBe(wholeFile.length)
  await requestFrom(4)
  expect(secondsOf((await get(url)).rawPayload)).toBeCloseTo(30, 0)
  await requestFrom(4_000)
  expect((await get(url)).rawPayload.equals(first.rawPayload)).toBe(true)
})

test('a member gets a part of a song, a visitor the clip instead', async () => {
  const { url, key } = await aPreview(40)
  const part = await get(`${url}?k=${key}&from=10&to=22`)
  expect([part.statusCode, part.headers['content-type']]).toEqual([200, 'audio/mpeg'])
  expect(secondsOf(part.rawPayload)).toBeCloseTo(12, 0)
  const range = await get(`${url}?k=${key}&from=10&to=22`, { range: 'bytes=1000-1999' })
  expect(range.rawPayload.equals(part.rawPayload.subarray(1000, 2000))).toBe(true)
  expect((await get(`${url}?k=${key}&from=11&to=22`)).headers.etag).not.toBe(part.headers.etag)
  expect((await get(`${url}?from=10&to=22`)).rawPayload.equals((await get(url)).rawPayload)).toBe(true)
})

test.each([
  ['from=22&to=10', 'whole seconds'],
  ['from=0&to=181', 'up to 180 apart'],
  ['from=1.5&to=10', 'whole seconds'],
  ['from=1', 'whole seconds'],
  ['from=41&to=50', 'no second 41'],
])('refuses the part “%s” of a song', async (query, message) => {
  const { url, key } = await aPreview(40)
  const refused = await get(`${url}?k=${key}&${query}`)
  expect(refused.statusCode).toBe(400)
  expect(refused.json().message).toContain(message)
})

test('returns an error for a URL with other or missing content', async () => {
  const { url } = await aPreview(1)
  expect((await get(url.replace(/-[0-9a-f]{12}/, '-0123456789ab'))).statusCode).toBe(404)
  expect((await get('/previews/999999-0123456789ab.mp3')).statusCode).toBe(404)
  expect((await get('/previews/x.mp3')).statusCode).toBe(404)
})

test('visitors hear nothing if public browsing is off', async () => {
  const closed = await openTestPool({ settings: { publicBrowsing: false } })
  try {
    const { url, key } = await aPreview(1, closed)
    expect((await get(url, {}, closed)).statusCode).toBe(401)
    expect((await get(`${url}?k=${key}`, {}, closed)).statusCode).toBe(200)
  } finally {
    await closed.close()
  }
})

test('counts a listen once, however often it is sent', async () => {
  const { versionId, token } = await aPreview(1)
  const listen = { song_version_id: versionId, listen_key: 'a-listen-of-mine' }
  expect(await pool.ask(player.songPlayed, listen, token)).toEqual({ counted: true })
  expect(await pool.ask(player.songPlayed, listen, token)).toEqual({ counted: false })
  const unknown = pool.ask(player.songPlayed, { ...listen, song_version_id: 999_999 }, token)
  expect(await errorOf(unknown)).toMatchObject({ code: 'unknown_version' })
})

let plays = 0
const playSong = (versionId: number, token: string, overrides: { playlist_id?: number; listen_key?: string } = {}) =>
  pool.ask(player.songPlayed, { song_version_id: versionId, listen_key: `listen-${++plays}`, ...overrides }, token)
const firstVersionOf = (song: { versionIds: number[] }) => song.versionIds[0] ?? 0

test('queues a listen for the charts once, however often it is sent', async () => {
  const { versionId, token } = await aPreview(1)
  const listListens = async () => (await pool.ctx.sql`select entity_id, at from listen_outbox order by id`).slice()
  const before = (await listListens()).length
  await playSong(versionId, token, { listen_key: 'left-for-charts' })
  await playSong(versionId, token, { listen_key: 'left-for-charts' })
  await pool.ask(player.songPlayed, { song_version_id: 999_999, listen_key: 'of-no-version' }, token).catch(() => {})
  const [listen] = await pool.ctx.sql`select entity_id, at from listen where listen_key = 'left-for-charts'`
  expect((await listListens()).slice(before)).toEqual([listen])
})

test('stores the playlist of a listen if it belongs to the member or is public, and counts the listen in any case', async () => {
  const { sql } = pool.ctx
  const [me, staff] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await sql`update customer set staff_role = 'curator' where customer_id = ${staff.customer_id}`
  const createPlaylist = async (title: string, token: string, overrides: { public?: boolean } = {}) =>
    (await pool.ask(playlists.savePlaylist, { title, ...overrides }, token)).playlist.playlist_id
  const [mine, shown, otherPlaylist] = [
    await createPlaylist('Mine', me.token),
    await createPlaylist('Shown', staff.token, { public: true }),
    await createPlaylist('Other', staff.token),
  ]
  const deleted = await createPlaylist('Deleted', me.token)
  await pool.ask(playlists.deletePlaylist, { playlist_id: deleted }, me.token)
  const song = await aSong(pool.ctx)
  for (const playlist_id of [mine, shown, otherPlaylist, deleted, 999_999]) {
    expect(await playSong(firstVersionOf(song), me.token, { playlist_id })).toEqual({ counted: true })
  }
  await playSong(firstVersionOf(song), me.token)
  const keptPlaylistIds = await sql`select playlist_id from listen where customer_id = ${me.customer_id} order by at`
  expect(keptPlaylistIds.map((row) => row.playlist_id)).toEqual([mine, shown, null, null, null, null])
})

test('recently played lists each song once by its last listen, in pages, for this member only', async () => {
  const { sql } = pool.ctx
  const [me, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const recent = async (page = 1, token = me.token) => pool.ask(player.recentPlayed, { page }, token)
  const [one, two, three] = [await aSong(pool.ctx), await aSong(pool.ctx), await aSong(pool.ctx)]
  for (const song of [one, two, three, one]) await playSong(firstVersionOf(song), me.token)
  await playSong(firstVersionOf(two), other.token)
  const ids = async () => (await recent()).songs.map((song) => song.entity_id)
  expect(await ids()).toEqual([one.entity_id, three.entity_id, two.entity_id])
  const times = (await recent()).songs.map(({ played_at }) => Date.parse(played_at))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(Date.now() - times[0]!).toBeLessThan(60_000)
  await sql`update song set status = 'unpublished' where entity_id = ${three.entity_id}`
  expect(await ids()).toEqual([one.entity_id, two.entity_id])
  expect((await recent()).pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 2 })
  await sql`
    with more as (
      insert into song (title, artist, song_identity) select 'Heard ' || n, 'Nobody', 'heard ' || n from generate_series(1, 25) n
      returning entity_id)
    insert into listen (listen_key, customer_id, song_version_id, entity_id, at)
    select 'long-ago-' || entity_id, ${me.customer_id}, ${firstVersionOf(one)}, entity_id, now() - interval '1 day' from more`
  expect((await recent()).songs).toHaveLength(24)
  expect(await recent(2)).toMatchObject({ songs: { length: 3 }, pagination: { page: 2, totalCount: 27 } })
  expect(await recent(3)).toMatchObject({ songs: [], pagination: { totalCount: 27 } })
})

test('recently played is only available to members: rejects visitors and applicants', async () => {
  const { customer_id } = await aMember(pool.ctx, { application: 'pending' })
  const applicant = await openSession(pool.ctx.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
  expect((await pool.request(player.recentPlayed, {})).statusCode).toBe(401)
  expect((await pool.request(player.recentPlayed, {}, applicant)).statusCode).toBe(403)
})

test('lists the last ten songs played by anyone to everyone, each once, without names', async () => {
  const [one, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const songs: { entity_id: number; versionIds: number[] }[] = []
  for (let n = 0; n < 12; n++) songs.push(await aSong(pool.ctx))
  for (const [n, song] of songs.entries()) await playSong(firstVersionOf(song), n % 2 ? one.token : other.token)
  if (songs[4]) await playSong(firstVersionOf(songs[4]), one.token)
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${songs[10]?.entity_id ?? 0}`
  const response = await pool.request(player.justPlayed, {})
  const shown: { entity_id: number; played_at: string }[] = response.json().data.songs
  const expected = [4, 11, 9, 8, 7, 6, 5, 3, 2, 1].map((n) => songs[n]?.entity_id)
  expect(shown.map((song) => song.entity_id)).toEqual(expected)
  const [last] = await pool.ctx.sql`select max(at) as at from listen`
  expect(shown[0]?.played_at).toBe(last?.at.toISOString())
  for (const personalTrace of ['customer', 'listen_key', 'DJ ', '@']) expect(response.body).not.toContain(personalTrace)
})

describe('beats and sections of a version', () => {
  /** A version whose file has this grid. */
  async function aGrid(confidence: { beat: number; downbeat: number }) {
    const { versionIds, files } = await aSong(pool.ctx)
    await saveBeatGrid(pool.ctx.sql, files[0]!.file_id, {
      structure: {
        grid: {
          ...{ bpm: 124.37, first_downbeat_seconds: 1.25, tempo_changes: [] },
          ...{ beat_confidence: confidence.beat, downbeat_confidence: confidence.downbeat },
        },
        sections: [{ bar: 0, bars: 32, kind: 'drop', level: 1, has_kick: true, start_seconds: 1.25 }],
        cues: [{ bar: 0, kind: 'first_beat', at_seconds: 1.25 }],
      },
      energy: 7,
    })
    const { grid } = await pool.ask(player.getBeatGrid, { song_version_id: versionIds[0]! })
    return grid
  }

  test('are complete when beats and bars are probable', async () => {
    const grid = await aGrid({ beat: 0.9, downbeat: 0.7 })
    expect(grid).toMatchObject({ bpm: 124.37, first_downbeat_seconds: 1.25, energy: 7 })
    expect(grid!.sections).toHaveLength(1)
    expect(grid!.cues).toEqual([{ bar: 0, kind: 'first_beat', at_seconds: 1.25 }])
    // Two beats of 0.482 s before the first downbeat.
    expect(grid!.first_beat_seconds).toBeCloseTo(0.285, 2)
  })

  test('are only beats when the bars are uncertain, and nothing when the beats are', async () => {
    expect(await aGrid({ beat: 0.9, downbeat: 0.5 })).toMatchObject({
      ...{ bpm: 124.37, first_downbeat_seconds: null, sections: [], cues: [] },
    })
    expect(await aGrid({ beat: 0.5, downbeat: 0.5 })).toBeNull()
  })

  test('are unknown before the analysis; an unpublished version is not found', async () => {
    const { versionIds } = await aSong(pool.ctx)
    const ask = () => pool.ask(player.getBeatGrid, { song_version_id: versionIds[0]! })
    expect(await ask()).toEqual({ grid: null })
    await pool.ctx.sql`update song_version set status = 'unpublished' where song_version_id = ${versionIds[0]!}`
    expect(await errorOf(ask())).toMatchObject({ code: 'unknown_version' })
  })
})
