import { BANDS } from '../onset.ts'

/** Sixteenths compared before and after a moment: eight beats. */
const REACH = 32
const LEAST = 8
/** A change counts only where none within two beats is larger. */
const NEIGHBOURHOOD = 8
const QUIETEST_POWER = 1e-7

/** Running sums of a band's level in each sixteenth, as log power. */
function levelSums(power: Float32Array, { origin, step, count }: Sixteenths): Float64Array {
  const sums = new Float64Array(count + 1)
  for (let k = 0; k < count; k++) {
    const from = Math.round(origin + k * step)
    const to = Math.round(origin + (k + 1) * step)
    let sum = 0
    for (let i = from; i < to; i++) sum += power[i] ?? 0
    sums[k + 1] = sums[k]! + Math.log10(QUIETEST_POWER + sum / Math.max(1, to - from))
  }
  return sums
}

/** Sixteenth k begins at the onset frame `origin + k · step`. */
type Sixteenths = { origin: number; step: number; count: number }

/**
 * How much the sound as a whole changes at each sixteenth: the mean level of the eight bands in the eight beats after
 * it compared with the eight beats before, and 0 where a larger change is near. A drop or a break shows up here.
 */
export function soundChanges(powers: Float32Array[], origin: number, step: number): Float32Array {
  const count = Math.max(0, Math.floor((powers[0]!.length - 1 - origin) / step))
  const sums = powers.map((power) => levelSums(power, { origin, step, count }))
  const changes = Float32Array.from({ length: count }, (_, k) => {
    const from = Math.max(0, k - REACH)
    const to = Math.min(count, k + REACH)
    if (k - from < LEAST || to - k < LEAST) return 0
    const squares = sums.reduce((total, sum) => {
      const difference = (sum[to]! - sum[k]!) / (to - k) - (sum[k]! - sum[from]!) / (k - from)
      return total + difference * difference
    }, 0)
    return Math.sqrt(squares / BANDS)
  })
  return changes.map((change, k) => {
    const around = changes.subarray(Math.max(0, k - NEIGHBOURHOOD), Math.min(count, k + NEIGHBOURHOOD + 1))
    return around.some((other) => other > change) ? 0 : change
  })
}
