import { catalogue, downloads, membership } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChunk, makeWav } from '../../test/audio-files.ts'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { BODY_VERSION } from '../audio/body.ts'
import { renewBodies } from '../audio/body-renewal.ts'
import { genreNames } from '../imports/tags.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}) => pool.app.inject({ method: 'GET', url, headers })
const link = async (version: number | undefined, token: string) =>
  (await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)).url
const grant = async (customerId: number) => {
  const [row] = await pool.world.sql<{ used: number; open_download_id: number | null }[]>`
    select used, open_download_id from download_grant where customer_id = ${customerId}`
  return row
}

test('a downloaded file carries fresh tags, a picture, its name, and the untouched sound', async () => {
  const { token } = await aMember(pool.world)
  const main = await aGenre(pool.world, 'Global Bass')
  const genres = [await aGenre(pool.world, 'Moombahton', { parent_id: main }), await aGenre(pool.world, 'Baile/Funk')]
  const song = await aSong(pool.world, {
    title: 'Київ № 1',
    artist: 'Beyoncé & 東京',
    min_bpm: 124,
    song_key: 'F#m',
    year: 2024,
    album: 'Дім',
    genres,
    versions: ['Intro Clean'],
  })
  const reply = await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)
  expect(reply.file_name).toBe('Beyoncé & 東京 - Київ № 1 (Intro Clean).mp3')
  const response = await get(reply.url)
  expect(response.statusCode).toBe(200)
  expect(Number(response.headers['content-length'])).toBe(response.rawPayload.length)
  expect(response.rawPayload.length).toBe(reply.bytes)
  expect(response.headers['content-disposition']).toContain("filename*=UTF-8''Beyonc%C3%A9")
  const { common } = await parseBuffer(response.rawPayload, { mimeType: 'audio/mpeg' })
  expect(common).toMatchObject({
    title: 'Київ № 1 (Intro Clean)',
    artist: 'Beyoncé & 東京',
    album: 'Дім',
    year: 2024,
    bpm: 124,
    key: 'F#m',
  })
  // The sub-genre first; read by an import these are three genres again.
  expect(common.genre).toEqual(['Moombahton; Global Bass; Baile/Funk'])
  expect(genreNames(common.genre ?? [])).toEqual(['Moombahton', 'Global Bass', 'Baile/Funk'])
  expect(common.picture?.[0]?.format).toBe('image/jpeg')
  const sound = song.files[0]?.bytes.subarray(0, -128) ?? Buffer.alloc(0)
  expect(response.rawPayload.subarray(-sound.length).equals(sound)).toBe(true)
})

test('a transfer can go on where it broke off, and is complete once its last byte has gone', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  const whole = (await get(url, { range: 'bytes=0-' })).rawPayload
  await expect.poll(async () => (await grant(customer_id))?.open_download_id).toBeNull()
  const head = await get(url, { range: 'bytes=0-999' })
  expect(head.statusCode).toBe(206)
  expect(head.headers['content-range']).toBe(`bytes 0-999/${whole.length}`)
  const rest = await get(url, { range: 'bytes=1000-', 'if-range': String(head.headers.etag) })
  expect(Buffer.concat([head.rawPayload, rest.rawPayload]).equals(whole)).toBe(true)
  const changed = await get(url, { range: 'bytes=1000-', 'if-range': '"of another file"' })
  expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, whole.length])
  expect((await get(url, { range: `bytes=${whole.length}-` })).statusCode).toBe(416)
})

test('a part that is not the end leaves the download under way', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  await get(url, { range: 'bytes=0-99' })
  expect((await grant(customer_id))?.open_download_id).toEqual(expect.any(Number))
})

test('a changed, an expired and an ended link each get a page that says so and leads back', async () => {
  const { token } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  const changed = await get(url.replace(/\/files\/\d/, '/files/9'))
  expect(changed.statusCode).toBe(403)
  expect(changed.headers['content-type']).toContain('text/html')
  expect(changed.body).toContain('href="/"')
  const now = pool.world.now
  pool.world.now = () => new Date(Date.now() + 7 * 3600 * 1000)
  const expired = await get(url)
  pool.world.now = now
  expect([expired.statusCode, expired.body.includes('has expired')]).toEqual([410, true])
  await pool.ask(membership.signOut, {}, token)
  expect((await get(url)).statusCode).toBe(410)
})

test('a file missing on disk is refused, shown as unavailable, not counted, and offered again once it is back', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const song = await aSong(pool.world)
  const url = await link(song.versionIds[0], token)
  await pool.world.storage.remove('audio', song.files[0]?.sha256 ?? '')
  const lost = await get(url)
  expect([lost.statusCode, lost.body.includes('was not counted')]).toEqual([404, true])
  expect(await grant(customer_id)).toMatchObject({ used: 0, open_download_id: null })
  expect((await get(url)).statusCode).toBe(404)
  expect(await grant(customer_id)).toMatchObject({ used: 0 })
  expect(await refusalOf(link(song.versionIds[0], token))).toMatchObject({ status: 404, code: 'file_unavailable' })
  const shown = await pool.ask(catalogue.getSong, { entity_id: song.entity_id })
  expect(shown.song.version[0]?.available).toBe(false)
  await pool.world.storage.keepBytes('audio', song.files[0]?.bytes ?? Buffer.alloc(0))
  expect((await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)).used).toBe(1)
})

test('HEAD tells the length and counts as nothing sent', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  const head = await pool.app.inject({ method: 'HEAD', url })
  expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
  expect(head.rawPayload).toHaveLength(0)
  expect((await grant(customer_id))?.open_download_id).toEqual(expect.any(Number))
})

test.each([
  [{ payment_profile_status: 'unpaid' }, 'This needs a paid plan'],
  [{ group_id: 3 }, 'This account does not download'],
])('a member who becomes %o cannot use a link made before', async (change, title) => {
  const { token, customer_id } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  await pool.world.sql`update customer set ${pool.world.sql(change)} where customer_id = ${customer_id}`
  const refused = await get(url)
  expect([refused.statusCode, refused.body.includes(`<h1>${title}</h1>`)]).toEqual([403, true])
})

test('a link does not open with the session of an application', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  await pool.world.sql`update session set purpose = 'applicant' where customer_id = ${customer_id}`
  expect((await get(url)).statusCode).toBe(410)
})

test('a link has done its work a quarter of an hour after its transfer completed', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const { versionIds } = await aSong(pool.world)
  const url = await link(versionIds[0], token)
  const completed = (minutes: number) => pool.world.sql`
    update download set completed_at = now() - make_interval(mins => ${minutes}) where customer_id = ${customer_id}`
  await completed(14)
  expect((await get(url)).statusCode).toBe(200)
  await completed(16)
  expect((await get(url)).statusCode).toBe(410)
})

test('a disk that does not answer refuses for a moment, and neither marks the file missing nor gives a count back', async () => {
  const { token, customer_id } = await aMember(pool.world)
  const song = await aSong(pool.world)
  const url = await link(song.versionIds[0], token)
  const { has } = pool.world.storage
  pool.world.storage.has = () => Promise.reject(Object.assign(new Error('stale'), { code: 'ESTALE' }))
  const [fetched, asked] = [await get(url), await refusalOf(link(song.versionIds[0], token))]
  pool.world.storage.has = has
  expect(fetched.statusCode).toBe(503)
  expect(asked).toMatchObject({ status: 503, code: 'temporarily_unavailable' })
  expect(await grant(customer_id)).toMatchObject({ used: 1 })
  expect((await get(url)).statusCode).toBe(200)
})

test('a file that an earlier release stored is read again, and its downloads lose the chunks that are not allowed', async () => {
  const { token } = await aMember(pool.world)
  const recorder = makeChunk('bext', Buffer.from('Engineer: secret@example.com'.padEnd(602)), 'little')
  const song = await aSong(pool.world, { wavs: [Buffer.concat([makeWav({ tone: 333 }), recorder])] })
  const sha256 = Buffer.from(song.files[0]?.sha256 ?? '', 'hex')
  const { sql } = pool.world
  // Earlier releases took everything behind the head of a WAV for the sound.
  await sql`
    update file set body_version = 1, body = jsonb_set(body, '{ranges,0,end}', to_jsonb(bytes)) where sha256 = ${sha256}`
  expect((await get(await link(song.versionIds[0], token))).rawPayload.includes('secret@')).toBe(true)
  // A file whose bytes are lost keeps nobody from the others.
  const lost = await aSong(pool.world)
  await sql`update file set body_version = 1 where file_id = ${lost.files[0]?.file_id ?? 0}`
  await pool.world.storage.remove('audio', lost.files[0]?.sha256 ?? '')
  expect(await renewBodies(pool.world)).toBe(1)
  const [file] = await sql<{ body_version: number }[]>`select body_version from file where sha256 = ${sha256}`
  expect(file?.body_version).toBe(BODY_VERSION)
  const sent = await get(await link(song.versionIds[0], token))
  expect(sent.rawPayload.includes('secret@')).toBe(false)
  expect((await parseBuffer(sent.rawPayload)).common.title).toContain('(Clean)')
})
