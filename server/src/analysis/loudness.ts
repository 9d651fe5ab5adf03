/** Filter coefficients b0, b1, b2, a1, a2 (a0 = 1). */
type Biquad = readonly [number, number, number, number, number]

/**
 * First K-weighting stage of ITU-R BS.1770-4, annex 1: the high shelf that models the head. The standard prints
 * coefficients for 48 kHz; these analogue parameters (libebur128, De Man 2014) reproduce them there and work at every
 * other rate.
 */
function headShelf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const q = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + k / q + k * k
  return [
    (high + (band * k) / q + k * k) / a0,
    (2 * (k * k - high)) / a0,
    (high - (band * k) / q + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / q + k * k) / a0,
  ]
}

/** Second K-weighting stage (RLB): a high pass with unscaled zeros, as in the standard. */
function lowCut(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const q = 0.5003270373238773
  const a0 = 1 + k / q + k * k
  return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0]
}

/** b0, b1, b2, a1, a2 of the head shelf, then a1, a2 of the low cut. */
export const kWeighting = (sampleRate: number): number[] => [...headShelf(sampleRate), ...lowCut(sampleRate).slice(3)]

const ABSOLUTE_GATE_LUFS = -70
const lufs = (energy: number) => -0.691 + 10 * Math.log10(energy)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Mean energies of all windows of `length` steps, one step apart. */
function slidingMeans(steps: number[], length: number): number[] {
  const means: number[] = []
  for (let i = 0; i + length <= steps.length; i++) means.push(mean(steps.slice(i, i + length)))
  return means
}

/**
 * Loudness according to ITU-R BS.1770-4 and EBU R128. Takes blocks of channels of equal length; `weights` are the
 * factors of the channels' energies, 1 by default.
 */
export class Loudness {
  readonly #shelf: Biquad
  readonly #cut: Biquad
  readonly #weights: readonly number[]
  readonly #states: Float64Array[]
  readonly #stepSamples: number
  readonly #steps: number[] = []
  #energy = 0
  #filled = 0

  constructor(sampleRate: number, channels: number, weights: readonly number[] = []) {
    this.#weights = Array.from({ length: channels }, (_, channel) => weights[channel] ?? 1)
    this.#shelf = headShelf(sampleRate)
    this.#cut = lowCut(sampleRate)
    this.#states = Array.from({ length: channels }, () => new Float64Array(4))
    this.#stepSamples = Math.round(sampleRate / 10)
  }

  push(channels: Float32Array[]): void {
    this.pushEnergies(channels[0]!.length, (from, to) =>
      this.#states.reduce((sum, state, channel) => {
        const weight = this.#weights[channel]!
        return weight === 0 ? sum : sum + weight * this.#weightedEnergy(channels[channel]!, from, to, state)
      }, 0),
    )
  }

  /** Adds a block whose weighted energy is calculated elsewhere: `energyOf` is called for its parts, in order. */
  pushEnergies(length: number, energyOf: (from: number, to: number) => number): void {
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.#stepSamples - this.#filled)
      this.#energy += energyOf(from, to)
      this.#filled += to - from
      from = to
      if (this.#filled === this.#stepSamples) this.#closeStep()
    }
  }

  /** Sum of squares of the K-weighted samples; both filters in transposed direct form II. */
  #weightedEnergy(samples: Float32Array, from: number, to: number, state: Float64Array): number {
    const [b0, b1, b2, a1, a2] = this.#shelf
    const [, , , c1, c2] = this.#cut
    let [s1, s2, t1, t2] = state as unknown as [number, number, number, number]
    let energy = 0
    for (let i = from; i < to; i++) {
      const x = samples[i]!
      const shelved = b0 * x + s1
      s1 = b1 * x - a1 * shelved + s2
      s2 = b2 * x - a2 * shelved
      const weighted = shelved + t1
      t1 = -2 * shelved - c1 * weighted + t2
      t2 = shelved - c2 * weighted
      energy += weighted * weighted
    }
    state.set([s1, s2, t1, t2])
    return energy
  }

  #closeStep(): void {
    this.#steps.push(this.#energy / this.#stepSamples)
    this.#energy = 0
    this.#filled = 0
  }

  /**
   * Integrated loudness: 400 ms blocks overlapping by three quarters, gated at −70 LUFS and 10 LU below the level of
   * the remaining blocks.
   */
  integrated(): number {
    const blocks = slidingMeans(this.#steps, 4).filter((energy) => lufs(energy) > ABSOLUTE_GATE_LUFS)
    if (blocks.length === 0) return ABSOLUTE_GATE_LUFS
    const gate = mean(blocks) * 0.1
    return lufs(mean(blocks.filter((energy) => energy > gate)))
  }

  /** Loudness range (EBU Tech 3342): 3 s windows, gated at −70 LUFS and −20 LU, the 10th to the 95th percentile. */
  range(): number {
    const windows = slidingMeans(this.#steps, 30).filter((energy) => lufs(energy) > ABSOLUTE_GATE_LUFS)
    if (windows.length === 0) return 0
    const gate = mean(windows) * 0.01
    const levels = windows.filter((energy) => energy > gate).map(lufs)
    levels.sort((a, b) => a - b)
    const percentile = (share: number) => levels[Math.round((levels.length - 1) * share)]!
    return percentile(0.95) - percentile(0.1)
  }
}
