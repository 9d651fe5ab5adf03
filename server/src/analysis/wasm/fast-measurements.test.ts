import { describe, expect, test } from 'vitest'
import { plainLayout } from '../downmix.ts'
import { type ComplexTransform, createComplexTransform, hann, RealFft } from '../fft.ts'
import { Loudness } from '../loudness.ts'
import { noise, tune } from '../make-audio.ts'
import { BAND_EDGES_HZ, ONSET_SAMPLE_RATE, OnsetStream } from '../onset.ts'
import { Peaks } from '../peaks.ts'
import { createPowerSpectrum } from '../power-spectrum.ts'
import { HalfRate } from '../resample.ts'
import { SignalAnalyser } from '../signal-analyser.ts'
import { TruePeak } from '../true-peak.ts'
import { FastMeasurements } from './fast-measurements.ts'

const SECONDS = 12

/** Blocks of uneven length, as the decoders make them. */
function* blocksOf(channels: Float32Array[]): Generator<Float32Array[]> {
  const next = noise(17)
  for (let from = 0; from < channels[0]!.length; ) {
    const to = from + Math.floor((next() + 1) * 20_000) + 1
    yield channels.map((samples) => samples.subarray(from, to))
    from = to
  }
}

function measure(sound: Float32Array[], rate: number, isFast: boolean) {
  const analyser = new SignalAnalyser(rate, plainLayout(sound.length as 1 | 2), { isFast })
  for (const block of blocksOf(sound)) analyser.push(block)
  return analyser.finish()
}

describe.each([
  [8000, 2],
  [22_050, 1],
  [44_100, 1],
  [44_100, 2],
  [48_000, 2],
  [96_000, 2],
  [192_000, 2],
] as const)('at %s Hz with %s channels', (rate, channels) => {
  const sound = tune({ seed: 6, seconds: SECONDS, rate, channels })
  const [fast, reference] = [true, false].map((isFast) => measure(sound, rate, isFast)) as [Measured, Measured]

  test('loudness and true peak are those of the TypeScript', () => {
    expect(Math.abs(fast.loudness_lufs - reference.loudness_lufs)).toBeLessThanOrEqual(0.01)
    expect(Math.abs(fast.loudness_range - reference.loudness_range)).toBeLessThanOrEqual(0.1)
    expect(Math.abs(fast.true_peak_db - reference.true_peak_db)).toBeLessThanOrEqual(0.01)
  })

  test('the waveform is that of the TypeScript, within rounding', () => {
    for (const lanes of ['overview', 'detail'] as const) {
      expect(fast[lanes].length).toBe(reference[lanes].length)
      const largest = fast[lanes].reduce((most, value, i) => Math.max(most, Math.abs(value - reference[lanes][i]!)), 0)
      expect(largest).toBeLessThanOrEqual(1)
    }
  })

  test('the beats are those of the TypeScript, within a millisecond', () => {
    const [first, expected] = [fast, reference].map(({ structure }) => structure?.grid.first_downbeat_seconds)
    expect(first === undefined).toBe(expected === undefined)
    expect(Math.abs((first ?? 0) - (expected ?? 0))).toBeLessThan(0.001)
  })

  test('duration, tempo, key and fingerprint are those of the TypeScript', () => {
    for (const field of ['duration_seconds', 'bpm', 'song_key'] as const) expect(fast[field]).toBe(reference[field])
    expect(fast.fingerprint.length).toBe(reference.fingerprint.length)
    const same = fast.fingerprint.filter((code, i) => code === reference.fingerprint[i]).length
    expect(same / reference.fingerprint.length).toBeGreaterThan(0.98)
  })
})
type Measured = ReturnType<typeof measure>

const mixed = ([left, right]: Float32Array[]) => left!.map((sample, i) => (sample + right![i]!) * 0.5)

function fastOnsets(sound: Float32Array[]) {
  const measures = { loudness: new Loudness(44_100, 2), truePeak: new TruePeak(44_100, 2), peaks: new Peaks(44_100) }
  const fast = new FastMeasurements(44_100, 2, measures)
  for (const block of blocksOf(sound)) fast.push(block, { pushChroma() {}, pushPitch() {} })
  return fast.onsets
}

const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0)
const sumOfDifferences = (a: Float32Array, b: Float32Array) => total(a.map((value, i) => Math.abs(value - b[i]!)))

describe.each([1, 2, 3])('onsets of song %s', (seed) => {
  const sound = tune({ seed, seconds: SECONDS })
  const half = new HalfRate().push(mixed(sound))
  const onsets = fastOnsets(sound)

  test('the rises are those of the TypeScript within 0.1 %', () => {
    const stream = new OnsetStream()
    stream.push(half)
    const [fast, reference] = [onsets.bands(), stream.bands()]
    expect(fast.map((series) => series.length)).toEqual(reference.map((series) => series.length))
    // Over all bands: where a band is nearly silent, its rises are rounding errors.
    const differences = fast.map((series, band) => sumOfDifferences(series, reference[band]!))
    expect(total(differences) / total(reference.map(total))).toBeLessThan(0.001)
  })

  test('the power of each band is the sum of its bins', () => {
    const [fft, window] = [new RealFft(1024), hann(1024)]
    const edges = BAND_EDGES_HZ.map((hz) => Math.ceil((hz * 1024) / ONSET_SAMPLE_RATE))
    const powers = onsets.powers()
    for (let frame = 0; frame < powers[0]!.length; frame++) {
      const { re, im } = fft.forward(half.subarray(frame * 256, frame * 256 + 1024).map((x, i) => x * window[i]!))
      powers.forEach((series, band) => {
        let power = 0
        for (let bin = edges[band]!; bin < edges[band + 1]!; bin++)
          power += (re[bin]! ** 2 + im[bin]! ** 2) * (4 / 1024) ** 2
        if (Math.abs(series[frame]! - power) > 0.001 * power + 1e-9) expect([frame, band, series[frame]]).toBe(power)
      })
    }
  })
})

test.each([16, 1024, 4096, 8192])('the power spectrum of %s samples is that of the TypeScript', (size) => {
  const measures = { loudness: new Loudness(44_100, 1), truePeak: new TruePeak(44_100, 1), peaks: new Peaks(44_100) }
  const next = noise(size)
  const frame = Float32Array.from({ length: size }, next)
  const powers = new FastMeasurements(44_100, 1, measures).createSpectrum(size)(frame)
  const reference = createPowerSpectrum(size)(frame)
  expect(powers.length).toBe(size / 2 + 1)
  expect(total(reference)).toBeGreaterThan(1)
  expect(sumOfDifferences(powers, reference) / total(reference)).toBeLessThan(1e-5)
})

test.each([8, 1024, 4096])('the complex transform of %s values is that of the TypeScript', (size) => {
  const measures = { loudness: new Loudness(44_100, 1), truePeak: new TruePeak(44_100, 1), peaks: new Peaks(44_100) }
  const next = noise(size)
  const values = Array.from({ length: 2 }, () => Float32Array.from({ length: size }, next)) as [
    Float32Array,
    Float32Array,
  ]
  const transforms = [new FastMeasurements(44_100, 1, measures).createTransform(size), createComplexTransform(size)]
  for (const { re, im, run } of transforms) {
    re.set(values[0])
    im.set(values[1])
    run()
  }
  const [fast, reference] = transforms as [ComplexTransform, ComplexTransform]
  for (const part of ['re', 'im'] as const) {
    const largest = fast[part].reduce((most, value, i) => Math.max(most, Math.abs(value - reference[part][i]!)), 0)
    expect(largest).toBeLessThan(1e-5 * size)
  }
})

test('very large samples and silence are measured like in TypeScript', () => {
  const next = noise(2)
  const wild = Float32Array.from({ length: 44_100 * 5 }, (_, i) => (i % 20_000 < 10_000 ? 0 : next() * 1e6))
  const [fast, reference] = [true, false].map((isFast) => measure([wild, wild], 44_100, isFast)) as [Measured, Measured]
  expect(fast.loudness_lufs).toBeCloseTo(reference.loudness_lufs, 2)
  expect(fast.true_peak_db).toBeCloseTo(reference.true_peak_db, 2)
  const silence = new Float32Array(44_100 * 5)
  expect(measure([silence], 44_100, true)).toEqual(measure([silence], 44_100, false))
})
