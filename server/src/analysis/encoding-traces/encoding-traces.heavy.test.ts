import { describe, expect, test } from 'vitest'
import { demoMusic } from '../demo-music.ts'
import { decodeMp3Buffer, join, mp3Of, noise, tone, tune } from '../make-audio.ts'
import { EncodingTraces } from './encoding-traces.ts'
import { ExcerptPicker } from './excerpts.ts'
import { rounded, throughMdct } from './make-quantised.ts'
import { MdctTransform } from './mdct-transform.ts'
import { OpusTransform } from './opus-transform.ts'
import { kaiserBesselWindow, sineWindow, vorbisWindow } from './windows.ts'

const STEP_OF_16_BITS = 1 / 32_768

function codecOf(channels: Float32Array[], { rate = 44_100, step = STEP_OF_16_BITS } = {}) {
  const traces = new EncodingTraces(rate, channels.length === 1 ? 1 : 2, step)
  for (let at = 0; at < channels[0]!.length; at += 5000)
    traces.push(channels.map((samples) => samples.subarray(at, at + 5000)))
  return traces.codec()
}

const music = demoMusic('house', 3, 5)

describe('traces of MP3', () => {
  const decoded = async (kbps: 192 | 256 | 320) => decodeMp3Buffer(await mp3Of(music, 44_100, { kbps }))

  test.each([192, 256, 320] as const)('are found at %s kbit/s', async (kbps) => {
    expect(codecOf((await decoded(kbps)).map(rounded))).toBe('MP3')
  })

  test('are found in one channel, after a cut, and in 24 bits', async () => {
    const [left, right] = (await decoded(256)) as [Float32Array, Float32Array]
    const mono = left.map((sample, i) => (sample + right[i]!) / 2)
    expect(codecOf([rounded(mono)])).toBe('MP3')
    expect(codecOf([left, right].map((samples) => rounded(samples).subarray(1001)))).toBe('MP3')
    expect(codecOf([left, right], { step: 2 ** -23 })).toBe('MP3')
  })

  test('are found at another level and after silence', async () => {
    const quieter = (await decoded(192)).map((samples) => rounded(samples.map((sample) => sample * 0.63)))
    expect(codecOf(quieter)).toBe('MP3')
    expect(codecOf(quieter.map((samples) => join(new Float32Array(70_001), samples)))).toBe('MP3')
  })
})

describe('traces of an MDCT', () => {
  const hiss = noise(5)
  const loudHighs = Float32Array.from({ length: 40_000 }, () => 0.01 * hiss())
  /** AAC's and MP3's quantiser with a step of 0.007, which leaves about half of the coefficients zero. */
  const quantise = (coefficient: number) =>
    Math.sign(coefficient) * Math.floor((Math.abs(coefficient) / 0.007) ** 0.75 + 0.4054) ** (4 / 3) * 0.007

  test.each([
    ['AAC', kaiserBesselWindow(2048)],
    ['AAC', sineWindow(2048)],
    ['Vorbis', vorbisWindow(2048)],
  ] as const)('of %s are found', (codec, window) => {
    expect(codecOf([rounded(throughMdct(loudHighs, { window, quantise, start: 777 }).subarray(2000))])).toBe(codec)
  })

  test('of Opus are found at 48 kHz', () => {
    const slope = vorbisWindow(240)
    const window = Float64Array.from({ length: 1920 }, (_, n) => {
      const fromEdge = Math.min(n, 1919 - n) - 420
      return fromEdge < 0 ? 0 : fromEdge < 120 ? slope[fromEdge]! : 1
    })
    const encoded = throughMdct(loudHighs, { window, quantise: (x, bin) => (bin < 800 ? x : 0), start: 100 })
    let before = 0
    const decoded = encoded.map((sample) => (before = sample * 1.5 + 0.85 * before))
    expect(codecOf([rounded(decoded.subarray(2000))], { rate: 48_000 })).toBe('Opus')
  })
})

describe('no traces', () => {
  test('are found in synthesised music and noise', () => {
    const hiss = noise(9)
    const sounds = [
      music.map(rounded),
      music.map((samples) => rounded(samples.map((sample) => sample * 0.01))),
      tune({ seed: 12, seconds: 6 }).map(rounded),
      [rounded(Float32Array.from({ length: 200_000 }, () => 0.3 * hiss()))],
    ]
    expect(sounds.map((sound) => codecOf(sound))).toEqual(sounds.map(() => undefined))
    expect(codecOf(music.map(rounded), { rate: 48_000 })).toBeUndefined()
  })

  test.each([576, 960, 1024])('are found in sounds that repeat every %s samples', (frame) => {
    const length = 150_000
    const loop = music[0]!.map((_, i) => music[0]![40_000 + (i % (frame * 8))]!)
    const square = Float32Array.from({ length }, (_, i) => (i % 64 < 32 ? 0.4 : -0.4))
    const clicks = Float32Array.from({ length }, (_, i) => (i % frame === 7 ? 0.8 : 0))
    for (const sound of [loop, square, clicks]) {
      expect(codecOf([rounded(sound)])).toBeUndefined()
      expect(codecOf([rounded(sound)], { rate: 48_000 })).toBeUndefined()
    }
  })

  test('are looked for at other sample rates, in silence or in a short sound', () => {
    expect(codecOf(music, { rate: 96_000 })).toBeUndefined()
    expect(codecOf([new Float32Array(200_000)])).toBeUndefined()
    expect(codecOf([music[0]!.subarray(0, 3000)])).toBeUndefined()
  })
})

test('the transform is the MDCT at each offset', () => {
  const samples = music[0]!.subarray(50_000, 54_096)
  const window = kaiserBesselWindow(2048)
  const out = new Float32Array(2 * 1024)
  new MdctTransform(window, [200, 600], 64).apply(samples, out)
  for (const [row, bin] of [200, 600].entries()) {
    for (const offset of [0, 31, 64, 700, 1023]) {
      let sum = 0
      // The first offset is 64 samples into the excerpt: the polynomials need a point before it.
      for (let n = 0; n < 2048; n++)
        sum += window[n]! * samples[64 + offset + n]! * Math.cos((Math.PI / 1024) * (n + 512.5) * (bin + 0.5))
      expect(out[row * 1024 + offset]).toBeCloseTo(sum * Math.sqrt(2 / 1024) * 32_768, 0)
    }
  }
})

test('noise has the same mean square in the coefficients of Opus as in the emphasised samples', () => {
  const hiss = noise(3)
  const samples = Float32Array.from({ length: 4096 }, () => hiss() * STEP_OF_16_BITS)
  const transform = new OpusTransform()
  const out = new Float32Array(transform.bins * transform.hop)
  transform.apply(samples, out)
  const power = out.reduce((sum, value) => sum + value * value, 0) / out.length
  // Uniform noise of ±1 has 1/3; |1 − 0.85 exp(−iω)|² is 3.2 at 20 kHz.
  expect(power / (3.2 / 3)).toBeGreaterThan(0.7)
  expect(power / (3.2 / 3)).toBeLessThan(1.4)
})

describe('excerpts', () => {
  const pick = (samples: Float32Array, blockLength: number) => {
    const picker = new ExcerptPicker(1)
    for (let at = 0; at < samples.length; at += blockLength) picker.push([samples.subarray(at, at + blockLength)])
    return picker.excerpts()
  }
  const hiss = noise(4)
  const sound = Float32Array.from({ length: 1_000_000 }, (_, i) => hiss() * (0.1 + (0.4 * i) / 1_000_000))

  test('are parts of the file, the brightest first, whatever the size of the blocks', () => {
    const excerpts = pick(sound, 4999)
    expect(excerpts.length).toBeGreaterThanOrEqual(8)
    for (const { start, channels } of excerpts) expect(channels[0]).toEqual(sound.subarray(start, start + 4096))
    expect(excerpts.map(({ start }) => start)).toEqual(pick(sound, 100_000).map(({ start }) => start))
    expect(excerpts[0]!.start).toBeGreaterThan(700_000)
  })

  test('are not clipped where others are not, and are no single clicks', () => {
    const clipped = sound.map((sample, i) => (i > 500_000 ? Math.max(-1, Math.min(1, sample * 10)) : sample))
    expect(pick(clipped, 8192)[0]!.start).toBeLessThan(500_000)
    const clicks = tone({ hz: 200, seconds: 8 }).map((sample, i) => (i % 2000 === 0 ? 0.9 : sample))
    expect(pick(clicks, 8192)).toEqual([])
  })
})
