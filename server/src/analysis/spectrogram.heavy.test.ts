import { deflateRawSync } from 'node:zlib'
import { SPECTRUM_BANDS, SPECTRUM_COLUMNS } from '@dubplate/contract/spectrum'
import { expect, test } from 'vitest'
import { join, noise, tone } from './make-audio.ts'
import { Spectrogram, type Spectrum } from './spectrogram.ts'

const BAND_HZ = 22_050 / SPECTRUM_BANDS

/** The spectrum of channels that arrive in blocks of other lengths than its frames. */
function spectrumOf(channels: Float32Array[], rate = 44_100): Spectrum | null {
  const spectrogram = new Spectrogram(rate)
  const length = channels[0]!.length
  for (let at = 0; at < length; at += 3001) spectrogram.push(channels.map((samples) => samples.subarray(at, at + 3001)))
  return spectrogram.finish()
}

const columnsOf = ({ levels }: Spectrum) => levels.length / SPECTRUM_BANDS
const dbAt = ({ levels }: Spectrum, column: number, hz: number) =>
  -2 * levels[column * SPECTRUM_BANDS + Math.floor(hz / BAND_HZ)]!

const hiss = (seconds: number, db: number, rate = 44_100) => {
  const next = noise(3)
  return Float32Array.from({ length: seconds * rate }, () => next() * 10 ** (db / 20))
}

test('shows a sine of −12 dBFS at its frequency and level, and nothing elsewhere', () => {
  const spectrum = spectrumOf([tone({ hz: 5000, seconds: 10, db: -12 })])!
  expect(columnsOf(spectrum)).toBe(40)
  expect(dbAt(spectrum, 20, 5000)).toBeGreaterThanOrEqual(-14)
  expect(dbAt(spectrum, 20, 5000)).toBeLessThanOrEqual(-12)
  expect(dbAt(spectrum, 20, 9000)).toBe(-120)
  expect(spectrum).toMatchObject({ top_hz: 22_050, duration_seconds: 10 })
})

test('shows sounds at their time, whatever the length of the audio', () => {
  for (const seconds of [60, 120, 260]) {
    const half = seconds / 2
    const spectrum = spectrumOf([join(tone({ hz: 1000, seconds: half }), tone({ hz: 8000, seconds: half }))])!
    const columns = columnsOf(spectrum)
    expect(columns).toBeLessThanOrEqual(SPECTRUM_COLUMNS)
    expect(columns).toBeGreaterThanOrEqual(Math.min(SPECTRUM_COLUMNS, seconds * 4))
    const [before, after] = [Math.floor(columns / 2) - 3, Math.ceil(columns / 2) + 3]
    expect(dbAt(spectrum, before, 1000)).toBeGreaterThan(-20)
    expect(dbAt(spectrum, before, 8000)).toBeLessThan(-80)
    expect(dbAt(spectrum, after, 1000)).toBeLessThan(-80)
    expect(dbAt(spectrum, after, 8000)).toBeGreaterThan(-20)
  }
})

test('finds the highest frequency with content', () => {
  expect(spectrumOf([hiss(10, -30)])?.highest_hz).toBe(22_050)
  const low = spectrumOf([tone({ hz: 15_900, seconds: 10, db: -40 })])!
  expect(Math.abs(low.highest_hz! - 16_000)).toBeLessThan(2 * BAND_HZ)
  expect(spectrumOf([new Float32Array(44_100)])?.highest_hz).toBeNull()
})

test('the noise of 16 bits is no content', () => {
  const step = 2 ** -15
  const rounded = tone({ hz: 3000, seconds: 10 }).map((sample) => Math.round(sample / step) * step)
  expect(spectrumOf([rounded])!.highest_hz).toBeLessThan(3500)
})

test('leaves out frequencies above 24 kHz, and reaches half of lower sample rates', () => {
  const high = spectrumOf([tone({ hz: 12_000, seconds: 4, rate: 96_000 })], 96_000)!
  expect(high.top_hz).toBe(24_000)
  expect(-2 * high.levels[8 * SPECTRUM_BANDS + Math.floor(12_000 / (24_000 / SPECTRUM_BANDS))]!).toBeGreaterThan(-16)
  expect(spectrumOf([hiss(4, -30, 22_050)], 22_050)).toMatchObject({ top_hz: 11_025, highest_hz: 11_025 })
})

test('takes the mean of two channels, and nothing of audio that is shorter than a frame', () => {
  const left = tone({ hz: 2000, seconds: 2 })
  const spectrum = spectrumOf([left, left.map((sample) => -sample)])!
  expect(spectrum.highest_hz).toBeNull()
  expect(spectrumOf([new Float32Array(2000)])).toBeNull()
})

test('noise, which compresses least, stays under 30 kB', () => {
  const next = noise(5)
  const loud = Float32Array.from({ length: 120 * 44_100 }, (_, i) => next() * 10 ** ((-60 * ((i * 7) % 97)) / 97 / 20))
  expect(deflateRawSync(spectrumOf([loud])!.levels).length).toBeLessThan(30_000)
  const any = Uint8Array.from({ length: SPECTRUM_COLUMNS * SPECTRUM_BANDS }, () => ((next() + 1) / 2) * 61)
  expect(deflateRawSync(any).length).toBeLessThan(30_000)
})
