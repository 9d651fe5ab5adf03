import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collect, fileStorage, makeAiff, makeChunk, makeFlac, makeMp3, makeWav } from '../../test/audio-files.ts'
import { analyse } from '../analysis/analyse.ts'
import { flacOf, tune } from '../analysis/make-audio.ts'
import type { AudioFormat } from '../audio-files/faults.ts'
import { type AudioPayload, readPayload } from '../audio-files/payload.ts'
import { placeSegments, readSegments } from './segments.ts'
import { tagFile } from './tagged-file.ts'

/** Every carrier below contains this text, and no download may contain it. */
const SECRET = 'secret.buyer@example.com'
const CREDIT = 'Clara Composer'
const SECONDS = 1.2

const latin = (text: string) => Buffer.from(text, 'latin1')
const syncSafe = (n: number) => Buffer.from([21, 14, 7, 0].map((shift) => (n >> shift) & 0x7f))
const size32 = (n: number) => Buffer.from([24, 16, 8, 0].map((shift) => (n >>> shift) & 0xff))
const little = (n: number) => size32(n).reverse()

type Version = 2 | 3 | 4
function frame(version: Version, id: string, content: Buffer): Buffer {
  if (version === 2) return Buffer.concat([latin(id), size32(content.length).subarray(1), content])
  const size = version === 3 ? size32(content.length) : syncSafe(content.length)
  return Buffer.concat([latin(id), size, Buffer.alloc(2), content])
}
function id3(version: Version, frames: Buffer[], flags = 0): Buffer {
  const content = Buffer.concat(frames)
  return Buffer.concat([latin('ID3'), Buffer.from([version, 0, flags]), syncSafe(content.length), content])
}

/** Frames that were found in members' downloads, and the other frames that can contain anything. */
const FRAMES: Record<string, Buffer> = {
  POPM: latin(`${SECRET}\0\xff\0\0\0\x2a`),
  PRIV: latin(`${SECRET}\0buyer`),
  TOWN: latin(`\0${SECRET}`),
  OWNE: latin(`\0USD9.99\x0020240101${SECRET}`),
  WXXX: latin(`\0shop\0https://shop.example/${SECRET}`),
  WOAF: latin(`https://shop.example/${SECRET}`),
  WPUB: latin(`https://shop.example/${SECRET}`),
  TXXX: latin(`\0BPM\x00999 ${SECRET}`),
  'TXXX key': latin(`\0INITIALKEY\0Z ${SECRET}`),
  GEOB: latin(`\0application/octet-stream\0\0Serato Markers2\0${SECRET}`),
  COMM: latin(`\0eng\0${SECRET}`),
  'COMM described': latin(`\0engRating\0${SECRET}`),
  UFID: latin(`http://shop.example\0${SECRET}`),
  PCNT: latin(`\0\0\0\x2a${SECRET}`),
  USER: latin(`\0eng${SECRET}`),
  USLT: latin(`\0eng\0${SECRET}`),
  COMR: latin(`\0USD9.99\x0020240101${SECRET}\0`),
  AENC: latin(`${SECRET}\0\0\0\0\0`),
  LINK: latin(`TIT2${SECRET}\0`),
  MCDI: latin(SECRET),
  TENC: latin(`\0${SECRET}`),
  TRSN: latin(`\0${SECRET}`),
  TIT1: latin(`\0${SECRET}`),
  GRP1: latin(`\0${SECRET}`),
  APIC: latin(`\0image/png\0\x04${SECRET}\0png`),
  XSOP: latin(`\0${SECRET}`),
  'TCOM with a contact': latin(`\0${SECRET}`),
}
const idOf = (name: string) => name.slice(0, 4)
const VERSION_2_IDS: Record<string, string> = {
  POPM: 'POP',
  WXXX: 'WXX',
  TXXX: 'TXX',
  GEOB: 'GEO',
  COMM: 'COM',
  TCOM: 'TCM',
}

const COMMENTS = [
  'RATING',
  'RATING:secret@shop.example',
  'SERATO_MARKERS_V2',
  'OWNER',
  'PURCHASER',
  'BPM',
  'INITIALKEY',
  'TRAKTOR4',
  'CONTACT',
  'LICENSE',
  'COMMENT',
  'COMPOSER',
]
const vorbis = (vendor: string, comments: string[]) => {
  const texts = [vendor, ...comments].map((text) => Buffer.concat([little(Buffer.byteLength(text)), Buffer.from(text)]))
  return Buffer.concat([texts[0]!, little(comments.length), ...texts.slice(1)])
}
/** Puts metadata blocks between STREAMINFO and the frames of a FLAC. */
function withBlock(type: number, content: Buffer): Buffer {
  const flac = makeFlac({ seconds: SECONDS })
  flac[4] = 0
  const head = size32(content.length)
  head[0] = type | 0x80
  return Buffer.concat([flac.subarray(0, 42), head, content, flac.subarray(42)])
}

const WAV_CHUNKS =
  'bext iXML _PMX cart axml chna umid JUNK PAD  DISP afsp cue  smpl inst acid minf IDVX PEAK slnt'.match(/.{4} ?/g)!
const AIFF_CHUNKS = ['NAME', 'AUTH', '(c) ', 'ANNO', 'COMT', 'MARK', 'INST', 'APPL', 'MIDI', 'AESD', 'PEAK']
const INFO_ITEMS = ['IENG', 'ITCH', 'ICOP', 'ISFT', 'ICMS', 'ICMT', 'ISRC', 'ISRF', 'IARL', 'IKEY', 'IRTD', 'TORG']

const id3v1 = Buffer.concat([latin('TAG'), latin(SECRET), Buffer.alloc(125 - SECRET.length)])
const id3v1Extended = Buffer.concat([latin('TAG+'), latin(SECRET), Buffer.alloc(223 - SECRET.length), id3v1])
function ape(flags: number): Buffer {
  const item = Buffer.concat([little(SECRET.length), little(0), latin('Owner\0'), latin(SECRET)])
  const head = (kind: number) =>
    Buffer.concat([
      latin('APETAGEX'),
      little(2000),
      little(item.length + 32),
      little(1),
      Buffer.from([0, 0, 0, kind]),
      Buffer.alloc(8),
    ])
  return Buffer.concat([head(flags | 0x20), item, head(flags)])
}
const lyrics = (() => {
  const text = `LYRICSBEGINAUT${String(SECRET.length).padStart(5, '0')}${SECRET}`
  return latin(`${text}${String(text.length).padStart(6, '0')}LYRICS200`)
})()
const tagWith = (name: string, version: Version = 3) => {
  const id = version === 2 ? VERSION_2_IDS[idOf(name)] : idOf(name)
  return id3(version, [frame(version, id!, FRAMES[name]!)])
}
const allFrames = (version: 3 | 4, flags = 0) =>
  id3(
    version,
    Object.entries(FRAMES).map(([name, content]) => frame(version, idOf(name), content)),
    flags,
  )
const tagWithFooter = () => {
  const tag = allFrames(4, 0x10)
  return Buffer.concat([tag, latin('3DI'), tag.subarray(3, 10)])
}

type Carrier = [name: string, format: AudioFormat, make: (mp3: Buffer) => Buffer]
const wav = () => makeWav({ seconds: SECONDS })
const aiff = () => makeAiff({ seconds: SECONDS })
const flac = () => makeFlac({ seconds: SECONDS })
/** With the frame numbers that decoders need. */
const audibleFlac = () => flacOf(tune({ seed: 3, seconds: SECONDS }))
const long = (text: string) => latin(text.padEnd(700, ' '))

const carriers: Carrier[] = [
  ...Object.keys(FRAMES).flatMap((name): Carrier[] => [
    [`${name} in ID3v2.3`, 'mp3', (mp3) => Buffer.concat([tagWith(name), mp3])],
    [`${name} in ID3v2.4`, 'mp3', (mp3) => Buffer.concat([tagWith(name, 4), mp3])],
    [`${name} in an id3 chunk`, 'wav', () => Buffer.concat([wav(), makeChunk('id3 ', tagWith(name), 'little')])],
    [`${name} in an ID3 chunk`, 'aiff', () => Buffer.concat([aiff(), makeChunk('ID3 ', tagWith(name), 'big')])],
  ]),
  ...Object.keys(VERSION_2_IDS).map((id): Carrier => {
    const name = id === 'TCOM' ? 'TCOM with a contact' : id
    return [`${id} in ID3v2.2`, 'mp3', (mp3) => Buffer.concat([tagWith(name, 2), mp3])]
  }),
  ['ID3v1', 'mp3', (mp3) => Buffer.concat([mp3, id3v1])],
  ['extended ID3v1', 'mp3', (mp3) => Buffer.concat([mp3, id3v1Extended])],
  ['APEv2', 'mp3', (mp3) => Buffer.concat([mp3, ape(0x80)])],
  ['APEv2 before ID3v1', 'mp3', (mp3) => Buffer.concat([mp3, ape(0x80), id3v1])],
  ['Lyrics3', 'mp3', (mp3) => Buffer.concat([mp3, lyrics, id3v1])],
  ['ID3v2.4 at the end', 'mp3', (mp3) => Buffer.concat([mp3, tagWithFooter()])],
  ['ID3v2.3 at the end, where no tag is found', 'mp3', (mp3) => Buffer.concat([mp3, allFrames(3)])],
  ['APEv2 at the end with a wrong size', 'mp3', (mp3) => Buffer.concat([mp3, latin(`APETAGEX${SECRET}`)])],
  ['ID3v2 before the stream', 'flac', () => Buffer.concat([allFrames(3), flac()])],
  ['ID3v1', 'flac', () => Buffer.concat([flac(), id3v1])],
  ['bytes behind the last frame', 'flac', () => Buffer.concat([audibleFlac(), Buffer.alloc(300), latin(SECRET)])],
  ['ID3v2.3 behind the last frame', 'flac', () => Buffer.concat([audibleFlac(), allFrames(3)])],
  ['the vendor', 'flac', () => withBlock(4, vorbis(SECRET, []))],
  ...COMMENTS.map(
    (name): Carrier => [`${name} comment`, 'flac', () => withBlock(4, vorbis('v', [`${name}=${SECRET}`]))],
  ),
  ...[1, 2, 5, 6, 100].map((type): Carrier => [`block of type ${type}`, 'flac', () => withBlock(type, long(SECRET))]),
  ...WAV_CHUNKS.map(
    (id): Carrier => [`${id} chunk`, 'wav', () => Buffer.concat([wav(), makeChunk(id, long(SECRET), 'little')])],
  ),
  ...AIFF_CHUNKS.map(
    (id): Carrier => [`${id} chunk`, 'aiff', () => Buffer.concat([aiff(), makeChunk(id, long(SECRET), 'big')])],
  ),
  ...INFO_ITEMS.map((id): Carrier => {
    const info = Buffer.concat([latin('INFO'), makeChunk(id, latin(SECRET), 'little')])
    return [`${id} in LIST INFO`, 'wav', () => Buffer.concat([wav(), makeChunk('LIST', info, 'little')])]
  }),
  ['labels of cue points', 'wav', () => Buffer.concat([wav(), makeChunk('LIST', latin(`adtl${SECRET}`), 'little')])],
  ['bext chunk of an RF64', 'wav', () => rf64(makeChunk('bext', long(SECRET), 'little'))],
  ['bytes behind the last chunk', 'wav', () => Buffer.concat([wav(), latin(`\0\0${SECRET}`)])],
  ['bytes behind the last chunk', 'aiff', () => Buffer.concat([aiff(), latin(`\0\0${SECRET}`)])],
]

/** A WAV with 64-bit sizes and a chunk after its audio. */
function rf64(chunk: Buffer): Buffer {
  const plain = wav()
  const sizes = Buffer.alloc(28)
  sizes.writeBigUInt64LE(BigInt(plain.length - 44), 8)
  plain.write('RF64', 0)
  plain.writeUInt32LE(0xffffffff, 4)
  plain.writeUInt32LE(0xffffffff, 40)
  return Buffer.concat([plain.subarray(0, 12), makeChunk('ds64', sizes, 'little'), plain.subarray(12), chunk])
}

let folder = ''
let mp3: Buffer = Buffer.alloc(0)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'private-data-'))
  mp3 = await makeMp3({ seconds: SECONDS })
})
afterAll(() => rm(folder, { recursive: true }))

const taggedBytes = (path: string, body: AudioPayload) =>
  collect(readSegments(fileStorage, placeSegments(path, tagFile(body, { title: 'Title', artist: 'Artist' }).segments)))

async function download(original: Buffer, format: AudioFormat) {
  const path = join(folder, `original.${format}`)
  await writeFile(path, original)
  const body = await readPayload(path, format)
  return { path, body, bytes: await taggedBytes(path, body) }
}

const containsSecret = (bytes: Buffer) =>
  [latin(SECRET), Buffer.from(SECRET, 'utf16le'), Buffer.from(SECRET, 'utf16le').swap16()].some((each) =>
    bytes.includes(each),
  )

test.each(carriers)('drops what an upload holds in %s (%s)', async (_name, format, make) => {
  const original = make(mp3)
  expect(containsSecret(original)).toBe(true)
  const { bytes } = await download(original, format)
  expect(containsSecret(bytes)).toBe(false)
  const { common, format: found } = await parseBuffer(bytes, undefined, { duration: true })
  expect(common.title).toBe('Title')
  expect(found.duration).toBeCloseTo(SECONDS, 0)
})

test.each<[AudioFormat, Buffer]>([
  ['wav', rf64(Buffer.alloc(0))],
  ['aiff', aiff()],
  ['flac', audibleFlac()],
])('a download as %s sounds like its original', async (format, original) => {
  const { path, bytes } = await download(original, format)
  const copy = join(folder, `copy.${format}`)
  await writeFile(copy, bytes)
  const [before, after] = [await analyse(path), await analyse(copy)]
  expect(after).toEqual({ ...before, bitrate_kbps: after.bitrate_kbps })
  expect(after.playable).toBe(true)
})

const credit = latin(`\0${CREDIT}`)
test.each<[AudioFormat, () => Buffer]>([
  ['mp3', () => Buffer.concat([id3(3, [frame(3, 'TCOM', credit)]), mp3])],
  ['wav', () => Buffer.concat([wav(), makeChunk('id3 ', id3(4, [frame(4, 'TCOM', credit)]), 'little')])],
  ['aiff', () => Buffer.concat([aiff(), makeChunk('ID3 ', id3(2, [frame(2, 'TCM', credit)]), 'big')])],
  ['flac', () => withBlock(4, vorbis('v', [`Composer=${CREDIT}`]))],
])('keeps the composer of a %s', async (format, make) => {
  const { bytes } = await download(make(), format)
  expect((await parseBuffer(bytes)).common.composer).toEqual([CREDIT])
})

test('drops private data that an earlier release stored with a file', async () => {
  const { path, body } = await download(flac(), 'flac')
  const base64 = (text: string) => latin(text).toString('base64')
  if (body.kept.kind !== 'flac') throw new Error(body.kept.kind)
  const { blocks } = body.kept
  const stored = {
    ...{ kind: 'flac', vendor: SECRET, comments: [`RATING=${SECRET}`, `COMPOSER=${CREDIT}`] },
    blocks: [...blocks, { type: 2, bytes: base64(SECRET) }],
  } as const
  const bytes = await taggedBytes(path, { ...body, kept: stored as unknown as typeof body.kept })
  expect(containsSecret(bytes)).toBe(false)
  expect(bytes.includes(CREDIT)).toBe(true)
  const old = await download(mp3, 'mp3')
  const frames = [
    { id: 'POPM', bytes: base64(SECRET) },
    { id: 'TCOM', bytes: base64(`\0${CREDIT}`) },
  ]
  const tagged = await taggedBytes(old.path, {
    ...old.body,
    kept: { kind: 'mp3', frames, timing_case: 'A', skipped_samples: 0 },
  })
  expect([containsSecret(tagged), tagged.includes(CREDIT)]).toEqual([false, true])
})
