/** Beats at equal distances: beat k is at `first + k · period`, in onset frames. */
export type BeatLine = { first: number; period: number }

type Onset = { beat: number; at: number; weight: number }

const ROUNDS = 7
/** In the first rounds onsets count up to this share of a beat away, later less far. */
const FIRST_REACH = 0.14
const REACH = 0.09
const LEAST_ONSETS = 8
/** From the median of absolute deviations to the standard deviation of a normal distribution. */
const MEDIAN_TO_DEVIATION = 1.48

/**
 * The strongest onset near a frame, placed between frames by a parabola; nearer onsets are preferred. Undefined when
 * there is none.
 */
export function onsetNear(
  envelope: Float32Array,
  frame: number,
  reach: number,
): { at: number; weight: number } | undefined {
  let [best, highest] = [-1, 0]
  const last = Math.min(envelope.length - 2, frame + reach)
  for (let i = Math.max(1, Math.ceil(frame - reach)); i <= last; i++) {
    const value = envelope[i]!
    if (value < envelope[i - 1]! || value < envelope[i + 1]!) continue
    const distance = (i - frame) / (reach + 1)
    const weighted = value * (1 - distance * distance)
    if (weighted > highest) [best, highest] = [i, weighted]
  }
  if (best < 0) return undefined
  const [before, top, after] = [envelope[best - 1]!, envelope[best]!, envelope[best + 1]!]
  const curvature = before - 2 * top + after
  return { at: best + (curvature ? (0.5 * (before - after)) / curvature : 0), weight: Math.sqrt(top) }
}

function onsetsNextTo(envelope: Float32Array, { first, period }: BeatLine, reach: number): Onset[] {
  const onsets: Onset[] = []
  for (let beat = Math.ceil(-first / period); first + beat * period < envelope.length - 1; beat++) {
    const onset = onsetNear(envelope, first + beat * period, reach)
    if (onset) onsets.push({ beat, ...onset })
  }
  return onsets
}

const distanceTo = ({ first, period }: BeatLine, { beat, at }: Onset) => at - first - beat * period

/** Tukey's biweight: onsets further than `scale` frames from the line do not count. */
function biweight(distance: number, scale: number): number {
  const share = distance / scale
  return Math.abs(share) < 1 ? (1 - share * share) ** 2 : 0
}

/** Weighted least squares; undefined when the onsets do not determine a line. With a fixed period only `first` moves. */
function fit(onsets: Onset[], line: BeatLine, scale: number, isPeriodFixed: boolean): BeatLine | undefined {
  let [weights, beats, squares, sum, product] = [0, 0, 0, 0, 0]
  for (const onset of onsets) {
    const weight = onset.weight * biweight(distanceTo(line, onset), scale)
    weights += weight
    beats += weight * onset.beat
    squares += weight * onset.beat * onset.beat
    sum += weight * onset.at
    product += weight * onset.at * onset.beat
  }
  const determinant = weights * squares - beats * beats
  if (weights === 0 || determinant <= 1e-9) return undefined
  const period = isPeriodFixed ? line.period : (weights * product - beats * sum) / determinant
  return { period, first: (sum - period * beats) / weights }
}

/** The typical distance of the onsets from the line, in frames: robust against those that are not on the beat. */
function typicalDistance(onsets: Onset[], line: BeatLine): number {
  const distances = onsets.map((onset) => Math.abs(distanceTo(line, onset))).sort((a, b) => a - b)
  return (distances[distances.length >> 1] ?? 0) * MEDIAN_TO_DEVIATION
}

/**
 * Fits equal beats to the onsets of a whole file, starting from an approximate line: iteratively reweighted least
 * squares. With `isPeriodFixed`, only the position of the beats is fitted.
 */
export function fitBeatLine(
  envelope: Float32Array,
  start: BeatLine,
  { isPeriodFixed = false }: { isPeriodFixed?: boolean } = {},
): BeatLine {
  let line = start
  let deviation = 0
  for (let round = 0; round < ROUNDS; round++) {
    const isEarly = round < 2
    const reach = Math.max(2, line.period * (isEarly ? FIRST_REACH : REACH))
    const onsets = onsetsNextTo(envelope, line, reach)
    const fitted = fit(onsets, line, isEarly ? reach : Math.max(0.25, 3 * deviation), isPeriodFixed)
    if (!fitted || onsets.length < LEAST_ONSETS) return line
    line = fitted
    deviation = typicalDistance(onsets, line)
  }
  return line
}

/** A better period must be this near, so that a fit which jumped to other onsets is not taken. */
const LARGEST_PERIOD_CHANGE = 0.002

/** The mean strength of an envelope on the beats of a line. */
function strengthOn(envelope: Float32Array, { first, period }: BeatLine): number {
  const start = first - Math.floor(first / period) * period
  const count = Math.max(1, Math.floor((envelope.length - 1 - start) / period) + 1)
  let sum = 0
  for (let beat = 0; beat < count; beat++) sum += envelope[Math.round(start + beat * period)] ?? 0
  return sum / count
}

/**
 * The period of the line with the strongest onsets, fitted from four places within the beat: more accurate than
 * `period`, a frequency found in the onsets, before it is known where the beats are.
 */
export function refinedPeriod(envelope: Float32Array, period: number): number {
  let best = { period, strength: -1 }
  for (const share of [0, 0.25, 0.5, 0.75]) {
    const line = fitBeatLine(envelope, { first: share * period, period })
    const strength = strengthOn(envelope, line)
    if (Math.abs(line.period / period - 1) < LARGEST_PERIOD_CHANGE && strength > best.strength)
      best = { period: line.period, strength }
  }
  return best.period
}
