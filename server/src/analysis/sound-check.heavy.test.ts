import { describe, expect, test } from 'vitest'
import { openAnalysisHarness } from './analysis-harness.ts'
import { demoMusic } from './demo-music.ts'
import { aiffOf, decodeMp3Buffer, flacOf, join, mp3Of, tone, tune, wavOf } from './make-audio.ts'

const { analyseBytes } = openAnalysisHarness()
const music = tune({ seed: 4, seconds: 5 })

describe('upscaling from a lower bit rate', () => {
  const bright = demoMusic('house', 3, 5)
  const codesOf = async (bytes: Buffer) => (await analyseBytes(bytes)).faults

  test.each([
    ['WAV', 128, 17, async (sound: Float32Array[]) => wavOf(sound)],
    ['AIFF', 192, 19, async (sound: Float32Array[]) => aiffOf(sound)],
    ['FLAC', 160, 17.5, async (sound: Float32Array[]) => flacOf(sound)],
    ['MP3 at 320 kbit/s', 128, 17, (sound: Float32Array[]) => mp3Of(sound, 44_100, { kbps: 320 })],
    ['MP3 at 320 kbit/s', 192, 19, (sound: Float32Array[]) => mp3Of(sound, 44_100, { kbps: 320 })],
    ['MP3 at 192 kbit/s', 128, 17, (sound: Float32Array[]) => mp3Of(sound, 44_100, { kbps: 192 })],
  ] as const)('is found in %s made from %s kbit/s', async (as, kbps, khz, save) => {
    const low = await decodeMp3Buffer(await mp3Of(bright, 44_100, { kbps }))
    const { faults, playable } = await analyseBytes(await save(low))
    expect([faults, playable]).toMatchObject([[{ code: 'upscaled' }], true])
    const [, heard, rest] = /^No frequencies above ([\d.]+) kHz: (.*)$/.exec(faults[0]!.message)!
    expect(Math.abs(Number(heard) - khz)).toBeLessThanOrEqual(0.5)
    expect(rest).toBe(`this sounds like a ${kbps} kbit/s file re-encoded as ${as}.`)
  })

  test.each([96, 128, 160, 192, 256, 320] as const)('is not found in a genuine MP3 of %s kbit/s', async (kbps) => {
    expect(await codesOf(await mp3Of(bright, 44_100, { kbps }))).toEqual([])
  })

  test.each([0, 2, 4, 6])('is not found in a variable bit rate of quality %s', async (vbr_quality) => {
    expect(await codesOf(await mp3Of(bright, 44_100, { vbr_quality }))).toEqual([])
  })

  test('is not found in music without highs or in a whistle', async () => {
    const dark = lowPassed(bright[0]!, 0.15)
    const whistle = tone({ hz: 15_000, seconds: 5, db: -20 }).map((sample, i) => sample + (music[0]![i] ?? 0) * 0.01)
    expect([await codesOf(wavOf([dark])), await codesOf(wavOf([whistle]))]).toEqual([[], []])
  })

  test.each([1027, 1066, 1100, 1103])(
    'is not found where the harmonics of a synthesiser end: tune %s',
    async (seed) => {
      const sound = tune({ seed, seconds: 3.5 })
      expect(await codesOf(await mp3Of(sound, 44_100, { kbps: 192 }))).toEqual([])
    },
  )

  test('is not found at a low sample rate', async () => {
    for (const rate of [22_050, 32_000]) {
      expect(await codesOf(wavOf(tune({ seed: 12, seconds: 5, rate }), { rate }))).toEqual([])
    }
  })

  /** A two-pole filter, as in a mixing desk; the smaller `openness`, the darker. */
  function lowPassed(samples: Float32Array, openness: number): Float32Array {
    let a = 0
    let b = 0
    return samples.map((sample) => {
      a += (sample - a) * openness
      b += (a - b) * openness
      return b
    })
  }
})

describe('lossy encoding in lossless files', () => {
  const bright = demoMusic('house', 3, 5)
  const decoded = async (kbps: 256 | 320) => decodeMp3Buffer(await mp3Of(bright, 44_100, { kbps }))

  test.each([
    ['WAV', 256, (sound: Float32Array[]) => wavOf(sound)],
    ['WAV', 320, (sound: Float32Array[]) => wavOf(sound, { bits: 24 })],
    ['AIFF', 256, (sound: Float32Array[]) => aiffOf(sound)],
    ['FLAC', 320, (sound: Float32Array[]) => flacOf(sound)],
  ] as const)('is found in %s made from %s kbit/s', async (as, kbps, save) => {
    const { faults, playable } = await analyseBytes(save(await decoded(kbps)))
    const message = `Traces of lossy encoding: this ${as} was made from an MP3 file.`
    expect([faults, playable]).toEqual([[{ code: 'upscaled', message }], true])
  })

  test('is not looked for in an MP3 made from another', async () => {
    const again = await mp3Of(await decoded(320), 44_100, { kbps: 320 })
    expect((await analyseBytes(again)).faults).toEqual([])
  })

  test('is not found in genuine files', async () => {
    for (const bytes of [wavOf(bright), wavOf(bright, { bits: 24 }), wavOf(bright, { bits: 8 }), flacOf(bright)])
      expect((await analyseBytes(bytes)).faults).toEqual([])
  })
})

describe('clipping', () => {
  const driven = (sound: Float32Array[], db: number, ceiling = 32_767 / 32_768) => {
    const gain = 10 ** (db / 20)
    return sound.map((samples) => samples.map((s) => Math.max(-ceiling, Math.min(ceiling, s * gain))))
  }
  const peak = music.flatMap((samples) => [...samples]).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const full = driven(music, -20 * Math.log10(peak))

  test('by 9 dB is reported with its share and its worst position', async () => {
    const [left] = full as [Float32Array]
    const parts = [left, driven([left], 9)[0]!, left]
    const { faults, playable } = await analyseBytes(wavOf([join(...parts)]))
    expect([faults[0]?.code, playable]).toEqual(['clipped', true])
    expect(faults[0]!.message).toMatch(/^Clipping: \d+\.\d % of the samples are clipped, worst at 0:0[5-9]\.$/)
    expect(faults[0]!.at_seconds).toBeGreaterThanOrEqual(5)
    expect(faults[0]!.at_seconds).toBeLessThan(10)
  })

  test('is found below a lowered ceiling, in 24 bits and in FLAC', async () => {
    const low = driven(full, 9, 0.8)
    const files = [wavOf(low), wavOf(low, { bits: 24 }), flacOf(low), aiffOf(low)]
    const verdicts = await Promise.all(files.map((bytes, n) => analyseBytes(bytes, `clipped-${n}`)))
    expect(verdicts.map(({ faults }) => faults.map(({ code }) => code))).toEqual(files.map(() => ['clipped']))
  })

  test('is not reported for flat tops below the loudest peak, which are part of the sound', async () => {
    const [flat] = driven(full, 9, 0.6) as [Float32Array]
    expect((await analyseBytes(wavOf([join(flat, full[0]!)]))).faults).toEqual([])
  })

  test('is not reported for music at full level, a deep sine or eight bits', async () => {
    const sine = tone({ hz: 40, seconds: 4, db: 0 })
    for (const bytes of [wavOf(full), wavOf([sine]), wavOf([sine], { bits: 8 }), wavOf(full, { bits: 8 })]) {
      expect((await analyseBytes(bytes)).faults).toEqual([])
    }
  })
})

describe('silence in the middle', () => {
  const [left] = music as [Float32Array]
  const gap = (seconds: number) => new Float32Array(44_100 * seconds)

  test('of more than ten seconds is reported', async () => {
    const { faults, playable } = await analyseBytes(wavOf([join(left, gap(11), left)]))
    const message = '11 seconds of silence from 0:05.'
    expect(faults).toMatchObject([{ code: 'silent_part', message }])
    expect(faults[0]!.at_seconds).toBeCloseTo(5, 1)
    expect(playable).toBe(true)
  })

  test('is found in an MP3', async () => {
    const bytes = await mp3Of([join(left, gap(12), left)])
    expect((await analyseBytes(bytes)).faults).toMatchObject([{ code: 'silent_part' }])
  })

  test('of nine seconds, or at the start, is not reported', async () => {
    expect((await analyseBytes(wavOf([join(left, gap(9), left)]))).faults).toEqual([])
    expect((await analyseBytes(wavOf([join(gap(12), left)]))).faults).toEqual([])
  })
})
