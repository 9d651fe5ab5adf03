import { BANDS } from '../onset.ts'
import type { RhythmSeries } from './beat-envelopes.ts'

/** How one bar sounds. Levels are in dB of band power; hits compare with the strongest bars of the song. */
export type BarSound = {
  loud: number
  /** Under 220 Hz. */
  low: number
  /** 220 to 1760 Hz: chords, voices. */
  tonal: number
  /** Onsets under 110 Hz, from 220 to 1760 Hz, and above 3520 Hz: 1 in a strong bar, at most 1.5. */
  kick: number
  hits: number
  hats: number
  /** What sections are told apart by: five levels and three kinds of hits, on comparable scales. */
  profile: number[]
}

/** Bands of onset.ts, from the first to before the last. */
type BandRange = readonly [from: number, to: number]
const LOW: BandRange = [0, 2]
const TONAL: BandRange = [2, 5]
const ALL: BandRange = [0, BANDS]
const LEVEL_RANGES: BandRange[] = [LOW, [2, 3], [3, 4], [4, 6], [6, 8]]
const KICK: BandRange = [0, 1]
const HITS: BandRange = [2, 5]
const HATS: BandRange = [6, 8]

/** Six decibels under a loud bar count as one step, and five steps at most. */
const STEP_DB = 6
const QUIETEST_STEPS = -5
const LEVEL_WEIGHT = 0.8
const HITS_WEIGHT = 1.6
const STRONGEST = 1.5

const decibels = (power: number) => 10 * Math.log10(power + 1e-9)

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** The mean over each bar of the sum of some bands; `frames` are the onset frames of the bar lines. */
function barMeans(bands: Float32Array[], [from, to]: BandRange, frames: readonly number[]): number[] {
  return frames.slice(0, -1).map((start, bar) => {
    const first = Math.max(0, start)
    const end = Math.min(bands[0]!.length, frames[bar + 1]!)
    let sum = 0
    for (let band = from; band < to; band++) for (let i = first; i < end; i++) sum += bands[band]![i]!
    return sum / Math.max(1, end - first)
  })
}

/** In steps under the loud bars of the song. */
function stepsUnderLoud(levels: readonly number[]): number[] {
  const loud = quantile(levels, 0.95)
  return levels.map((level) => Math.max(QUIETEST_STEPS, (level - loud) / STEP_DB))
}

/** As a share of the strong bars of the song. */
function shareOfStrong(rises: readonly number[]): number[] {
  const strong = quantile(rises, 0.9) || 1
  return rises.map((rise) => Math.min(STRONGEST, rise / strong))
}

/**
 * How each bar sounds. Hits are measured by the plain rise of the spectrum: relative to its surroundings, the weak
 * onsets of a break would look as strong as those of a drop.
 */
export function barSoundsOf({ rises, powers }: RhythmSeries, frames: readonly number[]): BarSound[] {
  const level = (range: BandRange) => barMeans(powers, range, frames).map(decibels)
  const strength = (range: BandRange) => shareOfStrong(barMeans(rises, range, frames))
  const levels = LEVEL_RANGES.map((range) => stepsUnderLoud(level(range)))
  const [loud, low, tonal] = [level(ALL), level(LOW), level(TONAL)]
  const [kick, hits, hats] = [strength(KICK), strength(HITS), strength(HATS)]
  return loud.map((loudness, bar) => ({
    ...{ loud: loudness, low: low[bar]!, tonal: tonal[bar]! },
    ...{ kick: kick[bar]!, hits: hits[bar]!, hats: hats[bar]! },
    profile: [
      ...levels.map((values) => LEVEL_WEIGHT * values[bar]!),
      ...[kick, hits, hats].map((values) => HITS_WEIGHT * values[bar]!),
    ],
  }))
}
