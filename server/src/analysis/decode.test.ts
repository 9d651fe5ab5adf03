import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodedSound, encodedSoundSamples } from '../../test/encoded-sounds.ts'
import type { Fault } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { inspect, type Structure } from '../audio-files/integrity.ts'
import { decode } from './decode.ts'
import { aiffOf, flacOf, mp3Of, silentFlacOf, tone, wavOf } from './make-audio.ts'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'decode-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** Writes, inspects and decodes a file; returns the complete channels. */
async function decoded(bytes: Buffer) {
  const file = path.join(folder, 'sound')
  fs.writeFileSync(file, bytes)
  const fd = fs.openSync(file, 'r')
  try {
    const structure = inspect(new FileWindow(fd)) as Structure
    const faults: Fault[] = [...structure.faults]
    const channels: number[][] = []
    let rate = 0
    for await (const block of decode(fd, structure, (fault) => faults.push(fault))) {
      rate = block.sample_rate
      block.channels.forEach((samples, channel) => {
        channels[channel] ??= []
        for (const sample of samples) channels[channel].push(sample)
      })
    }
    return { format: structure.format, faults, channels, rate }
  } finally {
    fs.closeSync(fd)
  }
}

const left = tone({ hz: 440, seconds: 2, db: -6 })
const right = tone({ hz: 660, seconds: 2, db: -12 })

function worstError(channels: number[][], expected: Float32Array[]): number {
  let worst = 0
  expected.forEach((samples, channel) => {
    samples.forEach((sample, i) => {
      worst = Math.max(worst, Math.abs(sample - channels[channel]![i]!))
    })
  })
  return worst
}

describe('decode', () => {
  test.each([
    ['WAV 8 bit', wavOf([left, right], { bits: 8 }), 1 / 128],
    ['WAV 16 bit', wavOf([left, right]), 1 / 32_768],
    ['WAV 24 bit', wavOf([left, right], { bits: 24 }), 1e-6],
    ['WAV 32 bit', wavOf([left, right], { bits: 32 }), 1e-6],
    ['WAV float', wavOf([left, right], { bits: 32, float: true }), 0],
    ['WAV double', wavOf([left, right], { bits: 64, float: true }), 0],
    ['WAV extensible', wavOf([left, right], { bits: 24, extensible: true }), 1e-6],
    ['RF64', wavOf([left, right], { rf64: true }), 1 / 32_768],
    ['WAV of unknown size', wavOf([left, right], { dataSize: 0xffff_ffff }), 1 / 32_768],
    ['WAV of size 0', wavOf([left, right], { dataSize: 0 }), 1 / 32_768],
    ['AIFF 8 bit', aiffOf([left, right], { bits: 8 }), 1 / 128],
    ['AIFF 16 bit', aiffOf([left, right]), 1 / 32_768],
    ['AIFF 24 bit', aiffOf([left, right], { bits: 24 }), 1e-6],
    ['AIFF-C, bytes swapped (sowt)', aiffOf([left, right], { compression: 'sowt' }), 1 / 32_768],
    ['AIFF-C float', aiffOf([left, right], { bits: 32, compression: 'fl32' }), 0],
    ['FLAC 16 bit', flacOf([left, right]), 1 / 16_384],
    ['FLAC 24 bit', flacOf([left, right], { bits: 24 }), 1e-6],
  ])('%s returns every sample of both channels', async (_, bytes, tolerance) => {
    const { channels, faults, rate } = await decoded(bytes)
    expect([faults, rate, channels.map((samples) => samples.length)]).toEqual([[], 44_100, [88_200, 88_200]])
    expect(worstError(channels, [left, right])).toBeLessThanOrEqual(tolerance)
  })

  test('reads the sample rate of an AIFF from its 80-bit float', async () => {
    const rates = [8000, 22_050, 48_000, 96_000, 192_000]
    const read = await Promise.all(rates.map(async (rate) => (await decoded(aiffOf([left], { rate }))).rate))
    expect(read).toEqual(rates)
  })

  test('keeps the loudness and length of an MP3', async () => {
    const { channels, faults } = await decoded(await mp3Of([left, right]))
    const middle = channels[0]!.slice(20_000, 60_000)
    expect(faults).toEqual([])
    expect(Math.max(...middle)).toBeCloseTo(0.5, 1)
    expect(Math.abs(channels[0]!.length - left.length)).toBeLessThan(4 * 1152)
  })

  test('reads NaN as silence', async () => {
    const { channels } = await decoded(
      wavOf([Float32Array.of(0.5, Number.NaN, Infinity, -0.5)], { bits: 32, float: true }),
    )
    expect(channels[0]).toEqual([0.5, 0, 0, -0.5])
  })
})

test('decodes a few bytes of FLAC that expand to minutes in small blocks', async () => {
  const file = path.join(folder, 'bomb.flac')
  const bytes = silentFlacOf(200)
  fs.writeFileSync(file, bytes)
  const fd = fs.openSync(file, 'r')
  const structure = inspect(new FileWindow(fd)) as Structure
  const faults: Fault[] = []
  const lengths: number[] = []
  for await (const { channels } of decode(fd, structure, (fault) => faults.push(fault)))
    lengths.push(channels[0]!.length)
  fs.closeSync(fd)
  expect(bytes.length).toBeLessThan(4000)
  expect([faults, lengths.reduce((sum, length) => sum + length, 0)]).toEqual([[], 200 * 65_535])
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2 ** 22 + 65_535)
})

describe('faults that only decoding can find', () => {
  const flac = flacOf([left])
  const codes = async (bytes: Buffer) => (await decoded(bytes)).faults.map(({ code }) => code)

  test('reports a truncated FLAC', async () => {
    const { faults } = await decoded(flac.subarray(0, flac.length / 2))
    expect(faults.map(({ code }) => code)).toEqual(['truncated', 'flac_md5'])
    expect(faults[0]!.at_seconds).toBeCloseTo(0.93, 1)
  })

  test('reports a FLAC with an overwritten part', async () => {
    const bytes = Buffer.from(flac)
    bytes.fill(0, 60_000, 61_000)
    expect(await codes(bytes)).toContain('flac_md5')
  })

  test('reports a FLAC whose checksum does not match its audio', async () => {
    const bytes = Buffer.from(flac)
    bytes[8 + 20]! ^= 1
    expect(await codes(bytes)).toEqual(['flac_md5'])
  })

  test('reports nothing for a FLAC without a checksum, with an ID3 tag at the start or the end', async () => {
    const without = Buffer.from(flac)
    without.fill(0, 8 + 18, 8 + 34)
    const id3 = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x10', 'latin1'), Buffer.alloc(16)])
    const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
    expect([await codes(without), await codes(Buffer.concat([id3, flac, id3v1]))]).toEqual([[], []])
  })
})

/** The offset, in samples, at which the decoded sound is most like the expected one. */
function bestOffset(sound: number[], expected: Float32Array): number {
  const length = Math.min(20_000, expected.length / 2)
  const from = expected.length / 4
  let best = { offset: 0, error: Number.POSITIVE_INFINITY }
  for (let offset = -100; offset <= 100; offset++) {
    let error = 0
    for (let i = from; i < from + length; i++) error += (sound[i + offset]! - expected[i]!) ** 2
    if (error < best.error) best = { offset, error }
  }
  return best.offset
}

/** Without the first frames, for which an encoder has little to go by. */
function meanError(sound: number[], expected: Float32Array): number {
  const from = 2048
  const sum = expected.reduce((total, sample, i) => total + (i < from ? 0 : (sample - sound[i]!) ** 2), 0)
  return Math.sqrt(sum / (expected.length - from))
}

describe('decoding M4A', () => {
  test('returns the samples of an AAC file from the first real one to the last', async () => {
    const { channels, rate, faults, format } = await decoded(encodedSound('aac.m4a'))
    expect([format, rate, faults, channels.map((samples) => samples.length)]).toEqual([
      ...['m4a', 44_100, []],
      [44_100, 44_100],
    ])
    const expected = encodedSoundSamples(44_100)
    expect(channels.map((samples, n) => bestOffset(samples, expected[n]!))).toEqual([0, 0])
    expect(channels.map((samples, n) => meanError(samples, expected[n]!) < 0.03)).toEqual([true, true])
  })

  test('returns the samples of an ALAC file exactly', async () => {
    const { channels, rate, faults } = await decoded(encodedSound('alac.m4a'))
    expect([rate, faults, channels.length, channels[0]!.length]).toEqual([16_000, [], 1, 16_000])
    expect(worstError(channels, [encodedSoundSamples(16_000)[0]])).toBeLessThanOrEqual(1 / 32_768)
  })

  test('reports a damaged frame, and replaces it by silence of the same length', async () => {
    for (const name of ['aac.m4a', 'alac.m4a'] as const) {
      const bytes = encodedSound(name)
      const half = bytes.indexOf('mdat') + 6000
      bytes.fill(0xff, half, half + 1000)
      const { channels, faults, rate } = await decoded(bytes)
      expect(faults.map(({ code, message }) => [code, message])).toEqual([
        ['lost_sync', expect.stringMatching(/^The M4A file is damaged at 0:00: \d+ frames? can’t be decoded\.$/)],
      ])
      expect(channels[0]!.length).toBe(rate)
    }
  })

  test('decodes a truncated file as far as it goes', async () => {
    const bytes = encodedSound('alac.m4a')
    const moov = bytes.indexOf('moov') - 4
    // The index first, as in files made for streaming.
    const { channels, faults } = await decoded(withIndexFirst(bytes, moov).subarray(0, -9000))
    expect(faults.map(({ code }) => code)).toEqual(['truncated'])
    expect(channels[0]!.length).toBeGreaterThan(4000)
    expect(channels[0]!.length).toBeLessThan(16_000)
  })
})

/** Moves the index of an M4A with a single chunk in front of its audio. */
function withIndexFirst(bytes: Buffer, moov: number): Buffer {
  const ftypBytes = bytes.readUInt32BE(0)
  const index = Buffer.from(bytes.subarray(moov))
  const offsetAt = index.indexOf('stco') + 12
  index.writeUInt32BE(index.readUInt32BE(offsetAt) + index.length, offsetAt)
  return Buffer.concat([bytes.subarray(0, ftypBytes), index, bytes.subarray(ftypBytes, moov)])
}

describe('decoding Ogg', () => {
  test.each([
    ['Vorbis', 'vorbis.ogg', 'ogg', 44_100],
    ['Opus', 'opus.opus', 'opus', 48_000],
  ] as const)(
    'returns the samples of a %s file from the first real one to the last',
    async (_, name, expectedFormat, rate) => {
      const { channels, faults, ...found } = await decoded(encodedSound(name))
      expect([found.format, found.rate, faults]).toEqual([expectedFormat, rate, []])
      expect(channels.map((samples) => samples.length)).toEqual([rate, rate])
      const expected = encodedSoundSamples(rate)
      expect(channels.map((samples, n) => bestOffset(samples, expected[n]!))).toEqual([0, 0])
      expect(channels.map((samples, n) => meanError(samples, expected[n]!) < 0.03)).toEqual([true, true])
    },
  )

  test('applies the gain in the header of an Opus file', async () => {
    const bytes = encodedSound('opus.opus')
    const plain = (await decoded(bytes)).channels[1]!
    // −6 dB, in 256ths.
    bytes.writeInt16LE(-6 * 256, bytes.indexOf('OpusHead') + 16)
    const quieter = (await decoded(bytes)).channels[1]!
    expect(quieter[24_000]! / plain[24_000]!).toBeCloseTo(10 ** (-6 / 20), 4)
  })

  test('does not throw for damaged headers and audio', async () => {
    for (const name of ['vorbis.ogg', 'opus.opus'] as const) {
      for (let at = 28; at < 4000; at += 151) {
        const bytes = encodedSound(name)
        bytes.fill(0x5a, at, at + 20)
        const structure = await decoded(bytes).catch((error: unknown) => error)
        expect(structure).not.toBeInstanceOf(Error)
      }
    }
  })

  test('decodes a truncated file as far as it goes', async () => {
    for (const name of ['vorbis.ogg', 'opus.opus'] as const) {
      const bytes = withoutEnd(encodedSound(name))
      const { channels, faults } = await decoded(bytes)
      expect(faults.map(({ code }) => code)).toEqual(['truncated'])
      expect(channels[0]!.length).toBeGreaterThan(0)
    }
  })
})

/** Without its last page. */
const withoutEnd = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf('OggS'))
