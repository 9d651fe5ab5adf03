import { type ChannelCoefficients, keepHigher, standardised } from './offset-scores.ts'

/** MP3 stores |q| of a coefficient ±Δ|q|^(4/3), Δ a step for each band, in quarters of an octave. */
const STEPS_PER_OCTAVE = 4
/** Steps that are tried for each band, the largest of them above the band's RMS. */
const STEPS = 20
/** log₂ of the steps is (n + 0.33)/4 when coefficients are in steps of 16 bits: 32,768 × √(gain of the filter bank). */
const STEP_PHASE = 0.33
/** Positions in the table of one period of the cosine. */
const PERIOD = 1024
/** The least variance of a sum of n cosines, per cosine: bands of zeros have nearly none. */
const LEAST_VARIANCE = 0.02

const cosine = Float32Array.from({ length: PERIOD }, (_, i) => Math.cos((2 * Math.PI * i) / PERIOD))

type Bands = {
  hop: number
  /** First bin of each band, and the end of the last. */
  edges: readonly number[]
  /** Smallest step that the rounding of the samples leaves visible, in steps of 16 bits. */
  smallestStep: number
}

/**
 * How well the coefficients at each offset match multiples of a quantiser's step, in standard deviations above the other
 * offsets. The left channel and the sum of both are tried:
 * encoders choose one of them for each frame.
 */
export function quantisationScores([left, right]: ChannelCoefficients, bands: Bands): Float64Array {
  const scores = scoresOfSignal(left!, bands)
  if (right) keepHigher(scores, scoresOfSignal(sumOf(left!, right), bands))
  return scores
}

function sumOf(left: Float32Array, right: Float32Array): Float32Array {
  const sum = new Float32Array(left.length)
  for (let i = 0; i < sum.length; i++) sum[i] = (left[i]! + right[i]!) * Math.SQRT1_2
  return sum
}

function rmsOf(values: Float32Array): number {
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += values[i]! * values[i]!
  return Math.sqrt(squares / values.length)
}

function scoresOfSignal(coefficients: Float32Array, { hop, edges, smallestStep }: Bands): Float64Array {
  const total = new Float64Array(hop)
  for (let band = 0; band + 1 < edges.length; band++) {
    const scores = scoresOfBand(coefficients.subarray(edges[band]! * hop, edges[band + 1]! * hop), hop, smallestStep)
    for (let offset = 0; offset < hop; offset++) total[offset]! += scores[offset]!
  }
  return standardised(total)
}

/** The best score of all steps at each offset. */
function scoresOfBand(coefficients: Float32Array, hop: number, smallestStep: number): Float64Array {
  const bins = coefficients.length / hop
  const rms = rmsOf(coefficients)
  const best = new Float64Array(hop)
  if (rms < smallestStep) return best
  const highestStep = Math.floor(Math.log2(rms) * STEPS_PER_OCTAVE - STEP_PHASE) + 2
  const sizeOf = (step: number) => 2 ** ((highestStep - STEPS + 1 + step + STEP_PHASE) / STEPS_PER_OCTAVE)
  const powers = powersOf(coefficients, sizeOf(0))
  const sums = new Float64Array(hop)
  for (let step = 0; step < STEPS; step++) {
    if (sizeOf(step) < smallestStep) continue
    const scale = 2 ** ((-0.75 * step) / STEPS_PER_OCTAVE)
    sums.fill(0)
    for (let bin = 0; bin < bins; bin++) {
      const row = bin * hop
      for (let offset = 0; offset < hop; offset++)
        sums[offset]! += cosine[(powers[row + offset]! * scale) & (PERIOD - 1)]!
    }
    keepHighest(best, sums, bins * LEAST_VARIANCE)
  }
  return best
}

/** (|X|/Δ)^(3/4), which is a whole number for quantised coefficients, in positions of the table. */
function powersOf(coefficients: Float32Array, size: number): Float32Array {
  const powers = new Float32Array(coefficients.length)
  for (let i = 0; i < powers.length; i++) {
    const root = Math.sqrt(Math.abs(coefficients[i]!) / size)
    powers[i] = root * Math.sqrt(root) * PERIOD
  }
  return powers
}

function keepHighest(best: Float64Array, sums: Float64Array, leastVariance: number): void {
  const { length } = sums
  let sum = 0
  let squares = 0
  for (const value of sums) {
    sum += value
    squares += value * value
  }
  const mean = sum / length
  const scale = 1 / Math.sqrt(Math.max(leastVariance, squares / length - mean * mean))
  for (let offset = 0; offset < length; offset++) {
    const score = (sums[offset]! - mean) * scale
    if (score > best[offset]!) best[offset] = score
  }
}
