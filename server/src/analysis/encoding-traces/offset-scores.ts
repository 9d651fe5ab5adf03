/** Full scale of the samples in steps of 16 bits, the unit of all coefficients. */
export const STEPS_OF_16_BITS = 32_768

/**
 * A codec's analysis transform, applied to one channel of an excerpt at every offset of one frame. It is orthonormal:
 * white noise has the same mean square in the coefficients as in the samples.
 */
export type OffsetTransform = {
  /** Number of offsets: samples from one frame to the next. */
  readonly hop: number
  readonly bins: number
  /** Writes one row of `hop` coefficients for each bin, in steps of 16 bits. */
  apply(samples: Float32Array, out: Float32Array): void
}

/** Offsets on each side of one that its count of zeros is compared with. */
const NEIGHBOURS = 8

/** A row of coefficients of each channel: one, or left and right. */
export type ChannelCoefficients = readonly Float32Array[]

/** Counts of zeros at each offset in left and right, and in their sum and difference. */
type ZeroCounts = { channels: Float64Array; sides: Float64Array }

/** A bin is only counted where its RMS is this many times the threshold: below, it is zero at every offset. */
const LEAST_RMS = 3

type ZeroOptions = {
  hop: number
  /** Coefficients below it count as zeros. */
  threshold: number
  /** Music has energy in many bins; single tones do not, and their phases would make zeros. */
  leastBins: number
}

/**
 * How many more coefficients are below `threshold` at each offset than at the offsets around it, in standard deviations.
 * The encoder decides for each frame between left and right and their sum and difference, so the pair with more zeros
 * counts.
 */
export function zeroScores(
  coefficients: ChannelCoefficients,
  { hop, leastBins, threshold }: ZeroOptions,
): Float64Array {
  const [left, right] = coefficients as [Float32Array, Float32Array?]
  const rows = liveRows(coefficients, hop, LEAST_RMS * threshold)
  if (rows.length < leastBins) return new Float64Array(hop)
  if (!right) return excessOver(countZeros(left, { hop, rows, threshold }), rows.length)
  const { channels, sides } = countStereoZeros([left, right], { hop, rows, threshold })
  const scores = excessOver(channels, 2 * rows.length)
  keepHigher(scores, excessOver(sides, 2 * rows.length))
  return scores
}

/** Starts of the rows whose RMS is at least `leastRms` in all channels together. */
function liveRows(coefficients: ChannelCoefficients, hop: number, leastRms: number): number[] {
  const rows: number[] = []
  const least = leastRms * leastRms * hop * coefficients.length
  for (let row = 0; row < coefficients[0]!.length; row += hop) {
    let squares = 0
    for (const values of coefficients) for (let i = row; i < row + hop; i++) squares += values[i]! * values[i]!
    if (squares >= least) rows.push(row)
  }
  return rows
}

type Counting = { hop: number; rows: readonly number[]; threshold: number }

function countZeros(coefficients: Float32Array, { hop, rows, threshold }: Counting): Float64Array {
  const zeros = new Float64Array(hop)
  for (const row of rows) {
    for (let offset = 0; offset < hop; offset++) if (Math.abs(coefficients[row + offset]!) < threshold) zeros[offset]!++
  }
  return zeros
}

function countStereoZeros([left, right]: [Float32Array, Float32Array], { hop, rows, threshold }: Counting): ZeroCounts {
  const channels = new Float64Array(hop)
  const sides = new Float64Array(hop)
  // Sum and difference are divided by √2 to keep the level of noise.
  const wide = threshold * Math.SQRT2
  for (const row of rows) {
    for (let offset = 0; offset < hop; offset++) {
      const a = left[row + offset]!
      const b = right[row + offset]!
      if (a < threshold && a > -threshold) channels[offset]!++
      if (b < threshold && b > -threshold) channels[offset]!++
      const sum = a + b
      const difference = a - b
      if (sum < wide && sum > -wide) sides[offset]!++
      if (difference < wide && difference > -wide) sides[offset]!++
    }
  }
  return { channels, sides }
}

function excessOver(zeros: Float64Array, most: number): Float64Array {
  const scores = new Float64Array(zeros.length)
  for (let offset = 0; offset < zeros.length; offset++) {
    const from = Math.max(0, offset - NEIGHBOURS)
    const to = Math.min(zeros.length - 1, offset + NEIGHBOURS)
    let around = -zeros[offset]!
    for (let other = from; other <= to; other++) around += zeros[other]!
    const mean = around / (to - from)
    scores[offset] = (zeros[offset]! - mean) / Math.sqrt(mean * Math.max(0, 1 - mean / most) + 2)
  }
  return scores
}

/** Keeps the higher of both scores at each offset in the first array. */
export function keepHigher(scores: Float64Array, others: Float64Array): void {
  for (let offset = 0; offset < scores.length; offset++)
    if (others[offset]! > scores[offset]!) scores[offset] = others[offset]!
}

/** How many standard deviations each value is above the mean. */
export function standardised(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const scale = 1 / (Math.sqrt(variance) || 1)
  return values.map((value) => (value - mean) * scale)
}
