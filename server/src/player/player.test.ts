import { library, membership, player } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}, from = pool) =>
  from.app.inject({ method: 'GET', url, headers })

async function aPreview(seconds: number, from = pool) {
  const member = await aMember(from.world)
  const { entity_id } = await aSong(from.world, { seconds })
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

test('a visitor hears a clip of 30 s, a member the whole song', async () => {
  const { url, key } = await aPreview(40)
  const clip = await get(url)
  expect([clip.statusCode, clip.headers['content-type'], clip.rawPayload.length]).toEqual([
    200,
    'audio/mpeg',
    30 * 16_000,
  ])
  const whole = await get(`${url}?k=${key}`)
  expect(whole.rawPayload.length).toBeGreaterThan(39 * 16_000)
  expect((await get(`${url}?k=${key}x`)).rawPayload.length).toBe(clip.rawPayload.length)
})

test('a preview can be sought in', async () => {
  const { url } = await aPreview(2)
  const part = await get(url, { range: 'bytes=1000-1999' })
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 1000])
})

test('the address of another content, or of nothing, is refused', async () => {
  const { url } = await aPreview(1)
  expect((await get(url.replace(/-[0-9a-f]{12}/, '-0123456789ab'))).statusCode).toBe(404)
  expect((await get('/previews/999999-0123456789ab.mp3')).statusCode).toBe(404)
  expect((await get('/previews/x.mp3')).statusCode).toBe(404)
})

test('where public browsing is off, visitors hear nothing', async () => {
  const closed = await openTestPool({ config: { publicBrowsing: false } })
  try {
    const { url, key } = await aPreview(1, closed)
    expect((await get(url, {}, closed)).statusCode).toBe(401)
    expect((await get(`${url}?k=${key}`, {}, closed)).statusCode).toBe(200)
  } finally {
    await closed.close()
  }
})

test('a listen counts once, however often it is told', async () => {
  const { versionId, token } = await aPreview(1)
  const listen = { song_version_id: versionId, listen_key: 'a-listen-of-mine' }
  expect(await pool.ask(player.songPlayed, listen, token)).toEqual({ counted: true })
  expect(await pool.ask(player.songPlayed, listen, token)).toEqual({ counted: false })
  const unknown = pool.ask(player.songPlayed, { ...listen, song_version_id: 999_999 }, token)
  expect(await refusalOf(unknown)).toMatchObject({ code: 'unknown_version' })
})
