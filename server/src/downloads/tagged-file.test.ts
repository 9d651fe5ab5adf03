import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { parseBuffer } from 'music-metadata'
import { ByteVector, Picture, PictureType, StringType, File as TagFile } from 'node-taglib-sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, fileStorage, makeAiff, makeFlac, makeMp3, makeWav } from '../../test/audio-files.ts'
import { encodedSound } from '../../test/encoded-sounds.ts'
import { ALLOWED_FRAMES } from '../audio-files/allowed-tags.ts'
import type { AudioFormat } from '../audio-files/faults.ts'
import { readId3Frames } from '../audio-files/id3-frames.ts'
import { type AudioPayload, readPayload } from '../audio-files/payload.ts'
import { placeSegments, readSegments, type Segment, totalLength } from './segments.ts'
import { type Tags, tagFile } from './tagged-file.ts'

const tags: Tags = {
  title: 'Ночной рейс – 夜 (Intro)',
  artist: 'Ängström & Ωmega',
  album: 'Café',
  genres: ['Deep House', 'Hip-Hop/Rap'],
  year: 2024,
  bpm: 128,
  song_key: 'F#m',
  comment: '11A – from the pool',
  label: 'Lábel',
  isrc: 'DEAB12400001',
  remixer: 'Кто',
  replaygain_db: -3.2,
  replaygain_peak: 0.988525,
  picture: {
    mime: 'image/jpeg',
    bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]),
    width: 5,
    height: 6,
  },
}
const makers: Record<AudioFormat, () => Buffer | Promise<Buffer>> = {
  mp3: () => makeMp3(),
  wav: () => makeWav(),
  flac: () => makeFlac(),
  aiff: () => makeAiff(),
  m4a: () => encodedSound('aac.m4a'),
  ogg: () => encodedSound('vorbis.ogg'),
  opus: () => encodedSound('opus.opus'),
}
/** More than the headers and indexes that are written again. */
const HEAD_BYTES: Record<AudioFormat, number> = {
  mp3: 100,
  wav: 100,
  flac: 100,
  aiff: 100,
  m4a: 2000,
  ogg: 4500,
  opus: 200,
}
const formats = Object.keys(makers) as AudioFormat[]
let folder = ''

const hasVorbisComments = (format: AudioFormat) => format === 'flac' || format === 'ogg' || format === 'opus'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagged-'))
})
afterAll(() => rm(folder, { recursive: true }))

const readFrom = (path: string, segments: Segment[]) =>
  collect(readSegments(fileStorage, placeSegments(path, segments)))

async function download(original: Buffer, format: AudioFormat, wanted: Tags = tags) {
  const path = join(folder, `original.${format}`)
  await writeFile(path, original)
  const body = await readPayload(path, format)
  const tagged = tagFile(body, wanted)
  const bytes = await readFrom(path, tagged.segments)
  return { bytes, body, tagged }
}

async function openWithTaglib(bytes: Buffer, format: AudioFormat) {
  const path = join(folder, `tagged.${format}`)
  await writeFile(path, bytes)
  return TagFile.createFromPath(path)
}

/** The index of an M4A is not part of its audio. */
function audioBytesOf(bytes: Buffer, { ranges, kept }: AudioPayload): Buffer {
  const audio = kept.kind === 'm4a' ? ranges.slice(kept.table_ranges) : ranges
  return Buffer.concat(audio.map(({ start, end }) => bytes.subarray(start, end)))
}

describe.each(formats)('a download as %s', (format) => {
  test('has the length and the checksum that were computed without reading it', async () => {
    const { bytes, tagged } = await download(await makers[format](), format)
    expect(bytes.length).toBe(tagged.length)
    expect(crc32(bytes)).toBe(tagged.crc32)
  })

  test('contains the audio byte for byte', async () => {
    const original = await makers[format]()
    const { bytes, body } = await download(original, format)
    const sound = audioBytesOf(original, body)
    expect(sound.length).toBeGreaterThan(original.length - HEAD_BYTES[format])
    expect(bytes.includes(sound)).toBe(true)
  })

  test('shows its tags in music-metadata without a warning', async () => {
    const { bytes } = await download(await makers[format](), format)
    const { common, format: found, quality } = await parseBuffer(bytes, undefined, { duration: true })
    expect(common).toMatchObject({
      title: tags.title,
      artist: tags.artist,
      album: 'Café',
      genre: hasVorbisComments(format) ? tags.genres : ['Deep House; Hip-Hop/Rap'],
      year: 2024,
      bpm: 128,
      isrc: ['DEAB12400001'],
      label: ['Lábel'],
      remixer: ['Кто'],
      // Opus has a unit of its own.
      ...(format !== 'opus' && { replaygain_track_gain: { dB: -3.2 } }),
    })
    expect(common.comment?.map(({ text }) => text)).toContain(tags.comment)
    expect(Buffer.from(common.picture![0]!.data)).toEqual(tags.picture!.bytes)
    expect(found.duration).toBeCloseTo(1, 0)
    // The parser takes the zeros after the frames, which are legal, for nameless frames, and compares a chunk's size
    // with what is left after the chunk.
    const mistaken = /header-ID: \0|empty tag type=\0|Illegal ID3v2 tag length|Data chunk size exceeds/
    const warnings = quality.warnings.filter(({ message }) => !mistaken.test(message))
    expect(warnings).toEqual([])
  })

  test('shows its tags in TagLib', async () => {
    const file = await openWithTaglib((await download(await makers[format](), format)).bytes, format)
    const { tag } = file
    expect([tag.title, tag.performers, tag.album, tag.year]).toEqual([tags.title, [tags.artist], 'Café', 2024])
    // TagLib also treats a slash in ID3 as a separator.
    expect(tag.genres.map((genre) => genre.trim()).slice(0, 2)).toEqual(
      hasVorbisComments(format) || format === 'm4a' ? tags.genres : ['Deep House', 'Hip-Hop'],
    )
    expect([tag.beatsPerMinute, tag.initialKey, tag.isrc, tag.publisher]).toEqual([128, 'F#m', 'DEAB12400001', 'Lábel'])
    expect(tag.comment).toBe(tags.comment)
    if (format !== 'opus') expect(tag.replayGainTrackGain).toBeCloseTo(-3.2)
    if (format !== 'opus') expect(tag.replayGainTrackPeak).toBeCloseTo(0.9885)
    expect(tag.pictures.map(({ type, mimeType }) => [type, mimeType])).toEqual([[PictureType.FrontCover, 'image/jpeg']])
    expect(file.isPossiblyCorrupt).toBe(false)
    file.dispose()
  })

  test('replaces the tags of another program', async () => {
    const path = join(folder, `written.${format}`)
    await writeFile(path, await makers[format]())
    const file = TagFile.createFromPath(path)
    file.tag.title = 'OLD TITLE'
    file.tag.album = 'OLD ALBUM'
    file.tag.comment = 'get more at www.old.example'
    file.tag.initialKey = 'C'
    file.tag.pictures = [
      Picture.fromFullData(
        ByteVector.fromString('OLDPICTURE', StringType.Latin1),
        PictureType.BackCover,
        'image/png',
        '',
      ),
    ]
    file.save()
    file.dispose()
    const body = await readPayload(path, format)
    const bytes = await readFrom(path, tagFile(body, { title: 'New', artist: 'Nova' }).segments)
    const words = ['OLD TITLE', 'OLD ALBUM', 'old.example', 'OLDPICTURE']
    const left = words.filter((word) => bytes.includes(word) || bytes.includes(Buffer.from(word, 'utf16le')))
    expect(left).toEqual([])
    const { common } = await parseBuffer(bytes)
    expect([common.title, common.artist, common.album, common.key]).toEqual(['New', 'Nova', undefined, undefined])
  })

  test('keeps the comment of the original unless the pool has one', async () => {
    const path = join(folder, `commented.${format}`)
    await writeFile(path, await makers[format]())
    const file = TagFile.createFromPath(path)
    file.tag.comment = '8A - Energy 7'
    file.save()
    file.dispose()
    const body = await readPayload(path, format)
    const commentsOf = async (wanted: Tags) => {
      const { common } = await parseBuffer(await readFrom(path, tagFile(body, wanted).segments))
      return [...new Set(common.comment?.map(({ text }) => text))]
    }
    const { comment, ...others } = tags
    expect(await commentsOf(others)).toEqual(['8A - Energy 7'])
    expect(await commentsOf(tags)).toEqual([comment])
  })

  test('is the same when it is tagged twice', async () => {
    const once = await download(await makers[format](), format)
    const twice = await download(once.bytes, format)
    expect(twice.bytes.equals(once.bytes)).toBe(true)
  })

  test('has another etag when a tag changes, and the same otherwise', async () => {
    const { body, tagged } = await download(await makers[format](), format)
    expect(tagFile(structuredClone(body), { ...tags }).etag).toBe(tagged.etag)
    expect(tagFile(body, { ...tags, comment: 'another' }).etag).not.toBe(tagged.etag)
    const otherSound = { ...body, ranges: body.ranges.map((range) => ({ ...range, crc32: range.crc32 ^ 1 })) }
    expect(tagFile(otherSound, tags).etag).not.toBe(tagged.etag)
  })
})

test('does not preserve frames that the pool writes itself', async () => {
  const { bytes } = await download(await makers.mp3(), 'mp3')
  const ids = readId3Frames(bytes).map(({ id }) => id)
  expect(ids.length).toBe(14)
  expect(ids.filter((id) => ALLOWED_FRAMES.has(id))).toEqual([])
})

test('writes a tempo with a dot, and leaves out a key longer than three characters and empty values', async () => {
  const odd = { title: 'A\0B', artist: 'N', bpm: 127.5, song_key: 'F sharp', album: ' ', year: 20245 }
  const { bytes } = await download(await makers.mp3(), 'mp3', odd)
  const frames = readId3Frames(bytes).map(({ id, bytes: content }) => [id, content.toString('latin1', 1)])
  expect(frames).toEqual([
    ['TIT2', 'AB'],
    ['TPE1', 'N'],
    ['TBPM', '127.5'],
  ])
})

test('leaves out a cover that is too large for FLAC', async () => {
  const huge = { ...tags, picture: { ...tags.picture!, bytes: Buffer.alloc(17_000_000) } }
  const { bytes } = await download(makeFlac(), 'flac', huge)
  expect((await parseBuffer(bytes)).common).toMatchObject({ title: tags.title })
})

test('a WAV above 4 GiB gets its tags with 64-bit sizes', () => {
  const data_bytes = 5_000_000_001
  const body: AudioPayload = {
    format: 'wav',
    ranges: [
      { start: 48, end: 72, crc32: 1 },
      ...[
        {
          start: 80,
          end: 80 + data_bytes,
          crc32: 2,
          lead: Buffer.from('data\xff\xff\xff\xff', 'latin1').toString('base64'),
        },
      ],
    ],
    kept: { kind: 'wav', frames: [], long: { data_bytes, samples: 1_250_000_000 } },
  }
  const { segments, length } = tagFile(body, tags)
  const lengths = segments.map((segment) => (Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start))
  expect(length).toBe(lengths.reduce((sum, bytes) => sum + bytes))
  const [head, ds64, , dataHead, , fresh] = segments as Buffer[]
  expect(head).toEqual(Buffer.from('RF64\xff\xff\xff\xffWAVE', 'latin1'))
  expect(ds64!.toString('latin1', 0, 4)).toBe('ds64')
  expect([8, 16, 24].map((at) => Number(ds64!.readBigUInt64LE(at)))).toEqual([length - 8, data_bytes, 1_250_000_000])
  expect(dataHead).toEqual(Buffer.from('data\xff\xff\xff\xff', 'latin1'))
  // The padding byte of the audio.
  expect(fresh!.toString('latin1', 0, 5)).toBe('\0LIST')
  expect(fresh!.includes('id3 ')).toBe(true)
})

test('a WAV contains its title in LIST INFO too', async () => {
  const { bytes } = await download(makeWav(), 'wav')
  const { native } = await parseBuffer(bytes)
  // This reader decodes UTF-8 as Latin-1.
  const title = Buffer.from(tags.title, 'utf8').toString('latin1')
  expect(Object.values(native).flat()).toContainEqual({ id: 'INAM', value: title })
})

test('a WAV without sizes in its header gets the correct ones', async () => {
  const padded = makeWav({ channels: 1, bits: 8, seconds: 0.50003 })
  const wav = padded.subarray(0, -1)
  for (const size of [0, 0xffffffff]) {
    wav.writeUInt32LE(size, 4)
    wav.writeUInt32LE(size, 40)
    const { bytes, tagged } = await download(wav, 'wav')
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
    expect(bytes.readUInt32LE(40)).toBe(wav.length - 44)
    expect(crc32(bytes)).toBe(tagged.crc32)
    expect((await parseBuffer(bytes)).common.title).toBe(tags.title)
  }
})

test('a file that cannot be tagged safely is delivered unchanged', async () => {
  for (const [original, format] of [
    [Buffer.from('RIFF\0\0\0\0WAVE'), 'wav'],
    [Buffer.from('not audio at all'), 'flac'],
    [Buffer.alloc(0), 'mp3'],
  ] as const) {
    const { bytes, body, tagged } = await download(original, format)
    expect(body.kept).toEqual({ kind: 'as_is' })
    expect(bytes.equals(original)).toBe(true)
    expect([tagged.length, tagged.crc32]).toEqual([original.length, crc32(original)])
    expect(totalLength(tagged.segments)).toBe(original.length)
  }
})

describe('an Ogg file', () => {
  test('keeps the number of its pages, and leaves out a cover that does not fit', async () => {
    const small = await download(encodedSound('vorbis.ogg'), 'ogg')
    const large = { ...tags, picture: { ...tags.picture!, bytes: Buffer.alloc(70_000) } }
    const without = await download(encodedSound('vorbis.ogg'), 'ogg', large)
    const pagesOf = (bytes: Buffer) => bytes.toString('latin1').split('OggS').length
    expect([small, without].map(({ bytes }) => pagesOf(bytes))).toEqual(
      Array(2).fill(pagesOf(encodedSound('vorbis.ogg'))),
    )
    expect((await parseBuffer(without.bytes)).common).toMatchObject({ title: tags.title, bpm: 128 })
    expect((await parseBuffer(without.bytes)).common.picture).toBeUndefined()
  })

  test('with a large cover in the original has room for a new one, and fills its pages without one', async () => {
    const { body } = await download(encodedSound('opus.opus'), 'opus')
    if (body.kept.kind !== 'ogg') throw new Error(`kept as ${body.kept.kind}`)
    const roomy: AudioPayload = { ...body, kept: { ...body.kept, pages: 9 } }
    const path = join(folder, 'roomy.opus')
    await writeFile(path, encodedSound('opus.opus'))
    const picture = { ...tags.picture!, bytes: Buffer.alloc(200_000, 7) }
    for (const wanted of [
      { ...tags, picture },
      { title: 'Short', artist: 'N' },
    ]) {
      const bytes = await readFrom(path, tagFile(roomy, wanted).segments)
      const { common } = await parseBuffer(bytes)
      expect([common.title, common.picture?.[0]?.data.length]).toEqual([
        wanted.title,
        'picture' in wanted ? 200_000 : undefined,
      ])
      const sequence = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) =>
        bytes.readUInt32LE(index + 18),
      )
      expect(sequence.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    }
  })

  test('has its loudness in the unit of Opus', async () => {
    const { bytes } = await download(encodedSound('opus.opus'), 'opus')
    // −3.2 dB to −18 LUFS are −8.2 dB to −23 LUFS.
    expect(bytes.includes('R128_TRACK_GAIN=-2099')).toBe(true)
    expect(bytes.includes('REPLAYGAIN')).toBe(false)
  })
})
