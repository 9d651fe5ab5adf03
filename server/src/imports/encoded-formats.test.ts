import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { downloads, uploads } from '@dubplate/contract'
import { parseBuffer } from 'music-metadata'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodedSound } from '../../test/encoded-sounds.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, inProcessAnalyser } from '../../test/upload-makers.ts'
import type { AudioFormat } from '../audio-files/faults.ts'
import { readPayload } from '../audio-files/payload.ts'
import { type Tags, tagFile } from '../downloads/tagged-file.ts'
import { importFolder } from './folder-import.ts'
import { readTags } from './tags.ts'

let pool: TestPool
let folder: string
beforeAll(async () => {
  pool = await openTestPool()
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-formats-'))
})
afterAll(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The fixture with tags that members and labels write into their files. */
async function taggedSound(bytes: Buffer, format: AudioFormat, tags: Tags): Promise<Buffer> {
  const file = path.join(folder, 'untagged')
  writeFileSync(file, bytes)
  const { segments } = tagFile(await readPayload(file, format), tags)
  rmSync(file)
  return Buffer.concat(
    segments.map((segment) => (Buffer.isBuffer(segment) ? segment : bytes.subarray(segment.start, segment.end))),
  )
}

const SOUNDS = [
  ['AAC', 'm4a', encodedSound('aac.m4a'), 'audio/mp4'],
  ['ALAC', 'm4a', encodedSound('alac.m4a'), 'audio/mp4'],
  ['Vorbis', 'ogg', encodedSound('vorbis.ogg'), 'audio/ogg'],
  ['Opus', 'opus', encodedSound('opus.opus'), 'audio/ogg'],
] as const

test.each(SOUNDS)(
  'imports %s with its tags and cover, and delivers it with fresh ones',
  async (codec, format, sound, mediaType) => {
    const image = { create: { width: 80, height: 80, channels: 3, background: '#405060' } } as const
    const cover = await sharp(image).jpeg().toBuffer()
    const bytes = await taggedSound(sound, format, {
      ...{ title: 'Nočná linka (Dirty)', artist: codec, album: 'Mapa', genres: ['Dub Techno'], year: 2021, bpm: 126.5 },
      ...{ song_key: 'F#m', label: 'Säure', isrc: 'DEAB12400001', comment: 'Buy at shop.example.com' },
      picture: { mime: 'image/jpeg', bytes: cover, width: 80, height: 80 },
    })
    const inbox = mkdtempSync(path.join(folder, 'inbox-'))
    writeFileSync(path.join(inbox, `file.${format}`), bytes)
    const { signal } = new AbortController()
    const options = { folder: inbox, section: 1 as const, jobs: 1, childPath: '', signal, analyser: inProcessAnalyser }
    const result = await importFolder(pool.ctx, options)
    expect([result.skipped, result.songs_added]).toEqual([[], 1])
    const [song] = await pool.ctx.sql<{ song_version_id: number; format: string }[]>`
    select song.title, version_label, album, year, label, isrc, format, song_version_id, v.bpm, v.song_key
    from song join song_version v using (entity_id) join file using (file_id) where artist = ${codec}`
    expect(song).toMatchObject({
      title: 'Nočná linka',
      version_label: 'Dirty',
      album: 'Mapa',
      year: 2021,
      label: 'Säure',
    })
    expect(song).toMatchObject({ isrc: 'DEAB12400001', format, bpm: 126.5, song_key: 'F#m' })

    const { token } = await aMember(pool.ctx)
    const link = await pool.ask(downloads.downloadVersion, { version: song!.song_version_id }, token)
    expect(link.file_name).toBe(`${codec} - Nočná linka (Dirty).${format}`)
    const get = (headers = {}) => pool.app.inject({ url: link.url, headers, remoteAddress: '203.0.113.7' })
    const { rawPayload, headers } = await get()
    expect([headers['content-type'], rawPayload.length]).toEqual([mediaType, link.bytes])
    const rest = await get({ range: `bytes=${link.bytes - 500}-` })
    expect([rest.statusCode, rest.rawPayload.equals(rawPayload.subarray(-500))]).toEqual([206, true])
    const { common } = await parseBuffer(rawPayload)
    expect(common).toMatchObject({ title: 'Nočná linka (Dirty)', isrc: ['DEAB12400001'] })
    // An advertisement.
    expect(common.comment).toBeUndefined()
    expect(common.picture?.[0]?.format).toBe('image/jpeg')
    const file = path.join(inbox, 'downloaded')
    writeFileSync(file, rawPayload)
    expect(await readTags(file, { pictures: false })).toMatchObject({ bpm: 126.5, song_key: 'F#m', label: 'Säure' })
  },
)

test.each(SOUNDS)('analyses an upload of %s and makes a preview', async (codec, format, sound) => {
  const member = await aMember(pool.ctx)
  await anUpload(pool.ctx, member, { bytes: sound, name: `Kwame - ${codec}.${format}` })
  const { files } = await pool.ask(uploads.getContainer, {}, member.token)
  expect(files).toMatchObject([
    { tag: { title: codec, artist: 'Kwame' }, analysis: { state: 'done', format, duration_seconds: 1 } },
  ])
  expect(files[0]!.analysis.faults.filter(({ blocks }) => blocks)).toEqual([])
  expect((await pool.app.inject({ url: files[0]!.mp3 ?? '' })).headers['content-type']).toBe('audio/mpeg')
})
