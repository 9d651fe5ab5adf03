import { ONSET_RATE } from '../onset.ts'
import { emphasise } from '../rhythm.ts'
import type { RhythmSeries } from './beat-envelopes.ts'

/** Bands whose onsets are counted, and how strong one must be: the sum of their envelopes. */
const ONSET_BANDS = [1, 3, 5, 7]
const LEAST_ONSET = 4

/** 0 at the lower bound and below, 1 at the upper one and above. */
const between = (value: number, [low, high]: [number, number]) => Math.max(0, Math.min(1, (value - low) / (high - low)))

const meanOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const decibels = (ratio: number) => 10 * Math.log10(ratio + 1e-9)

function onsetsPerSecond(rises: Float32Array[]): number {
  const [first, ...others] = ONSET_BANDS.map((band) => emphasise(rises[band]!))
  const sum = first!.map((value, i) => others.reduce((total, band) => total + band[i]!, value))
  let count = 0
  for (let i = 1; i + 1 < sum.length; i++)
    if (sum[i]! > LEAST_ONSET && sum[i]! > sum[i - 1]! && sum[i]! >= sum[i + 1]!) count++
  return (count * ONSET_RATE) / Math.max(1, sum.length)
}

/**
 * Energy from 1 to 10: loudness (40 %), onsets per second (25 %), the bass's share of the power (15 %), the treble's
 * (10 %) and tempo (10 %), each on a fixed scale so that songs can be compared. A rule, not a measurement: no labelled
 * energies were available.
 */
export function energyOf({ rises, powers }: RhythmSeries, song: { bpm: number; loudness_lufs: number }): number {
  const power = (from: number, to: number) => powers.slice(from, to).reduce((sum, band) => sum + meanOf(band), 0)
  const all = power(0, powers.length) || 1e-9
  const score =
    0.4 * between(song.loudness_lufs, [-20, -6]) +
    0.25 * between(onsetsPerSecond(rises), [1, 8]) +
    0.15 * between(decibels(power(0, 2) / all), [-12, -1]) +
    0.1 * between(decibels(power(5, powers.length) / all), [-30, -10]) +
    0.1 * between(song.bpm, [80, 160])
  return Math.round(1 + 9 * score)
}
