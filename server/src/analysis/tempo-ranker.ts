import { ONSET_RATE } from './onset.ts'
import type { Rhythm } from './rhythm.ts'
import { TEMPO_WEIGHTS, type TempoFeature } from './tempo-weights.ts'

export type RankedTempo = { bpm: number; score: number }

const MIN_BPM = 60
const MAX_BPM = 200
const STEP = 1.004
const MAX_PEAKS = 8
/** The metrical levels at which a beat may be counted: half and double, and the thirds of triplets and swing. */
const LEVELS = [1, 1 / 2, 2, 2 / 3, 3 / 2, 3 / 4, 4 / 3]

const beatLag = (bpm: number) => (ONSET_RATE * 60) / bpm

function interpolate(values: Float32Array, position: number): number {
  const i = Math.floor(position)
  if (i + 1 >= values.length) return 0
  return values[i]! + (values[i + 1]! - values[i]!) * (position - i)
}

/** Highest correlation around a lag, 0.6 % to either side. */
function near(correlation: Float32Array, lag: number): number {
  const reach = Math.max(0.75, 0.006 * lag)
  let highest = -9
  for (let offset = -reach; offset <= reach + 1e-9; offset += reach / 2) {
    const value = interpolate(correlation, lag + offset)
    if (value > highest) highest = value
  }
  return highest
}

/** Mean correlation at one to eight beats; whole bars count double, half bars a third more. */
function combScore(correlation: Float32Array, lag: number): number {
  let sum = 0
  let weights = 0
  for (let beats = 1; beats <= 8; beats++) {
    if (lag * beats >= correlation.length - 2) continue
    const weight = beats % 4 === 0 ? 2 : beats % 2 === 0 ? 1.3 : 1
    sum += near(correlation, lag * beats) * weight
    weights += weight
  }
  return weights ? sum / weights : 0
}

/** The eight strongest periods and every level of each, without duplicates. */
function candidates({ all }: Rhythm): number[] {
  const grid: RankedTempo[] = []
  for (let bpm = 55; bpm <= 210; bpm *= STEP) grid.push({ bpm, score: combScore(all, beatLag(bpm)) })
  const isPeak = ({ score }: RankedTempo, i: number) =>
    i > 0 && i < grid.length - 1 && score >= grid[i - 1]!.score && score > grid[i + 1]!.score
  const peaks = grid.filter(isPeak).sort((a, b) => b.score - a.score)
  const found: number[] = []
  for (const { bpm } of peaks.slice(0, MAX_PEAKS)) {
    for (const level of LEVELS) {
      const tempo = bpm * level
      const isKnown = found.some((other) => Math.abs(other / tempo - 1) < 0.012)
      if (tempo >= MIN_BPM && tempo <= MAX_BPM && !isKnown) found.push(tempo)
    }
  }
  return found
}

function sharpen({ all }: Rhythm, bpm: number): number {
  let best = { bpm, score: -9 }
  for (let near = bpm * 0.985; near <= bpm * 1.015; near *= 1.0015) {
    const score = combScore(all, beatLag(near))
    if (score > best.score) best = { bpm: near, score }
  }
  return best.bpm
}

/** How the rhythm repeats at fractions and multiples of the beat, in all bands and in the low, middle and high ones. */
function features({ all, low, mid, high }: Rhythm, bpm: number): Record<TempoFeature, number> {
  const lag = beatLag(bpm)
  const octaves = Math.log2(bpm / 120)
  return {
    log_tempo: octaves,
    log_tempo_squared: octaves * octaves,
    above_164: Math.max(0, octaves - 0.45),
    below_88: Math.max(0, -0.45 - octaves),
    comb: combScore(all, lag),
    beat: near(all, lag),
    two_beats: near(all, 2 * lag),
    four_beats: near(all, 4 * lag),
    half_beat: near(all, lag / 2),
    quarter_beat: near(all, lag / 4),
    third_beat: near(all, lag / 3),
    dotted_beat: near(all, 1.5 * lag),
    dotted_eighth: near(all, 0.75 * lag),
    low_beat: near(low, lag),
    low_two_beats: near(low, 2 * lag),
    low_four_beats: near(low, 4 * lag),
    mid_beat: near(mid, lag),
    mid_two_beats: near(mid, 2 * lag),
    mid_half_beat: near(mid, lag / 2),
    high_beat: near(high, lag),
    high_half_beat: near(high, lag / 2),
    high_quarter_beat: near(high, lag / 4),
    mid_four_beats: near(mid, 4 * lag),
    three_beats: near(all, 3 * lag),
  }
}

/** Each metrical level at which the rhythm may be counted, with its features. */
function metricalLevels(rhythm: Rhythm): { bpm: number; features: Record<TempoFeature, number> }[] {
  return candidates(rhythm).map((candidate) => {
    const bpm = sharpen(rhythm, candidate)
    return { bpm, features: features(rhythm, bpm) }
  })
}

/** All metrical levels at which the rhythm may be counted, likeliest first. */
export function rankTempos(rhythm: Rhythm): RankedTempo[] {
  const ranked = metricalLevels(rhythm).map(({ bpm, features }) => {
    let score = 0
    for (const { feature, weight, mean, deviation } of TEMPO_WEIGHTS) {
      score += (weight * (features[feature] - mean)) / deviation
    }
    return { bpm, score }
  })
  return ranked.sort((a, b) => b.score - a.score)
}
