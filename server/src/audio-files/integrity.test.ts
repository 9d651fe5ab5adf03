import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodedSound } from '../../test/encoded-sounds.ts'
import { fc, runCount } from '../../test/properties.ts'
import { aiffOf, flacOf, id3Of, mp3Of, tone, wavOf, withInfoFrame } from '../analysis/make-audio.ts'
import { crc16 } from './crc.ts'
import { FileWindow } from './file-window.ts'
import { inspect, type Structure } from './integrity.ts'
import type { M4aStructure } from './integrity-m4a.ts'
import { makeBox } from './mp4-boxes.ts'

let folder: string
let mp3: Buffer
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'integrity-'))
  mp3 = await mp3Of([tone({ hz: 440, seconds: 5 }), tone({ hz: 550, seconds: 5 })])
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

function inspected(bytes: Uint8Array) {
  const file = path.join(folder, 'sound.mp3')
  fs.writeFileSync(file, bytes)
  const fd = fs.openSync(file, 'r')
  try {
    return inspect(new FileWindow(fd))
  } finally {
    fs.closeSync(fd)
  }
}

/** A structure with a usable duration, or a fault; every fault says what is wrong. */
function expectReadable(result: ReturnType<typeof inspect>) {
  const faults = 'format' in result ? result.faults : [result]
  for (const { code, message } of faults) expect([code, message]).not.toContain('')
  if (!('format' in result)) return
  expect(Number.isFinite(result.duration_seconds)).toBe(true)
  expect(result.duration_seconds).toBeGreaterThanOrEqual(0)
  expect(result.is_decodable || faults.length > 0).toBe(true)
}

/** Codes of the faults found; a file in no supported format has one. */
function codes(bytes: Uint8Array): string[] {
  const found = inspected(bytes)
  return 'format' in found ? found.faults.map(({ code }) => code) : [found.code]
}

const ID3V1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)])
const LYRICS = 'LYRICSBEGININD0000200LYR00011Some words.'
const LYRICS3 = Buffer.from(`${LYRICS}${String(LYRICS.length).padStart(6, '0')}LYRICS200`)

function ape(): Buffer {
  const item = Buffer.from('\x05\0\0\0\0\0\0\0Title\0Words', 'latin1')
  const end = (flags: number) => {
    const bytes = Buffer.alloc(32)
    bytes.write('APETAGEX')
    bytes.writeUInt32LE(2000, 8)
    bytes.writeUInt32LE(item.length + 32, 12)
    bytes.writeUInt32LE(1, 16)
    bytes.writeUInt32LE(flags, 20)
    return bytes
  }
  return Buffer.concat([end(0xa000_0000), item, end(0x8000_0000)])
}

/** Frames of MPEG-1 at 128 kbit/s with a checksum over header and side information, all silent. */
function protectedFrames(count: number): Buffer[] {
  return Array.from({ length: count }, () => {
    const frame = Buffer.alloc(417)
    frame.set([0xff, 0xfa, 0x90, 0x00])
    frame.writeUInt16BE(crc16(frame.subarray(6, 38), crc16(frame.subarray(2, 4), 0xffff)), 4)
    return frame
  })
}

describe('an intact MP3', () => {
  test('returns its length and bit rate', () => {
    const found = inspected(mp3) as Structure & { bitrate_kbps: number }
    expect([found.format, found.faults, found.bitrate_kbps]).toEqual(['mp3', [], 128])
    expect(found.duration_seconds).toBeCloseTo(5, 0)
  })

  test.each<[string, (sound: Buffer) => Buffer[]]>([
    ['an ID3 tag', (sound) => [id3Of(5000), sound]],
    ['two ID3 tags', (sound) => [id3Of(3000), id3Of(200), sound]],
    ['an ID3 tag with a picture of 2 MB', (sound) => [id3Of(2_000_000), sound]],
    ['an ID3v1 tag', (sound) => [sound, ID3V1]],
    ['an APE tag and an ID3v1 tag', (sound) => [sound, ape(), ID3V1]],
    ['Lyrics3', (sound) => [sound, LYRICS3, ID3V1]],
    ['zeros at the end', (sound) => [sound, Buffer.alloc(10_000)]],
    ['zeros at the beginning', (sound) => [Buffer.alloc(3000), sound]],
  ])('has no fault with %s', (_, parts) => {
    expect(codes(Buffer.concat(parts(mp3)))).toEqual([])
  })

  test('has no fault with a correct frame count in its first frame', () => {
    const frames = Math.round(((inspected(mp3) as Structure).duration_seconds * 44_100) / 1152)
    expect(codes(withInfoFrame(mp3, { frames }))).toEqual([])
  })

  test('has no fault with correct frame checksums', () => {
    expect(codes(Buffer.concat(protectedFrames(12)))).toEqual([])
  })
})

describe('a damaged MP3', () => {
  test('is truncated in the middle of a frame', () => {
    const found = inspected(mp3.subarray(0, 40_000)) as Structure
    expect(found.faults).toMatchObject([{ code: 'truncated' }])
    expect(found.faults[0]!.at_seconds).toBeCloseTo(2.5, 1)
  })

  test('is truncated between two frames, which only the frame count shows', () => {
    const whole = protectedFrames(40)
    const bytes = withInfoFrame(Buffer.concat(whole), { frames: 40 })
    expect(codes(bytes.subarray(0, 417 * 21))).toEqual(['header_count'])
  })

  test('has a part overwritten with zeros, with its position', () => {
    const bytes = Buffer.from(mp3)
    bytes.fill(0, 32_000, 36_000)
    const found = inspected(bytes) as Structure
    expect(found.faults).toMatchObject([{ code: 'lost_sync' }])
    expect(found.faults[0]!.at_seconds).toBeCloseTo(2, 1)
  })

  test('has text in the middle', () => {
    const text = Buffer.from('<html>502 Bad Gateway</html>'.repeat(20))
    expect(codes(Buffer.concat([mp3.subarray(0, 30_000), text, mp3.subarray(30_000)]))).toEqual(['lost_sync'])
  })

  test('has no beginning', () => {
    expect(codes(mp3.subarray(5100))).toEqual(['leading_junk'])
  })

  test('has a frame that does not match its checksum', () => {
    const frames = protectedFrames(12)
    frames[5]![20]! ^= 1
    expect(codes(Buffer.concat(frames))).toEqual(['frame_checksum'])
  })

  test('gets a warning when one bit changed after encoding', () => {
    const bytes = withInfoFrame(mp3, { frames: 0 })
    bytes[30_000]! ^= 1
    expect(codes(bytes)).toEqual(['checksum_altered'])
  })

  test('is refused in free format', () => {
    const frame = Buffer.alloc(600)
    frame.set([0xff, 0xfb, 0x00, 0x00])
    expect(codes(Buffer.concat(Array.from({ length: 12 }, () => frame)))).toEqual(['free_format'])
  })
})

describe('WAV and AIFF', () => {
  const sound = [tone({ hz: 440, seconds: 1 })]

  test('report truncation and its position', () => {
    for (const bytes of [wavOf(sound), aiffOf(sound)]) {
      const found = inspected(bytes.subarray(0, 44_100)) as Structure
      expect(found.faults).toMatchObject([{ code: 'truncated' }])
      expect(found.faults[0]!.at_seconds).toBeCloseTo(0.5, 1)
    }
  })

  test('report a header without audio', () => {
    expect([codes(wavOf(sound).subarray(0, 44)), codes(aiffOf(sound).subarray(0, 54))]).toEqual([
      ['truncated'],
      ['truncated'],
    ])
  })

  test('accept an ID3 chunk after the audio', () => {
    const chunk = Buffer.concat([Buffer.from('id3 \x10\0\0\0', 'latin1'), Buffer.alloc(16)])
    expect(codes(Buffer.concat([wavOf(sound), chunk]))).toEqual([])
  })

  test('refuse compressed audio inside', () => {
    const bytes = wavOf(sound)
    bytes.writeUInt16LE(0x55, 20)
    expect([codes(bytes), codes(aiffOf(sound, { compression: 'ima4' }))]).toEqual([
      ['unsupported_pcm'],
      ['unsupported_pcm'],
    ])
  })
})

describe('the format is detected by the content', () => {
  const sound = [tone({ hz: 440, seconds: 1 })]
  test.each<[string, Buffer]>([
    ['wav', wavOf(sound)],
    ['wav', wavOf(sound, { rf64: true })],
    ['aiff', aiffOf(sound)],
    ['aiff', aiffOf(sound, { compression: 'sowt' })],
    ['flac', flacOf(sound)],
    ['flac', Buffer.concat([id3Of(100), flacOf(sound)])],
  ])('as %s, even if the name says .mp3', (format, bytes) => {
    expect(inspected(bytes)).toMatchObject({ format })
  })

  test.each<[string, Buffer]>([
    ['empty_file', Buffer.alloc(0)],
    ['not_audio', Buffer.from('hello')],
    ['not_audio', Buffer.from('PK\x03\x04rest of an archive'.repeat(1000), 'latin1')],
    ['not_audio', Buffer.alloc(100_000)],
    ['not_audio', Buffer.alloc(100_000, 0xff)],
    ['not_audio', id3Of(500)],
    ['undecodable', Buffer.concat([Buffer.from('\0\0\0\x20ftypM4A ', 'latin1'), Buffer.alloc(5000)])],
    ['undecodable', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(5000)])],
  ])('%s', (code, bytes) => {
    expect(codes(bytes)).toEqual([code])
  })

  test('handles any bytes without throwing', () => {
    for (const head of [
      'RIFF....WAVE',
      'RIFF....WAVEfmt ',
      'FORM....AIFF',
      'FORM....AIFFCOMM',
      'fLaC',
      'ID3',
      '\xff\xfb\x90\0',
    ]) {
      for (const length of [head.length, 20, 50, 3000]) {
        const bytes = Buffer.alloc(length, 0x7f)
        bytes.write(head, 0, 'latin1')
        expect(() => inspected(bytes)).not.toThrow()
      }
    }
  })
})

describe('M4A', () => {
  const aac = encodedSound('aac.m4a')
  const alac = encodedSound('alac.m4a')
  const moov = aac.indexOf('moov') - 4
  const patched = (find: string, change: (bytes: Buffer, at: number) => void) => {
    const bytes = Buffer.from(aac)
    change(bytes, bytes.indexOf(find))
    return bytes
  }

  test('reads the duration without the priming, the sample rate and the channels', () => {
    const { track, ...found } = inspected(aac) as M4aStructure
    expect(found).toMatchObject({ format: 'm4a', faults: [], duration_seconds: 1, is_decodable: true })
    expect(track).toMatchObject({ codec: 'aac', sample_rate: 44_100, channels: 2, start_seconds: 1024 / 44_100 })
    const lossless = (inspected(alac) as M4aStructure).track
    expect(lossless).toMatchObject({ codec: 'alac', sample_rate: 16_000, channels: 1, bits: 24, start_seconds: 0 })
  })

  test('takes the priming from iTunes’ note when there is no edit list', () => {
    const fields = ['00000000', '00000840', '00000114', '0000000000007A00', ...Array<string>(8).fill('00000000')]
    const text = ` ${fields.join(' ')}`
    const item = makeBox(
      '----',
      makeBox('mean', Buffer.alloc(4), Buffer.from('com.apple.iTunes')),
      makeBox('name', Buffer.alloc(4), Buffer.from('iTunSMPB')),
      makeBox('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(text)),
    )
    const userData = makeBox('udta', makeBox('meta', Buffer.alloc(4), makeBox('ilst', item)))
    const index = Buffer.from(
      aac.subarray(moov).toString('latin1').replaceAll('edts', 'free').replace('udta', 'free'),
      'latin1',
    )
    index.writeUInt32BE(index.length + userData.length)
    const { track, duration_seconds } = inspected(
      Buffer.concat([aac.subarray(0, moov), index, userData]),
    ) as M4aStructure
    expect([track?.start_seconds, duration_seconds]).toEqual([2112 / 44_100, expect.closeTo(31_232 / 44_100, 6)])
  })

  test('reports a truncated file, with its index at the end or at the start', () => {
    expect(codes(aac.subarray(0, moov))).toEqual(['truncated'])
    expect(codes(aac.subarray(0, moov + 100))).toEqual(['truncated'])
    expect(codes(aac.subarray(0, 20))).toEqual(['undecodable'])
    const shifted = patched('stco', (bytes, at) => bytes.writeUInt32BE(bytes.readUInt32BE(at + 12) + 5000, at + 12))
    expect(codes(shifted)).toEqual(['truncated'])
  })

  test('reports a file whose second half is zeros', () => {
    const bytes = Buffer.from(alac)
    const start = bytes.indexOf('mdat') + 4
    bytes.fill(0, start + 15_000, bytes.indexOf('moov') - 4)
    expect(inspected(bytes)).toMatchObject({ faults: [{ code: 'truncated', at_seconds: 0.5 }] })
  })

  test.each([
    ['a fragmented file', patched('moov', (bytes, at) => bytes.write('moof', at)), /fragmented/],
    ['a video', patched('soun', (bytes, at) => bytes.write('vide', at)), /video/],
    ['a protected file', patched('mp4a', (bytes, at) => bytes.write('drms', at)), /DRM/],
    ['another codec', patched('mp4a', (bytes, at) => bytes.write('ac-3', at)), /“ac-3”/],
    ['a file without audio', patched('soun', (bytes, at) => bytes.write('text', at)), /no audio/],
    ['MP3 in an MP4 file', patched('esds', (bytes, at) => bytes.writeUInt8(0x6b, bytes.indexOf(0x40, at))), /MP3/],
  ])('refuses %s and says why', (_, bytes, message) => {
    const { faults, is_decodable } = inspected(bytes) as M4aStructure
    expect([faults.map(({ code }) => code), is_decodable]).toEqual([['unsupported_format'], false])
    expect(faults[0]!.message).toMatch(message)
  })

  test('an image in the same container is not audio', () => {
    expect(codes(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'))).toEqual(['not_audio'])
  })

  test('never throws for a damaged index', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(aac.length - moov - 1), fc.nat(255)), { minLength: 1 }), (changes) => {
        const bytes = Buffer.from(aac)
        for (const [at, value] of changes) bytes[moov + at] = value
        expectReadable(inspected(bytes))
      }),
      { numRuns: runCount(200) },
    )
  })
})

describe.each([
  ['Vorbis', 'ogg', encodedSound('vorbis.ogg'), 44_100],
  ['Opus', 'opus', encodedSound('opus.opus'), 48_000],
] as const)('Ogg %s', (_, format, sound, sample_rate) => {
  const half = Math.round(sound.length * 0.7)

  test('reads the duration, the sample rate and the channels', () => {
    expect(inspected(sound)).toMatchObject({ format, faults: [], sample_rate, channels: 2, duration_seconds: 1 })
  })

  test('reports a truncated file', () => {
    expect(codes(sound.subarray(0, half))).toEqual(['truncated'])
    expect(codes(sound.subarray(0, sound.lastIndexOf('OggS')))).toEqual(['truncated'])
    expect(codes(sound.subarray(0, 60))).toEqual(['truncated'])
  })

  test('reports a flipped bit in any page with audio', () => {
    for (const at of [half, sound.length - 50]) {
      const bytes = Buffer.from(sound)
      bytes[at]! ^= 4
      expect(codes(bytes)[0]).toBe('frame_checksum')
    }
  })

  test('reports a missing page', () => {
    const start = sound.indexOf('OggS', sound.indexOf('OggS', 30) + 4)
    const next = sound.indexOf('OggS', start + 4)
    if (next > 0) expect(codes(Buffer.concat([sound.subarray(0, start), sound.subarray(next)]))).toEqual(['lost_sync'])
  })

  test('reports overwritten bytes between pages, and a second stream', () => {
    const last = sound.lastIndexOf('OggS')
    expect(codes(Buffer.concat([sound.subarray(0, last), Buffer.alloc(500), sound.subarray(last)]))).toEqual([
      'lost_sync',
    ])
    expect(codes(Buffer.concat([sound, sound]))).toEqual(['second_file'])
  })

  test('accepts a tag after the end', () => {
    expect(codes(Buffer.concat([sound, Buffer.from('TAG'), Buffer.alloc(125)]))).toEqual([])
  })

  test('refuses another codec and says why', () => {
    const bytes = Buffer.from(sound)
    bytes.write('Speex   ', 28, 'latin1')
    expect(inspected(bytes)).toMatchObject({
      faults: [{ code: 'unsupported_format', message: expect.stringContaining('Speex') }],
    })
  })

  test('never throws for damaged bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1 }), (changes) => {
        const bytes = Buffer.from(sound)
        for (const [at, value] of changes) bytes[at] = value
        expectReadable(inspected(bytes))
      }),
      { numRuns: runCount(100) },
    )
  })
})
