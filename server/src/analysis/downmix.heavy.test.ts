import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { analyse } from './analyse.ts'
import { aiffOf, flacOf, tone, wavOf } from './make-audio.ts'

const RATE = 48_000
const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-downmix-'))
afterAll(() => rmSync(folder, { recursive: true }))

const measure = (name: string, bytes: Uint8Array) => {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return analyse(file)
}

const silence = new Float32Array(RATE * 5)
const sine = (db: number, hz = 1000) => tone({ hz, seconds: 5, rate: RATE, db })
const wav = (channels: Float32Array[], channelMask?: number) =>
  wavOf(channels, { rate: RATE, bits: 24, ...(channelMask === undefined ? {} : { extensible: true, channelMask }) })
/** FL FR FC LFE BL BR, and the same with a side pair. */
const [MASK_5_1, MASK_5_1_SIDE] = [0x3f, 0x60f]

/** Test signal 6 of EBU Tech 3341, with a loud low-frequency channel. */
const SURROUND = [sine(-28), sine(-28), sine(-24), sine(-6, 50), sine(-30), sine(-30)]

describe('the loudness of 5.1 (test signal 6 of EBU Tech 3341)', () => {
  test.each([
    ['a WAV with a channel mask', 'a.wav', () => wav(SURROUND, MASK_5_1)],
    ['a WAV with side surrounds', 'b.wav', () => wav(SURROUND, MASK_5_1_SIDE)],
    ['a WAV without a mask', 'c.wav', () => wav(SURROUND)],
    ['a FLAC', 'd.flac', () => flacOf(SURROUND, { rate: RATE })],
    ['an AIFF', 'e.aiff', () => aiffOf(SURROUND, { rate: RATE, bits: 24 })],
    ['an AIFF with its channels in another order', 'f.aiff', () => withLayout((124 << 16) | 6, [2, 0, 1, 4, 5, 3])],
  ])('counts surrounds more and the low-frequency channel not at all: %s', async (_, name, make) => {
    const { loudness_lufs, channels, true_peak_db } = await measure(name, make())
    expect(Math.abs(loudness_lufs + 23)).toBeLessThanOrEqual(0.1)
    expect(channels).toBe(6)
    // That of the loudest channel, the low-frequency one.
    expect(true_peak_db).toBeCloseTo(-6, 0)
  })

  test('counts the back pair of 7.1 like the front', async () => {
    const back = [silence, silence, silence, silence, sine(-23), silence, silence, silence]
    const side = [silence, silence, silence, silence, silence, silence, sine(-23), silence]
    const [backLufs, sideLufs] = [await measure('back.wav', wav(back)), await measure('side.wav', wav(side))]
    expect(sideLufs.loudness_lufs - backLufs.loudness_lufs).toBeCloseTo(10 * Math.log10(1.41), 1)
  })
})

/** An AIFF with a `CHAN` chunk before its audio. */
function withLayout(tag: number, order: number[]): Buffer {
  const aiff = aiffOf(
    order.map((n) => SURROUND[n]!),
    { rate: RATE, bits: 24 },
  )
  const chunk = Buffer.alloc(20)
  chunk.write('CHAN')
  chunk.writeUInt32BE(12, 4)
  chunk.writeUInt32BE(tag, 8)
  const file = Buffer.concat([aiff.subarray(0, 12), chunk, aiff.subarray(12)])
  file.writeUInt32BE(file.length - 8, 4)
  return file
}

describe('the mix of 5.1 for peaks, tempo, key and preview', () => {
  const peakOf = async (name: string, channels: Float32Array[]) =>
    Math.max(...(await measure(name, wav(channels, MASK_5_1))).overview.subarray(2400)) / 255
  const only = (n: number) => SURROUND.map((_, channel) => (channel === n ? sine(0) : silence))

  test('contains centre and surrounds, but not the low-frequency channel, and does not clip', async () => {
    expect(await peakOf('lfe.wav', [...only(3).slice(0, 5), sine(-40)])).toBeLessThan(0.02)
    const scale = 1 / (1 + 2 * Math.SQRT1_2)
    expect(await peakOf('centre.wav', only(2))).toBeCloseTo(Math.SQRT1_2 * scale, 1)
    expect(await peakOf('left.wav', only(0))).toBeCloseTo(scale / 2, 1)
    expect(await peakOf('all.wav', Array(6).fill(sine(0)))).toBeCloseTo(1, 1)
  })
})
