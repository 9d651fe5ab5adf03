import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { downloads } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAiff, makeChunk, makeMp3, makeWav } from '../../test/audio-files.ts'
import { encodedSound } from '../../test/encoded-sounds.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { type ShownTags, TAG_READERS, type TagReader } from '../../test/tag-readers.ts'
import { inProcessAnalyser } from '../../test/upload-makers.ts'
import { flacOf, tone as sine } from '../analysis/make-audio.ts'
import type { AudioFormat } from '../audio-files/faults.ts'
import { syncSafe } from '../audio-files/id3-frames.ts'
import { readPayload } from '../audio-files/payload.ts'
import { coverJpeg, SMALL_TAG_PIXELS } from '../catalogue/pictures.ts'
import { importFolder } from '../imports/folder-import.ts'
import { findSourceFiles } from './source-files.ts'
import { tagFile } from './tagged-file.ts'

/** Files of every format and text encoding are imported and downloaded, and then read by programs of other authors. */

type FileCase = { name: string; extension: string; title: string; artist: string; make: () => Promise<Buffer> }

const BPM = '126.5'
const KEY = 'F#m'
const COVER_PIXELS = 80
const MIXED = { title: 'Дельфин 宇多田ヒカル 🎧', artist: 'Björk & Дельфин' }

/** Text in bytes that a frame declares with its first byte. */
type Encoding = { version: 3 | 4; code: number; encode: (text: string) => Buffer; unsynchronised?: boolean }

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

/** Encodes by searching a decoder's table, because Node.js only encodes Unicode and Latin-1. */
function legacyEncoder(label: string): (text: string) => Buffer {
  const decoder = new TextDecoder(label)
  const table = new Map<string, number[]>()
  for (let byte = 0; byte < 256; byte++) table.set(decoder.decode(Uint8Array.of(byte)), [byte])
  for (let lead = 0x81; label === 'shift_jis' && lead < 0xfd; lead++)
    for (let trail = 0x40; trail < 0xfd; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail))
      if ([...character].length === 1 && !table.has(character)) table.set(character, [lead, trail])
    }
  return (text) => Buffer.from([...text].flatMap((character) => table.get(character)!))
}

const ENCODINGS: Record<string, Encoding & { title: string; artist: string }> = {
  'Latin-1': { version: 3, code: 0, encode: (text) => Buffer.from(text, 'latin1'), title: 'Jóga', artist: 'Björk' },
  'UTF-16': { version: 3, code: 1, encode: utf16, ...MIXED },
  'UTF-8': { version: 4, code: 3, encode: (text) => Buffer.from(text), ...MIXED },
  unsynchronised: { version: 3, code: 1, encode: utf16, unsynchronised: true, ...MIXED },
  CP1251: { version: 3, code: 0, encode: legacyEncoder('windows-1251'), title: 'Весна', artist: 'Дельфин' },
  'Shift-JIS': { version: 3, code: 0, encode: legacyEncoder('shift_jis'), title: '誰かの願い', artist: '宇多田ヒカル' },
}

let cover: Buffer

function id3Tag({ version, code, encode, unsynchronised }: Encoding, title: string, artist: string): Buffer {
  const frame = (id: string, content: Buffer) => {
    const size = version === 4 ? syncSafe(content.length) : Buffer.alloc(4)
    if (version === 3) size.writeUInt32BE(content.length)
    return Buffer.concat([Buffer.from(id), size, Buffer.alloc(2), content])
  }
  const text = (id: string, value: string) => frame(id, Buffer.concat([Buffer.from([code]), encode(value)]))
  const plain = Buffer.concat([
    ...[text('TIT2', title), text('TPE1', artist), text('TBPM', BPM), text('TKEY', KEY)],
    frame('APIC', Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), cover])),
  ])
  // A zero after each 0xFF (id3v2.3.0 section 5).
  const content = unsynchronised
    ? Buffer.from([...plain].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
    : plain
  const flags = unsynchronised ? 0x80 : 0
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, flags]), syncSafe(content.length), content])
}

/** Each file has its own tone, because the same audio is imported once only. */
let tone = 300

const CONTAINERS: Record<string, (tag: Buffer) => Promise<Buffer>> = {
  mp3: async (tag) => Buffer.concat([tag, await makeMp3({ tone: tone++ })]),
  wav: async (tag) => withChunk(makeWav({ tone: tone++ }), makeChunk('id3 ', tag, 'little')),
  aiff: async (tag) => {
    const file = Buffer.concat([makeAiff({ tone: tone++ }), makeChunk('ID3 ', tag, 'big')])
    file.writeUInt32BE(file.length - 8, 4)
    return file
  },
}

function withChunk(wav: Buffer, chunk: Buffer): Buffer {
  const file = Buffer.concat([wav, chunk])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}

/** A WAV with 64-bit sizes (EBU Tech 3306), as programs write it before they know the length of a recording. */
function rf64(tag: Buffer): Buffer {
  const wav = makeWav({ tone: tone++ })
  const sizes = Buffer.alloc(28)
  sizes.writeBigUInt64LE(BigInt(wav.length - 44), 8)
  sizes.writeBigUInt64LE(BigInt((wav.length - 44) / 4), 16)
  wav.write('RF64')
  wav.writeUInt32LE(0xffffffff, 4)
  wav.writeUInt32LE(0xffffffff, 40)
  const ds64 = makeChunk('ds64', sizes, 'little')
  return Buffer.concat([wav.subarray(0, 12), ds64, wav.subarray(12), makeChunk('id3 ', tag, 'little')])
}

/** Formats whose texts are always UTF-8. */
async function nativeTags(sound: Buffer, format: AudioFormat, title: string): Promise<Buffer> {
  const file = path.join(folder, 'untagged')
  writeFileSync(file, sound)
  const picture = { mime: 'image/jpeg', bytes: cover, width: COVER_PIXELS, height: COVER_PIXELS } as const
  const tags = { title, artist: MIXED.artist, bpm: Number(BPM), song_key: KEY, picture }
  const { segments } = tagFile(await readPayload(file, format), tags)
  return Buffer.concat(segments.map((each) => (Buffer.isBuffer(each) ? each : sound.subarray(each.start, each.end))))
}

const NATIVE: [string, AudioFormat, () => Buffer][] = [
  ['FLAC', 'flac', () => flacOf([sine({ hz: 440, seconds: 1 })])],
  ['AAC', 'm4a', () => encodedSound('aac.m4a')],
  ['ALAC', 'm4a', () => encodedSound('alac.m4a')],
  ['Vorbis', 'ogg', () => encodedSound('vorbis.ogg')],
  ['Opus', 'opus', () => encodedSound('opus.opus')],
]

/** The name of the case is part of the title, so that each file is a song of its own. */
const CASES: FileCase[] = [
  ...Object.entries(CONTAINERS).flatMap(([extension, contain]) =>
    Object.entries(ENCODINGS).map(([label, { title, artist, ...encoding }]): FileCase => {
      const name = `${extension.toUpperCase()} ${label}`
      const make = () => contain(id3Tag(encoding, `${title} ${name}`, artist))
      return { name, extension, title: `${title} ${name}`, artist, make }
    }),
  ),
  {
    ...{ name: 'RF64 UTF-16', extension: 'wav', title: `${MIXED.title} RF64`, artist: MIXED.artist },
    make: async () => rf64(id3Tag(ENCODINGS['UTF-16']!, `${MIXED.title} RF64`, MIXED.artist)),
  },
  ...NATIVE.map(([name, format, sound]): FileCase => {
    const title = `${MIXED.title} ${name}`
    return { name, extension: format, title, artist: MIXED.artist, make: () => nativeTags(sound(), format, title) }
  }),
]

type Limit = {
  reader: TagReader['name']
  cases: RegExp
  /** What the reader shows instead. */
  shown: (expected: ShownTags) => Partial<ShownTags>
}

/**
 * What a reader does not show although it is in the file, or shows in another form. docs/tags.md lists the same, with
 * reasons. The test fails when a reader shows it after all.
 */
const LIMITS: Limit[] = [
  // The library for Python has no pictures; kid3-cli reads them with TagLib.
  { reader: 'TagLib', cases: /./, shown: () => ({ art: null }) },
  // The box for the tempo holds an integer, and only some named texts are properties.
  { reader: 'TagLib', cases: /^(AAC|ALAC)$/, shown: () => ({ bpm: '127', key: null }) },
  { reader: 'kid3-cli', cases: /^(AAC|ALAC)$/, shown: () => ({ bpm: '127' }) },
  // UTF-16 is read without surrogate pairs.
  {
    reader: 'exiftool',
    cases: /^(MP3|WAV|AIFF|RF64) (?!Latin-1|CP1251|Shift-JIS)/,
    shown: ({ title }) => ({ title: title!.replace('🎧', '\ufffd'.repeat(6)) }),
  },
  // The texts of an ID3 tag are ignored when there is a LIST INFO, which has neither tempo nor key.
  { reader: 'ffprobe', cases: /^(WAV|RF64) /, shown: () => ({ bpm: null, key: null }) },
]

let folder: string
let pool: TestPool
const files: string[] = []
const expectedArt: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-readers-'))
  const image = { create: { width: COVER_PIXELS, height: COVER_PIXELS, channels: 3, background: '#405060' } } as const
  cover = await sharp(image).jpeg().toBuffer()
  pool = await openTestPool()
  const inbox = path.join(folder, 'inbox')
  mkdirSync(inbox)
  for (const [n, { extension, make }] of CASES.entries())
    writeFileSync(path.join(inbox, `file ${n}.${extension}`), await make())
  const { signal } = new AbortController()
  const options = { folder: inbox, section: 1 as const, jobs: 1, childPath: '', signal, analyser: inProcessAnalyser }
  const result = await importFolder(pool.ctx, options)
  expect([result.skipped, result.songs_added]).toEqual([[], CASES.length])
  const { token } = await aMember(pool.ctx)
  for (const [n, { extension, title }] of CASES.entries()) {
    const [row] = await pool.ctx.sql<{ song_version_id: number }[]>`
      select song_version_id from song join song_version using (entity_id) where title = ${title}`
    if (!row) throw new Error(`No song “${title}” was imported.`)
    const { url } = await pool.ask(downloads.downloadVersion, { version: row.song_version_id }, token)
    const { rawPayload } = await pool.app.inject({ url, remoteAddress: '203.0.113.7' })
    files.push(path.join(folder, `download-${n}.${extension}`))
    writeFileSync(files[n]!, rawPayload)
    const [sourceFile] = await findSourceFiles(pool.ctx.sql, [row.song_version_id])
    const isOgg = sourceFile?.body?.kept.kind === 'ogg'
    const { bytes } = await coverJpeg(pool.ctx, sourceFile!, isOgg ? SMALL_TAG_PIXELS : undefined)
    expectedArt.push(createHash('sha256').update(bytes).digest('hex'))
  }
})
afterAll(async () => {
  await pool?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(TAG_READERS)('$name', (reader) => {
  test('shows title, artist, tempo, key and cover of downloads in every format and encoding', ({ skip }) => {
    const reason = reader.missing()
    if (reason) skip(reason)
    const shown = reader.read(files)
    const expected = CASES.map(({ name, title, artist }, n) => {
      const written: ShownTags = { title, artist, bpm: BPM, key: KEY, art: expectedArt[n]! }
      const limits = LIMITS.filter((limit) => limit.reader === reader.name && limit.cases.test(name))
      return [name, Object.assign({}, written, ...limits.map((limit) => limit.shown(written)))]
    })
    expect(CASES.map(({ name }, n) => [name, shown[n]])).toEqual(expected)
  })
})
