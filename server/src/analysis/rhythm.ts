import { RealFft } from './fft.ts'
import { ONSET_RATE } from './onset.ts'

/** Longest lag measured: eight beats of the slowest tempo. */
const MIN_BPM = 62

/**
 * The onset envelope of a whole file, and its autocorrelation at each lag: of all bands, and of the low, middle and
 * high ones.
 */
export type Rhythm = {
  envelope: Float32Array
  all: Float32Array
  low: Float32Array
  mid: Float32Array
  high: Float32Array
}

/** Subtracts the mean of the surrounding 0.8 s, keeps what rises above it and scales it to a deviation of one. */
export function emphasise(band: Float32Array): Float32Array {
  const reach = Math.round(ONSET_RATE * 0.4)
  const sums = new Float64Array(band.length + 1)
  for (let i = 0; i < band.length; i++) sums[i + 1] = sums[i]! + band[i]!
  let squares = 0
  const out = band.map((value, i) => {
    const from = Math.max(0, i - reach)
    const to = Math.min(band.length, i + reach + 1)
    const above = Math.max(0, value - (sums[to]! - sums[from]!) / (to - from))
    squares += above * above
    return above
  })
  const deviation = Math.sqrt(squares / band.length) || 1
  for (let i = 0; i < out.length; i++) out[i]! /= deviation
  return out
}

/** Weighted sum of the bands, minus its mean. */
function blend(bands: Float32Array[], weights: Record<number, number>): Float32Array {
  const out = new Float32Array(bands[0]!.length)
  for (const [band, weight] of Object.entries(weights)) {
    const values = bands[Number(band)]!
    for (let i = 0; i < out.length; i++) out[i]! += values[i]! * weight
  }
  let sum = 0
  for (const value of out) sum += value
  const mean = sum / out.length
  for (let i = 0; i < out.length; i++) out[i]! -= mean
  return out
}

/** Autocorrelation of lags 0..maxLag by Wiener and Khinchin, 1 at lag 0, each lag scaled to the same overlap. */
function autocorrelation(values: Float32Array, { fft, maxLag }: { fft: RealFft; maxLag: number }): Float32Array {
  const size = fft.size
  const padded = new Float32Array(size)
  padded.set(values)
  const { re, im } = fft.forward(padded)
  for (let k = 0; k <= size / 2; k++) {
    const power = re[k]! * re[k]! + im[k]! * im[k]!
    padded[k] = power
    if (k > 0 && k < size / 2) padded[size - k] = power
  }
  const correlation = fft.forward(padded).re
  const whole = correlation[0] || 1
  return Float32Array.from({ length: maxLag + 1 }, (_, lag) => {
    return ((correlation[lag]! / whole) * values.length) / (values.length - lag)
  })
}

/** Takes the eight onset bands of a file of at least some seconds. */
export function rhythmOf(onsetBands: Float32Array[]): Rhythm {
  const bands = onsetBands.map(emphasise)
  const maxLag = Math.min(bands[0]!.length - 2, Math.ceil(((ONSET_RATE * 60) / MIN_BPM) * 8) + 4)
  let size = 1
  while (size < bands[0]!.length + maxLag) size <<= 1
  // One transform for all four, because for a mix of two hours its tables alone take twenty megabytes.
  const lags = { fft: new RealFft(size), maxLag }
  const envelope = blend(bands, { 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1 })
  return {
    envelope,
    all: autocorrelation(envelope, lags),
    low: autocorrelation(blend(bands, { 0: 1, 1: 0.5 }), lags),
    mid: autocorrelation(blend(bands, { 3: 1, 4: 1, 5: 1 }), lags),
    high: autocorrelation(blend(bands, { 6: 1, 7: 1 }), lags),
  }
}
