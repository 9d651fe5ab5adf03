import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodedSound } from '../../../test/encoded-sounds.ts'
import { crc16Reflected } from '../../audio-files/crc.ts'
import { FileWindow } from '../../audio-files/file-window.ts'
import { inspect } from '../../audio-files/integrity.ts'
import { parseCountFrame, parseFrameHeader } from '../../audio-files/mp3-frame.ts'
import { readMp3Timing } from '../../audio-files/mp3-timing.ts'
import { decode } from '../decode.ts'
import { flacOf, mp3Of, tone, wavOf } from '../make-audio.ts'
import { type ConversionOptions, convertOpened } from './convert.ts'
import { CONVERTED_MP3_TIMING } from './formats.ts'
import { FineHalfRate, kaiserHalfBand } from './half-rate.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-convert-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function converted(sound: Buffer, options: Partial<ConversionOptions> = {}): Promise<Buffer> {
  const [from, to] = [path.join(folder, 'source'), path.join(folder, 'target')]
  writeFileSync(from, sound)
  const [source, target] = [await open(from, 'r'), await open(to, 'w')]
  try {
    const files = { source: source.fd, target: target.fd }
    await convertOpened(files, { format: 'aiff', maxDurationSeconds: 600, ...options })
    return readFileSync(to)
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

/** The samples of each channel, and what the file says about itself. */
async function decoded(sound: Buffer) {
  const name = path.join(folder, 'decoded')
  writeFileSync(name, sound)
  const file = await open(name, 'r')
  try {
    const structure = inspect(new FileWindow(file.fd))
    if (!('format' in structure)) throw new Error(structure.message)
    const blocks: Float32Array[][] = []
    let rate = 0
    for await (const { channels, sample_rate } of decode(file.fd, structure, (fault) =>
      expect(fault).toBeUndefined(),
    )) {
      blocks.push(channels.map((samples) => samples.slice()))
      rate = sample_rate
    }
    const channels = blocks[0]!.map((_, n) => Float32Array.from(blocks.flatMap((block) => [...block[n]!])))
    return { structure, channels, rate }
  } finally {
    await file.close()
  }
}

const noise = (seed: number) =>
  Float32Array.from({ length: 9001 }, (_, n) => Math.sin(n * n * seed) * (n % 2 === 0 ? 1 : 0.3))
const [left, right] = [noise(0.37), noise(0.91)]
/** The greatest and the smallest sample are where rounding would clip. */
left[10] = 1
right[11] = -1

/** Samples as integers of this many bits, which the decoder of AIFF divides by a power of two. */
const integers = (samples: Float32Array, bits: number) => [...samples].map((value) => value * 2 ** (bits - 1))

describe('an AIFF', () => {
  test.each([
    ['WAV of 16 bits', wavOf([left, right]), 16],
    ['WAV of 24 bits', wavOf([left, right], { bits: 24 }), 24],
    ['mono WAV', wavOf([left]), 16],
    ['ALAC of 24 bits', encodedSound('alac.m4a'), 24],
  ])('has the exact samples of a %s', async (_, sound, bits) => {
    const [source, result] = [await decoded(sound), await decoded(await converted(sound))]
    expect(result.structure).toMatchObject({ format: 'aiff', layout: { sample_bytes: bits / 8 } })
    expect(result.rate).toBe(source.rate)
    expect(result.channels.map((samples) => integers(samples, bits))).toEqual(
      source.channels.map((samples) => integers(samples, bits)),
    )
  })

  test.each([16, 24] as const)('has the exact samples of a FLAC of %i bits', async (bits) => {
    const result = await decoded(await converted(flacOf([left, right], { bits })))
    // The same samples, written by the same function, as a WAV.
    const expected = await decoded(wavOf([left, right], { bits }))
    expect(result.channels.map((samples) => integers(samples, bits))).toEqual(
      expected.channels.map((samples) => integers(samples, bits)),
    )
  })

  test('has 24 bits for floats and 32 bits, limited to full scale, and 16 for 8 bits', async () => {
    const loud = Float32Array.of(0.5, 1.5, -1.5, 0.25)
    for (const [sound, bytes, level] of [
      [wavOf([loud], { bits: 32, float: true }), 3, 1 - 2 ** -23],
      [wavOf([loud.map((value) => value / 2)], { bits: 32 }), 3, 0.75],
      [wavOf([loud.map((value) => value / 2)], { bits: 8 }), 2, 0.75],
    ] as const) {
      const { structure, channels } = await decoded(await converted(sound))
      expect(structure).toMatchObject({ layout: { sample_bytes: bytes } })
      expect(channels[0]![1]).toBeCloseTo(level, bytes === 2 ? 1 : 6)
    }
  })
})

describe('an MP3', () => {
  const sine = tone({ hz: 997, seconds: 1, db: -6 })

  test('has 320 kbit/s in every frame, the length of its source, and an info frame with valid checksums', async () => {
    const mp3 = await converted(wavOf([sine, sine]), { format: 'mp3' })
    const header = parseFrameHeader(mp3)!
    expect(header).toMatchObject({ bitrate_kbps: 320, sample_rate: 44_100, channels: 2 })
    const info = parseCountFrame(mp3.subarray(0, header.bytes), header)!
    const tagAt = 4 + header.side_bytes + 120
    expect([info.id, mp3.toString('latin1', tagAt, tagAt + 9)]).toEqual(['Info', 'LAME3.100'])
    let frames = 0
    for (let at = header.bytes; at < mp3.length; frames++) {
      const next = parseFrameHeader(mp3.subarray(at))!
      expect(next.bitrate_kbps).toBe(320)
      at += next.bytes
    }
    expect(info.frames).toBe(frames)
    // The checksum of LAME's tag, and that of the audio, which programs use to tell how positions are counted.
    expect(mp3.readUInt16BE(tagAt + 34)).toBe(crc16Reflected(mp3.subarray(0, tagAt + 34)))
    expect(info.lame?.music_crc).toBe(crc16Reflected(mp3.subarray(header.bytes)))
    expect(readMp3Timing(mp3.subarray(0, header.bytes))).toEqual(CONVERTED_MP3_TIMING)
    const { channels } = await decoded(mp3)
    expect(channels[0]!.length).toBe(sine.length)
    const error = Math.hypot(...channels[0]!.map((value, n) => value - sine[n]!)) / Math.hypot(...sine)
    expect(20 * Math.log10(error)).toBeLessThan(-50)
  })

  test.each([
    [96_000, 48_000],
    [88_200, 44_100],
    [192_000, 48_000],
  ])('of %i Hz has %i Hz and its sounds at the same time', async (rate, expected) => {
    const source = tone({ hz: 997, seconds: 0.5, rate, db: -6 })
    const mp3 = await converted(wavOf([source], { rate, bits: 24 }), { format: 'mp3' })
    const { channels, rate: found } = await decoded(mp3)
    expect([found, channels[0]!.length]).toEqual([expected, source.length / (rate / expected)])
    const same = source.filter((_, n) => n % (rate / expected) === 0)
    const error = Math.hypot(...channels[0]!.map((value, n) => value - same[n]!)) / Math.hypot(...same)
    expect(20 * Math.log10(error)).toBeLessThan(-50)
  })
})

test.each([
  ['a lossy file', () => mp3Of([tone({ hz: 440, seconds: 1 })]), 'not a lossless recording'],
  ['a damaged file', async () => flacOf([left, right]).subarray(0, 20_000), 'cut off'],
  ['more than two channels', async () => wavOf([left, left, right]), '3 channels'],
  ['another sample rate', async () => wavOf([left], { rate: 50_000 }), '50000 Hz'],
])('refuses %s', async (_, sound, reason) => {
  await expect(converted(await sound(), { format: 'mp3' })).rejects.toThrow(reason)
})

describe.each([96_000, 88_200])('halving %i Hz', (rate) => {
  /** The level in dB of a tone of full scale. */
  const levelOf = (hz: number) => {
    const half = new FineHalfRate()
    const middle = half.push(tone({ hz, seconds: 0.2, rate, db: 0 })).subarray(1000, 8000)
    return 20 * Math.log10((Math.hypot(...middle) / Math.sqrt(middle.length)) * Math.SQRT2)
  }

  test.each([1000, 5000, 10_000, 19_000, 20_000])('keeps %i Hz', (hz) => {
    expect(Math.abs(levelOf(hz))).toBeLessThan(0.01)
  })

  test.each([20_000, 18_000, 15_000, 10_000, 1000])('folds nothing to %i Hz', (heard) => {
    expect(levelOf(rate / 2 - heard)).toBeLessThan(-105)
  })
})

test('every second tap of the filter is zero, which HalfRate relies on', () => {
  const taps = kaiserHalfBand()
  const centre = (taps.length - 1) / 2
  expect(taps.filter((tap, n) => tap !== 0 && n !== centre && (n - centre) % 2 === 0)).toHaveLength(0)
})
