import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeAiff, makeChunk, makeMp3, makeWav } from '../../test/audio-files.ts'
import { flacOf, tone } from '../analysis/make-audio.ts'
import { syncSafe } from '../audio-files/id3-frames.ts'
import type { TagEncoding } from '../audio-files/text-encoding.ts'
import { readTags } from './tags.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-tags-'))
afterAll(() => rmSync(folder, { recursive: true }))

const u32 = (n: number) => Buffer.from([n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >> 24) & 255])
const withLengthPrefix = (text: string) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)])

/** A FLAC with these Vorbis comments (RFC 9639, 8.6). */
function flacWith(comments: string[]): string {
  const flac = flacOf([tone({ hz: 440, seconds: 0.2 })])
  const block = Buffer.concat([withLengthPrefix('x'), u32(comments.length), ...comments.map(withLengthPrefix)])
  const head = Buffer.from([0x84, block.length >> 16, (block.length >> 8) & 255, block.length & 255])
  const info = Buffer.from(flac.subarray(4, 42))
  info[0] = 0
  return writeFixture('x.flac', Buffer.concat([flac.subarray(0, 4), info, head, block, flac.subarray(42)]))
}

function writeFixture(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const read = (file: string) => readTags(file, { pictures: true })

test('reads the key of a FLAC under the names of common writers', async () => {
  for (const comment of ['INITIALKEY=8A', 'initialkey=Am', 'KEY=A minor']) {
    expect(await read(flacWith([comment]))).toMatchObject({ song_key: 'Am' })
  }
})

test('reads a key that Mixed In Key wrote into the comment', async () => {
  expect(await read(flacWith(['COMMENT=8A - Energy 7']))).toMatchObject({ song_key: 'Am' })
  expect(await read(flacWith(['COMMENT=8 Ate my homework']))).not.toHaveProperty('song_key')
})

test('leaves out implausible tempos', async () => {
  for (const bpm of ['0', '1240', 'fast']) expect(await read(flacWith([`BPM=${bpm}`]))).not.toHaveProperty('bpm')
  expect(await read(flacWith(['BPM=124.5']))).toMatchObject({ bpm: 124.5 })
})

test('ignores placeholders, and normalises letters of any script', async () => {
  const tags = await read(
    flacWith(['ARTIST=Unknown Artist', 'TITLE= Группа  кро\u0301ви\u0000', 'GENRE=Other', 'DATE=0000']),
  )
  expect(tags).toEqual({ title: 'Группа кро\u0301ви'.normalize('NFC'), genres: [] })
})

test('a file without readable tags has none, without an error', async () => {
  expect(await read(writeFixture('noise.mp3', Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7fTIT2', 'latin1')))).toEqual({
    genres: [],
  })
  expect(await read(writeFixture('empty.mp3', Buffer.alloc(0)))).toEqual({ genres: [] })
  expect(await read(path.join(folder, 'gone.mp3'))).toEqual({ genres: [] })
})

test('a tag that claims more bytes than the file has takes no memory for them', async () => {
  const before = process.memoryUsage().rss
  const oversizedTag = Buffer.concat([
    Buffer.from('RIFF\xff\xff\xff\x7fWAVELIST\xff\xff\xff\x7fINFO', 'latin1'),
    Buffer.alloc(64),
  ])
  expect(await read(writeFixture('huge.wav', oversizedTag))).toEqual({ genres: [] })
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
})

const FLAG_UNSYNCHRONISED = 0x80

const id3 = (version: number, content: Buffer, flags = 0) =>
  Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, flags]), syncSafe(content.length), content])

function frame(version: number, id: string, content: Buffer, flags = 0): Buffer {
  const plainSize = Buffer.alloc(4)
  plainSize.writeUInt32BE(content.length)
  if (version === 2) return Buffer.concat([Buffer.from(id), plainSize.subarray(1), content])
  const size = version === 4 ? syncSafe(content.length) : plainSize
  return Buffer.concat([Buffer.from(id), size, Buffer.from([0, flags]), content])
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const utf16Frame = (version: number, id: string, text: string) =>
  frame(version, id, Buffer.concat([Buffer.from([1]), utf16(text)]))
const latinFrame = (id: string, text: Buffer | string) =>
  frame(3, id, Buffer.concat([Buffer.from([0]), typeof text === 'string' ? Buffer.from(text, 'latin1') : text]))

/** Puts a zero after each 0xFF (id3v2.3.0 section 5). */
const unsynchronise = (bytes: Buffer) => Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))

const jpeg = Buffer.from('ffd8ffe000104a46494600010100ff00ffd9', 'hex')
const pictureFrame = (version: number) =>
  frame(version, 'APIC', Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), jpeg]))

const appendToWav = (chunk: Buffer) => {
  const wav = Buffer.concat([makeWav(), chunk])
  wav.writeUInt32LE(wav.length - 8, 4)
  return wav
}

describe('a tag with unsynchronisation', () => {
  const frames = (version: number) =>
    Buffer.concat([
      ...[utf16Frame(version, 'TIT2', 'Ночь'), pictureFrame(version), utf16Frame(version, 'TPE1', 'Nova')],
      ...[frame(version, 'TBPM', Buffer.from('\x00124')), utf16Frame(version, 'TALB', 'Álbum')],
    ])
  const expected = {
    title: 'Ночь',
    artist: 'Nova',
    album: 'Álbum',
    bpm: 124,
    genres: [],
    picture: new Uint8Array(jpeg),
  }

  test('is read when the unsynchronisation covers the whole tag (ID3v2.3)', async () => {
    const tag = id3(3, unsynchronise(frames(3)), FLAG_UNSYNCHRONISED)
    expect(await read(writeFixture('u3.mp3', Buffer.concat([tag, await makeMp3()])))).toEqual(expected)
    const wav = appendToWav(makeChunk('id3 ', tag, 'little'))
    expect(await read(writeFixture('u3.wav', wav))).toEqual(expected)
    const aiff = Buffer.concat([makeAiff(), makeChunk('ID3 ', tag, 'big')])
    aiff.writeUInt32BE(aiff.length - 8, 4)
    expect(await read(writeFixture('u3.aiff', aiff))).toEqual(expected)
  })

  test('is read in ID3v2.2', async () => {
    const content = Buffer.concat([
      frame(2, 'TT2', Buffer.concat([Buffer.from([1]), utf16('Ночь')])),
      frame(2, 'TP1', Buffer.concat([Buffer.from([1]), utf16('Nova')])),
    ])
    const file = writeFixture(
      'u2.mp3',
      Buffer.concat([id3(2, unsynchronise(content), FLAG_UNSYNCHRONISED), await makeMp3()]),
    )
    expect(await read(file)).toEqual({ title: 'Ночь', artist: 'Nova', genres: [] })
  })

  test('is read when it covers each frame (ID3v2.4), with and without the flags of the frames', async () => {
    for (const flags of [0x02, 0]) {
      const text = (id: string, value: string) =>
        frame(4, id, unsynchronise(Buffer.concat([Buffer.from([1]), utf16(value)])), flags)
      const tag = id3(4, Buffer.concat([text('TIT2', 'Ночь'), text('TPE1', 'Nova')]), FLAG_UNSYNCHRONISED)
      const file = writeFixture('u4.mp3', Buffer.concat([tag, await makeMp3()]))
      expect(await read(file)).toEqual({ title: 'Ночь', artist: 'Nova', genres: [] })
    }
  })

  test('is read without zeros that were never inserted, in ID3v2.4', async () => {
    const tag = id3(
      4,
      Buffer.concat([utf16Frame(4, 'TIT2', 'Ночь'), utf16Frame(4, 'TPE1', 'Nova')]),
      FLAG_UNSYNCHRONISED,
    )
    const file = writeFixture('never.mp3', Buffer.concat([tag, await makeMp3()]))
    expect(await read(file)).toEqual({ title: 'Ночь', artist: 'Nova', genres: [] })
  })
})

describe('texts declared as Latin-1', () => {
  const cyrillicTag = id3(
    3,
    Buffer.concat([
      latinFrame('TPE1', Buffer.from('cae8edee', 'hex')), // Кино
      latinFrame('TIT2', Buffer.from('c3f0f3efefe020eaf0eee2e8202852656d697829', 'hex')), // Группа крови (Remix)
      latinFrame('TCON', Buffer.from('d0eeea', 'hex')), // Рок
    ]),
  )
  const cyrillic = { artist: 'Кино', title: 'Группа крови (Remix)', genres: ['Рок'], encoding: 'cyrillic' }

  test('are read in the encoding they were written in', async () => {
    const file = writeFixture('cyrillic.mp3', Buffer.concat([cyrillicTag, await makeMp3()]))
    expect(await read(file)).toEqual(cyrillic)
    const wav = appendToWav(makeChunk('id3 ', cyrillicTag, 'little'))
    expect(await read(writeFixture('cyrillic.wav', wav))).toEqual(cyrillic)
  })

  test('are read in Shift-JIS', async () => {
    const frames = [
      latinFrame('TPE1', Buffer.from('92c596bc97d18ce7', 'hex')), // 椎名林檎
      latinFrame('TIT2', Buffer.from('837c838a838a8359838020325c', 'hex')), // ポリリズム
    ]
    const file = writeFixture('japanese.mp3', Buffer.concat([id3(3, Buffer.concat(frames)), await makeMp3()]))
    expect(await read(file)).toMatchObject({ artist: '椎名林檎', encoding: 'japanese' })
  })

  test('are read in ID3v1 and LIST INFO too', async () => {
    const id3v1 = Buffer.alloc(128)
    id3v1.write('TAG', 'latin1')
    Buffer.from('c3f0f3efefe020eaf0eee2e8', 'hex').copy(id3v1, 3)
    Buffer.from('cae8edee', 'hex').copy(id3v1, 33)
    id3v1[127] = 255
    const file = writeFixture('v1.mp3', Buffer.concat([await makeMp3(), id3v1]))
    expect(await read(file)).toMatchObject({ artist: 'Кино', title: 'Группа крови', encoding: 'cyrillic' })
    const info = Buffer.concat([Buffer.from('INFO'), makeChunk('IART', Buffer.from('cae8edee00', 'hex'), 'little')])
    const wav = appendToWav(makeChunk('LIST', info, 'little'))
    expect(await read(writeFixture('info.wav', wav))).toMatchObject({ artist: 'Кино', encoding: 'cyrillic' })
  })

  test('stay Latin-1 when they are, with the quotes of Windows-1252', async () => {
    const frames = [latinFrame('TPE1', 'Beyonc\xe9'), latinFrame('TIT2', 'Don\x92t \x96 Se\xf1orita')]
    const file = writeFixture('latin.mp3', Buffer.concat([id3(3, Buffer.concat(frames)), await makeMp3()]))
    expect(await read(file)).toEqual({ artist: 'Beyoncé', title: 'Don’t – Señorita', genres: [] })
  })

  test('are read in the encoding that was chosen', async () => {
    const file = writeFixture('chosen.mp3', Buffer.concat([cyrillicTag, await makeMp3()]))
    const readAs = (encoding: TagEncoding) => readTags(file, { pictures: false, encoding })
    expect(await readAs('western')).toMatchObject({ artist: 'Êèíî' })
    expect(await readAs('western')).not.toHaveProperty('encoding')
    expect(await readAs('greek')).toMatchObject({ artist: 'Κθνξ', encoding: 'greek' })
  })

  test('leave texts in Unicode next to them as they are', async () => {
    const frames = [latinFrame('TPE1', Buffer.from('cae8edee', 'hex')), utf16Frame(3, 'TIT2', 'Señorita É')]
    const file = writeFixture('both.mp3', Buffer.concat([id3(3, Buffer.concat(frames)), await makeMp3()]))
    expect(await read(file)).toMatchObject({ artist: 'Кино', title: 'Señorita É' })
  })
})

test('reads the tags of a WAV with 64-bit sizes (RF64)', async () => {
  const sizes = Buffer.alloc(28)
  const wav = makeWav()
  sizes.writeBigUInt64LE(BigInt(wav.length - 44), 8)
  wav.write('RF64')
  wav.writeUInt32LE(0xffffffff, 4)
  wav.writeUInt32LE(0xffffffff, 40)
  const info = Buffer.concat([Buffer.from('INFO'), makeChunk('IART', Buffer.from('Nova\0'), 'little')])
  const title = makeChunk('id3 ', id3(3, latinFrame('TIT2', 'Night Bus')), 'little')
  const file = Buffer.concat([
    ...[wav.subarray(0, 12), makeChunk('ds64', sizes, 'little'), wav.subarray(12)],
    ...[makeChunk('LIST', info, 'little'), title],
  ])
  expect(await read(writeFixture('long.wav', file))).toEqual({ title: 'Night Bus', artist: 'Nova', genres: [] })
})
