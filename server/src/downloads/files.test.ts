import { truncateSync, writeFileSync } from 'node:fs'
import { catalogue, downloads, membership } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeChunk, makeWav } from '../../test/audio-files.ts'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { storedFilePath } from '../../test/stored-file.ts'
import { PAYLOAD_VERSION } from '../audio-files/payload.ts'
import { refreshTempoAndKey } from '../catalogue/version-values.ts'
import { genreNames } from '../imports/tags.ts'
import { findRestoredOriginals } from '../media/originals.ts'
import { refreshPayloads } from '../media/payload-refresh.ts'
import { StorageUnavailableError } from '../platform/storage.ts'
import { closeSentTransfers } from './transfers.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '203.0.113.7') =>
  pool.app.inject({ method: 'GET', url, headers, remoteAddress })
const link = async (version: number | undefined, token: string) =>
  (await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)).url
const grant = async (customerId: number) => {
  const [row] = await pool.ctx.sql<{ used: number; open_download_id: number | null }[]>`
    select used, open_download_id from download_grant where customer_id = ${customerId}`
  return row
}

test('a downloaded file has fresh tags, a cover, its name and the unchanged audio', async () => {
  const { token } = await aMember(pool.ctx)
  const main = await aGenre(pool.ctx, 'Global Bass')
  const genres = [await aGenre(pool.ctx, 'Moombahton', { parent_id: main }), await aGenre(pool.ctx, 'Baile/Funk')]
  const song = await aSong(pool.ctx, {
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
  // The sub-genre first. An import reads these as three genres again.
  expect(common.genre).toEqual(['Moombahton; Global Bass; Baile/Funk'])
  expect(genreNames(common.genre ?? [])).toEqual(['Moombahton', 'Global Bass', 'Baile/Funk'])
  expect(common.picture?.[0]?.format).toBe('image/jpeg')
  const sound = song.files[0]?.bytes.subarray(0, -128) ?? Buffer.alloc(0)
  expect(response.rawPayload.subarray(-sound.length).equals(sound)).toBe(true)
})

test('a downloaded file has no placeholder genre and no invented version', async () => {
  const { token } = await aMember(pool.ctx)
  const genres = [await aGenre(pool.ctx, 'Unsorted'), await aGenre(pool.ctx, 'Dub Techno')]
  const clip = await aSong(pool.ctx, { title: 'Clip', genres, versions: ['Original'] })
  const tagsOf = async (version: number | undefined) =>
    (await parseBuffer((await get(await link(version, token))).rawPayload, { mimeType: 'audio/mpeg' })).common
  const whole = await aSong(pool.ctx, { title: 'Whole', versions: ['Original', 'Clean'] })
  await pool.ctx
    .sql`update song_version set tag = '{"title": "Whole (Original Mix)"}' where song_version_id = ${whole.versionIds[0]!}`
  const tags = await tagsOf(clip.versionIds[0])
  expect([tags.title, tags.genre]).toEqual(['Clip', ['Dub Techno']])
  expect(await tagsOf(whole.versionIds[0])).toMatchObject({ title: 'Whole (Original)' })
})

test('each version has its own tempo and key in its tags, unless they are uncertain', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, {
    versions: ['Clean', 'Dirty', 'Intro Clean', 'Extended', 'Quick Hit'],
    seconds: 1,
  })
  const { sql } = pool.ctx
  await sql`update song_version set duration_seconds = 200 where entity_id = ${song.entity_id}`
  await sql`update song_version set duration_seconds = 15 where song_version_id = ${song.versionIds[4] ?? 0}`
  const measured = [
    [100, 0.9, 'C', 0.9],
    [128.004, 0.9, 'Em', 0.8],
    [140, 0.9, 'F#m', 0.9],
    [171.5, 0.49, 'Dm', 0.49],
    [90, 0.99, 'G', 0.99],
  ] as const
  for (const [n, [bpm, bpmConfidence, key, keyConfidence]] of measured.entries())
    await sql`
      insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
        song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db)
      values (${song.files[n]?.file_id ?? 0}, 1, 200, 44100, 2, 128, ${bpm}, ${bpmConfidence}, ${key}, ${keyConfidence}, -9, 3, -1)`
  await sql.begin((sql) => refreshTempoAndKey(sql, song.entity_id))
  const tags: unknown[] = []
  for (const version of song.versionIds) {
    const { rawPayload } = await get(await link(version, token))
    const { common } = await parseBuffer(rawPayload, { mimeType: 'audio/mpeg' })
    tags.push([common.bpm, common.key])
  }
  // The last two take the key of the most confident version, as nothing is known about their tempo.
  expect(tags).toEqual([
    [100, 'C'],
    [128, 'Em'],
    [140, 'F#m'],
    [undefined, 'C'],
    [undefined, 'C'],
  ])
})

test('a transfer can be resumed, and is complete once its last byte was sent', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  const whole = (await get(url, { range: 'bytes=0-' })).rawPayload
  await expect.poll(async () => (await grant(customer_id))?.open_download_id).toBeNull()
  const head = await get(url, { range: 'bytes=0-999' })
  expect(head.statusCode).toBe(206)
  expect(head.headers['content-range']).toBe(`bytes 0-999/${whole.length}`)
  const rest = await get(url, { range: 'bytes=1000-', 'if-range': String(head.headers.etag) })
  expect(Buffer.concat([head.rawPayload, rest.rawPayload]).equals(whole)).toBe(true)
  const other = await link(versionIds[0], token)
  const changed = await get(other, { range: 'bytes=1000-', 'if-range': '"of another file"' })
  expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, whole.length])
  expect((await get(url, { range: `bytes=${whole.length}-` })).statusCode).toBe(416)
})

test('a range request before the end of the file leaves the download in progress', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  await get(url, { range: 'bytes=0-99' })
  expect((await grant(customer_id))?.open_download_id).toEqual(expect.any(Number))
})

test('a changed, an expired and an ended link each get an error page that links to the site', async () => {
  const { token } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  const changed = await get(url.replace(/\/files\/\d/, '/files/9'))
  expect(changed.statusCode).toBe(403)
  expect(changed.headers['content-type']).toContain('text/html')
  expect(changed.body).toContain('href="/"')
  const now = pool.ctx.now
  pool.ctx.now = () => new Date(Date.now() + 7 * 3600 * 1000)
  const expired = await get(url)
  pool.ctx.now = now
  expect([expired.statusCode, expired.body.includes('has expired')]).toEqual([410, true])
  await pool.ask(membership.signOut, {}, token)
  expect((await get(url)).statusCode).toBe(410)
})

test('a file missing on disk is refused, shown as unavailable and not counted, and available again once restored', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const url = await link(song.versionIds[0], token)
  await pool.ctx.storage.remove('audio', song.files[0]?.sha256 ?? '')
  const lost = await get(url)
  expect([lost.statusCode, lost.body.includes('This download wasn’t counted.')]).toEqual([404, true])
  expect(await grant(customer_id)).toMatchObject({ used: 0, open_download_id: null })
  expect((await get(url)).statusCode).toBe(404)
  expect(await grant(customer_id)).toMatchObject({ used: 0 })
  expect(await errorOf(link(song.versionIds[0], token))).toMatchObject({ status: 404, code: 'file_unavailable' })
  const songReply = await pool.ask(catalogue.getSong, { entity_id: song.entity_id })
  expect(songReply.song.version[0]?.available).toBe(false)
  await pool.ctx.storage.putBytes('audio', song.files[0]?.bytes ?? Buffer.alloc(0))
  expect((await pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)).used).toBe(1)
})

test('HEAD returns the length and counts nothing as sent', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  const head = await pool.app.inject({ method: 'HEAD', url })
  expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
  expect(head.rawPayload).toHaveLength(0)
  expect((await grant(customer_id))?.open_download_id).toEqual(expect.any(Number))
})

test.each([
  [{ payment_profile_status: 'unpaid' }, 'Downloads need a paid plan'],
  [{ group_id: 3 }, 'This account can’t download'],
])('a member who becomes %o cannot use a link created before', async (change, title) => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  await pool.ctx.sql`update customer set ${pool.ctx.sql(change)} where customer_id = ${customer_id}`
  const refused = await get(url)
  expect([refused.statusCode, refused.body.includes(`<h1>${title}</h1>`)]).toEqual([403, true])
})

test('a link does not open with the session of an application', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  await pool.ctx.sql`update session set purpose = 'applicant' where customer_id = ${customer_id}`
  expect((await get(url)).statusCode).toBe(410)
})

test('a link expires 15 minutes after its transfer completed', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const url = await link(versionIds[0], token)
  const completed = (minutes: number) => pool.ctx.sql`
    update download set completed_at = now() - make_interval(mins => ${minutes}) where customer_id = ${customer_id}`
  await completed(14)
  expect((await get(url)).statusCode).toBe(200)
  await completed(16)
  expect((await get(url)).statusCode).toBe(410)
})

test('an unresponsive disk is a temporary error that neither marks the file as missing nor refunds it', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  const url = await link(song.versionIds[0], token)
  const { size } = pool.ctx.storage
  pool.ctx.storage.size = () => Promise.reject(Object.assign(new Error('stale'), { code: 'ESTALE' }))
  const [fileReply, linkError] = [await get(url), await errorOf(link(song.versionIds[0], token))]
  pool.ctx.storage.size = size
  expect(fileReply.statusCode).toBe(503)
  expect(linkError).toMatchObject({ status: 503, code: 'service_unavailable' })
  expect(await grant(customer_id)).toMatchObject({ used: 1 })
  expect((await get(url)).statusCode).toBe(200)
})

describe('a damaged file', () => {
  test.each([
    ['truncated', 100],
    ['empty', 0],
  ])('that is %s is refused before anything is counted or sent, and shown as unavailable', async (_what, bytes) => {
    const { token, customer_id } = await aMember(pool.ctx)
    const song = await aSong(pool.ctx)
    const [file] = song.files
    const earlier = await aMember(pool.ctx)
    const url = await link(song.versionIds[0], earlier.token)
    truncateSync(storedFilePath(pool.ctx, file!.sha256), bytes)
    const refused = await errorOf(link(song.versionIds[0], token))
    expect(refused).toMatchObject({ status: 404, code: 'file_unavailable' })
    expect(refused.message).toContain('is damaged on our side. This download wasn’t counted.')
    expect(await grant(customer_id)).toBeUndefined()
    const [marked] = await pool.ctx.sql`
      select found_bytes::int, missing_since is not null as missing from file where file_id = ${file!.file_id}`
    expect(marked).toEqual({ found_bytes: bytes, missing: true })
    expect((await pool.ask(catalogue.getSong, { entity_id: song.entity_id })).song.version[0]?.available).toBe(false)
    // A link that was created before is refused too, and its download is refunded.
    const fileReply = await get(url)
    expect([fileReply.statusCode, fileReply.body.includes('is damaged on our side')]).toEqual([404, true])
    expect(await grant(earlier.customer_id)).toMatchObject({ used: 0, open_download_id: null })
    await pool.ctx.storage.putBytes('audio', file!.bytes)
    await findRestoredOriginals(pool.ctx)
    expect((await get(await link(song.versionIds[0], token))).statusCode).toBe(200)
  })

  test('is refunded when it breaks while it is sent', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const song = await aSong(pool.ctx)
    const { sha256 } = song.files[0]!
    const url = await link(song.versionIds[0], token)
    vi.spyOn(pool.ctx.storage, 'pieces').mockImplementationOnce(async function* () {
      yield Buffer.alloc(1000)
      truncateSync(storedFilePath(pool.ctx, sha256), 1000)
      throw new Error('Unexpected end of the original at byte 1000, expected 2000')
    })
    await get(url).catch(() => undefined)
    await expect.poll(() => grant(customer_id)).toEqual({ used: 0, open_download_id: null })
    expect(await errorOf(link(song.versionIds[0], token))).toMatchObject({ code: 'file_unavailable' })
  })

  test('that cannot be read is refunded, and stays unavailable until its content is correct', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const song = await aSong(pool.ctx)
    const { sha256, bytes } = song.files[0]!
    const url = await link(song.versionIds[0], token)
    const place = storedFilePath(pool.ctx, sha256)
    writeFileSync(place, Buffer.alloc(bytes.length))
    vi.spyOn(pool.ctx.storage, 'pieces').mockImplementationOnce(async function* () {
      yield Buffer.alloc(1000)
      throw Object.assign(new Error('read'), { code: 'EIO' })
    })
    await get(url).catch(() => undefined)
    await expect.poll(() => grant(customer_id)).toEqual({ used: 0, open_download_id: null })
    await findRestoredOriginals(pool.ctx)
    expect(await errorOf(link(song.versionIds[0], token))).toMatchObject({ code: 'file_unavailable' })
    writeFileSync(place, bytes)
    await findRestoredOriginals(pool.ctx)
    expect((await get(await link(song.versionIds[0], token))).statusCode).toBe(200)
  })

  test('is not assumed when the storage stops responding during a transfer: the link stays valid', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const song = await aSong(pool.ctx)
    const url = await link(song.versionIds[0], token)
    vi.spyOn(pool.ctx.storage, 'pieces').mockImplementationOnce(async function* () {
      yield Buffer.alloc(1000)
      throw new StorageUnavailableError('away')
    })
    await get(url).catch(() => undefined)
    expect((await get(url)).statusCode).toBe(200)
    expect(await grant(customer_id)).toMatchObject({ used: 1 })
  })
})

describe('a link', () => {
  test('sends at most twice the length of its file, also over several links, and is then counted again', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    // All but the last byte, as a client would that wants to keep the download in progress.
    const { bytes } = await pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, token)
    const nearlyAll = { range: `bytes=0-${bytes - 2}` }
    expect((await get(url, nearlyAll)).statusCode).toBe(206)
    expect((await get(await link(versionIds[0], token), nearlyAll)).statusCode).toBe(206)
    expect(await grant(customer_id)).toMatchObject({ used: 1, open_download_id: expect.any(Number) })
    for (const again of [url, await link(versionIds[0], token)]) {
      const closed = await get(again, nearlyAll)
      expect([closed.statusCode, closed.body.includes('This link was closed')]).toEqual([410, true])
    }
    expect(await grant(customer_id)).toMatchObject({ used: 1, open_download_id: null })
    expect((await pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, token)).used).toBe(2)
  })

  test('does not send more than twice the length to twenty simultaneous requests', async () => {
    const { token } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    const replies = await Promise.all(Array.from({ length: 20 }, () => get(url)))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, ...Array(18).fill(410)])
  })

  test('releases what was reserved and not sent', async () => {
    const { token } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    vi.spyOn(pool.ctx.storage, 'pieces').mockImplementationOnce(async function* () {
      yield Buffer.alloc(1000)
      throw new StorageUnavailableError('away')
    })
    await get(url).catch(() => undefined)
    const sent = async () =>
      (await pool.ctx.sql`select sent_bytes, bytes from download_transfer order by transfer_id desc limit 1`)[0]
    await expect.poll(async () => (await sent())?.sent_bytes < (await sent())?.bytes).toBe(true)
    expect([(await get(url)).statusCode, (await get(url)).statusCode]).toEqual([200, 410])
  })

  test('completes a download that was fetched in parts once every byte was sent', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    await get(url, { range: 'bytes=5000-' })
    await get(url, { range: 'bytes=0-3999' })
    expect((await grant(customer_id))?.open_download_id).toEqual(expect.any(Number))
    await get(url, { range: 'bytes=4000-4999' })
    await expect.poll(async () => (await grant(customer_id))?.open_download_id).toBeNull()
  })

  test('leaves no download in progress an hour after all but its last bytes were sent', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const { url, bytes } = await pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, token)
    await get(url, { range: `bytes=0-${bytes - 2}` })
    await closeSentTransfers(pool.ctx)
    expect((await grant(customer_id))?.open_download_id).toEqual(expect.any(Number))
    await closeSentTransfers({ ...pool.ctx, now: () => new Date(Date.now() + 61 * 60_000) })
    expect((await grant(customer_id))?.open_download_id).toBeNull()
  })

  test('expires an hour after it was created or last sent bytes', async () => {
    const { token } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    const at = async (minutes: number) => {
      const { now } = pool.ctx
      pool.ctx.now = () => new Date(Date.now() + minutes * 60_000)
      const { statusCode } = await get(url, { range: 'bytes=0-9' })
      pool.ctx.now = now
      return statusCode
    }
    expect([await at(59), await at(59), await at(61)]).toEqual([206, 206, 410])
    // The bytes of a transfer are recorded after its reply, and that may overwrite this time once.
    const afterLaterBytes = async () => {
      await pool.ctx.sql`update download_link set sent_at = now() + interval '30 minutes'`
      return at(61)
    }
    await expect.poll(afterLaterBytes).toBe(206)
  })

  test('works only on the network it was first used on; a new link on another one is not counted again', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    const part = { range: 'bytes=0-9' }
    const from = async (address: string, target = url) => (await get(target, part, address)).statusCode
    expect(await from('198.51.100.7')).toBe(206)
    // The same network, and the other address family of the same machine.
    expect(await from('198.51.100.200')).toBe(206)
    expect(await from('::ffff:198.51.100.9')).toBe(206)
    expect(await from('2001:db8:1:2::1')).toBe(206)
    expect(await from('2001:db8:1:2:ffff::9')).toBe(206)
    for (const other of ['198.51.101.7', '2001:db8:1:3::1']) {
      const refused = await get(url, part, other)
      expect([refused.statusCode, refused.body.includes('You’re on another network')]).toEqual([403, true])
      expect(refused.body).toContain('aren’t counted twice')
    }
    expect(await from('198.51.101.7', await link(versionIds[0], token))).toBe(206)
    expect(await grant(customer_id)).toMatchObject({ used: 1 })
  })

  test('cannot be resumed once the tags of its file changed, so that the bytes of a URL never change', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    const { versionIds, entity_id } = await aSong(pool.ctx, { title: 'Before' })
    const untouched = await link(versionIds[0], token)
    const url = await link(versionIds[0], token)
    expect((await get(url, { range: 'bytes=0-999' })).statusCode).toBe(206)
    await pool.ctx.sql`update song set title = 'A title that is longer' where entity_id = ${entity_id}`
    // `curl -C -` and `wget -c` send no If-Range.
    for (const range of ['bytes=1000-', 'bytes=0-']) {
      const refused = await get(url, { range })
      expect([refused.statusCode, refused.body.includes('can’t be resumed')]).toEqual([410, true])
    }
    const head = await pool.app.inject({ method: 'HEAD', url, remoteAddress: '203.0.113.7' })
    expect(head.statusCode).toBe(410)
    for (const fresh of [untouched, await link(versionIds[0], token)]) {
      const { rawPayload } = await get(fresh, { range: 'bytes=0-999' })
      expect(String(rawPayload)).toContain('longer')
    }
    expect(await grant(customer_id)).toMatchObject({ used: 1 })
  })
})

describe('staff', () => {
  test.each(['admin', 'curator', 'support'] as const)(
    'with the role %s can download any version without limit, and nothing is counted',
    async (staff_role) => {
      const { token, customer_id } = await aMember(pool.ctx, { group_id: 4, staff_role, application: 'none' })
      const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
      await pool.ctx
        .sql`update song_version set status = 'unpublished' where song_version_id = ${song.versionIds[1] ?? 0}`
      for (const version of [song.versionIds[0], song.versionIds[0], song.versionIds[0], song.versionIds[1]]) {
        const reply = await pool.ask(downloads.downloadVersion, { version: version ?? 0 }, token)
        expect(reply.used).toBe(0)
        expect((await get(reply.url)).rawPayload).toHaveLength(reply.bytes)
      }
      const zip = await pool.ask(downloads.downloadSongBundle, { entity_id: song.entity_id }, token)
      expect(zip.files).toBe(2)
      expect((await get(zip.url)).rawPayload).toHaveLength(zip.bytes)
      const counted = await pool.ctx.sql`
        select customer_id from download where customer_id = ${customer_id}
        union all select customer_id from download_grant where customer_id = ${customer_id}
        union all select entity_id from download_outbox where entity_id = ${song.entity_id}`
      expect(counted).toHaveLength(0)
    },
  )

  test('former staff cannot use a link made before', async () => {
    const { token, customer_id } = await aMember(pool.ctx, { staff_role: 'curator' })
    const { versionIds } = await aSong(pool.ctx)
    const url = await link(versionIds[0], token)
    await pool.ctx.sql`update customer set staff_role = null where customer_id = ${customer_id}`
    expect((await get(url)).statusCode).toBe(410)
  })
})

test('reads a file of an earlier release again, and its downloads drop the chunks that are not allowed', async () => {
  const { token } = await aMember(pool.ctx)
  const recorder = makeChunk('bext', Buffer.from('Engineer: secret@example.com'.padEnd(602)), 'little')
  const song = await aSong(pool.ctx, { wavs: [Buffer.concat([makeWav({ tone: 333 }), recorder])] })
  const sha256 = Buffer.from(song.files[0]?.sha256 ?? '', 'hex')
  const { sql } = pool.ctx
  // Earlier releases treated everything after the header of a WAV as audio.
  await sql`
    update file set body_version = 1, body = jsonb_set(body, '{ranges,0,end}', to_jsonb(bytes)) where sha256 = ${sha256}`
  expect((await get(await link(song.versionIds[0], token))).rawPayload.includes('secret@')).toBe(true)
  // A file whose bytes are lost does not stop the others.
  const lost = await aSong(pool.ctx)
  await sql`update file set body_version = 1 where file_id = ${lost.files[0]?.file_id ?? 0}`
  await pool.ctx.storage.remove('audio', lost.files[0]?.sha256 ?? '')
  expect(await refreshPayloads(pool.ctx)).toBe(1)
  const [file] = await sql<{ body_version: number }[]>`select body_version from file where sha256 = ${sha256}`
  expect(file?.body_version).toBe(PAYLOAD_VERSION)
  const sent = await get(await link(song.versionIds[0], token))
  expect(sent.rawPayload.includes('secret@')).toBe(false)
  expect((await parseBuffer(sent.rawPayload)).common.title).toContain('(Clean)')
})
