import { valueAt } from './beat-envelopes.ts'
import { type BeatLine, onsetNear } from './beat-line.ts'

/** A straight part of a drifting song's tempo: from beat `beat`, at onset frame `at`, one beat lasts `period` frames. */
export type TempoSegment = { beat: number; at: number; period: number }

/** Price of a beat that is longer or shorter than the period, × the squared logarithm of their ratio. */
const TIGHTNESS = 600
/** Beats on either side through which a drifting beat is smoothed. */
const SMOOTHING_BEATS = 10
/** Beats over which a deviation from the straight grid must last. */
const LASTING_BEATS = 8
/**
 * A tempo drifts when it is faster, or slower, by this share for this many beats. Where free beats only change to
 * another rhythm, the smoothing makes them look faster or slower for up to forty.
 */
const LEAST_DEVIATION = 0.001
const LEAST_BEATS = 48
/** How much stronger onsets must be on the free beats than on the straight ones. */
const CLEARLY_STRONGER = 1.15

/**
 * Beats whose distance may change: dynamic programming over onset strength and evenness (D. Ellis, "Beat tracking by
 * dynamic programming", 2007). Onset frames, in order.
 */
function freeBeats(envelope: Float32Array, period: number): number[] {
  const shortest = Math.round(period * 0.9)
  const longest = Math.round(period * 1.1)
  const prices = Float32Array.from({ length: longest + 1 }, (_, distance) =>
    distance < shortest ? 0 : TIGHTNESS * Math.log(distance / period) ** 2,
  )
  const scores = new Float32Array(envelope.length)
  const previous = new Int32Array(envelope.length).fill(-1)
  for (let i = 0; i < envelope.length; i++) {
    let [best, from] = [0, -1]
    for (let distance = shortest; distance <= longest && distance <= i; distance++) {
      const score = scores[i - distance]! - prices[distance]!
      if (score > best) [best, from] = [score, i - distance]
    }
    scores[i] = envelope[i]! + best
    previous[i] = from
  }
  let end = envelope.length - 1
  for (let i = Math.max(0, envelope.length - longest - 1); i < envelope.length; i++)
    if (scores[i]! > scores[end]!) end = i
  const beats: number[] = []
  for (let i = end; i >= 0; i = previous[i]!) beats.push(i)
  return beats.reverse()
}

/** Places each beat on the line through the onsets of the beats around it. */
function smoothed(envelope: Float32Array, beats: readonly number[]): number[] {
  const onsets = beats.map((beat) => onsetNear(envelope, beat, 2.5) ?? { at: beat, weight: 0.05 })
  return beats.map((_, k) => {
    let [weights, steps, squares, sum, product] = [0, 0, 0, 0, 0]
    const last = Math.min(beats.length - 1, k + SMOOTHING_BEATS)
    for (let j = Math.max(0, k - SMOOTHING_BEATS); j <= last; j++) {
      const { at, weight } = onsets[j]!
      weights += weight
      steps += weight * (j - k)
      squares += weight * (j - k) ** 2
      sum += weight * at
      product += weight * at * (j - k)
    }
    const determinant = weights * squares - steps * steps
    if (determinant <= 1e-9) return onsets[k]!.at
    const slope = (weights * product - steps * sum) / determinant
    return (sum - steps * slope) / weights
  })
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** How far the beats wander from a straight grid: the spread of their distances, in frames, without its extremes. */
function wandering(beats: readonly number[], { first, period }: BeatLine): number {
  const distances: number[] = []
  for (const beat of beats) {
    const position = (beat - first) / period
    const distance = (position - Math.round(position)) * period
    const last = distances.at(-1) ?? distance
    // Without the jump where a distance passes half a beat.
    distances.push(distance + Math.round((last - distance) / period) * period)
  }
  const lasting = distances
    .map((_, i) => median(distances.slice(Math.max(0, i - LASTING_BEATS), i + LASTING_BEATS + 1)))
    .slice(LASTING_BEATS, -LASTING_BEATS)
    .sort((a, b) => a - b)
  if (lasting.length === 0) return 0
  return lasting[Math.floor(lasting.length * 0.95)]! - lasting[Math.floor(lasting.length * 0.05)]!
}

function meanStrength(envelope: Float32Array, beats: readonly number[]): number {
  const strengths = beats.map((beat) =>
    Math.max(valueAt(envelope, beat - 0.5), valueAt(envelope, beat), valueAt(envelope, beat + 0.5)),
  )
  return strengths.reduce((sum, value) => sum + value, 0) / Math.max(1, strengths.length)
}

/**
 * The beats at which straight segments meet, so that no beat is further than `tolerance` frames from them (U. Ramer,
 * 1972; D. Douglas and T. Peucker, 1973).
 */
function knotsOf(beats: readonly number[], tolerance: number): number[] {
  const knots = new Set([0, beats.length - 1])
  const split = (from: number, to: number): void => {
    let [farthest, at] = [tolerance, -1]
    for (let i = from + 1; i < to; i++) {
      const straight = beats[from]! + ((beats[to]! - beats[from]!) * (i - from)) / (to - from)
      const distance = Math.abs(beats[i]! - straight)
      if (distance > farthest) [farthest, at] = [distance, i]
    }
    if (at < 0) return
    knots.add(at)
    split(from, at)
    split(at, to)
  }
  split(0, beats.length - 1)
  return [...knots].sort((a, b) => a - b)
}

function straightBeats(envelope: Float32Array, { first, period }: BeatLine): number[] {
  const beats: number[] = []
  for (let at = first - Math.floor(first / period) * period; at < envelope.length; at += period) beats.push(at)
  return beats
}

type DriftOptions = {
  /** Spread of the beats, in frames, from which a tempo drifts. */
  leastSpread: number
  /** How far a beat may be from the straight segments, in frames. */
  tolerance: number
}

/**
 * The straight segments of a tempo that drifts, with their beats counted from one that is a beat of `line`; undefined
 * when the beats stay on `line`. The phase of `line` must be right: half a beat off looks like drift.
 */
export function tempoDrift(
  envelope: Float32Array,
  line: BeatLine,
  { leastSpread, tolerance }: DriftOptions,
): TempoSegment[] | undefined {
  const free = smoothed(envelope, freeBeats(envelope, line.period))
  if (free.length < 4 * LASTING_BEATS || wandering(free, line) <= leastSpread) return undefined
  const isClearer =
    meanStrength(envelope, free) > CLEARLY_STRONGER * meanStrength(envelope, straightBeats(envelope, line))
  if (!isClearer) return undefined
  const segments = segmentsThrough(free, knotsOf(free, tolerance))
  return longestDeviation(segments, line.period) >= LEAST_BEATS
    ? segments.map(({ beat, at, period }) => ({ beat, at, period }))
    : undefined
}

/** The most beats in a row that are all faster, or all slower, than the period. */
function longestDeviation(segments: readonly LongSegment[], usual: number): number {
  let [longest, run, direction] = [0, 0, 0]
  for (const { beats, period } of segments) {
    const deviation = period / usual - 1
    const side = Math.abs(deviation) < LEAST_DEVIATION ? 0 : Math.sign(deviation)
    run = side !== 0 && side === direction ? run + beats : side === 0 ? 0 : beats
    direction = side
    longest = Math.max(longest, run)
  }
  return longest
}

type LongSegment = TempoSegment & { beats: number }

function segmentsThrough(beats: readonly number[], knots: readonly number[]): LongSegment[] {
  return knots.slice(0, -1).map((beat, i) => {
    const count = knots[i + 1]! - beat
    return { beat, beats: count, at: beats[beat]!, period: (beats[beat + count]! - beats[beat]!) / count }
  })
}
