/** A stage that converts samples to another rate, block by block. */
export type Resampler = { push(samples: Float32Array): Float32Array }

const HALF_BAND_TAPS = 31

/** Half-band low pass: sinc at a quarter of the rate with a Blackman window, normalised to unity gain at 0 Hz. */
export function halfBand(): Float32Array {
  const centre = (HALF_BAND_TAPS - 1) / 2
  const taps = Float32Array.from({ length: HALF_BAND_TAPS }, (_, i) => {
    const t = i - centre
    const sinc = t === 0 ? 0.5 : Math.sin(Math.PI * t * 0.5) / (Math.PI * t)
    const turn = (2 * Math.PI * i) / (HALF_BAND_TAPS - 1)
    return sinc * (0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn))
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

/** How much earlier, in samples of its input, sounds appear in the output of {@link HalfRate}. */
export const HALF_RATE_DELAY = (HALF_BAND_TAPS - 1) / 2

/** Halves the rate. Output i is the input around sample 2i plus half the length of the filter. */
export class HalfRate implements Resampler {
  readonly #taps: ArrayLike<number>
  #tail = new Float32Array(0)

  /** A symmetric filter with an odd number of taps, every second of which is zero. */
  constructor(taps: ArrayLike<number> = halfBand()) {
    this.#taps = taps
  }

  push(samples: Float32Array): Float32Array {
    const all = new Float32Array(this.#tail.length + samples.length)
    all.set(this.#tail)
    all.set(samples, this.#tail.length)
    const taps = this.#taps
    const centre = (taps.length - 1) / 2
    const count = Math.max(0, Math.floor((all.length - taps.length) / 2) + 1)
    const out = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const at = 2 * i + centre
      let sum = taps[centre]! * all[at]!
      for (let k = 1; k <= centre; k += 2) sum += taps[centre + k]! * (all[at + k]! + all[at - k]!)
      out[i] = sum
    }
    this.#tail = all.slice(2 * count)
    return out
  }
}

/** Linear interpolation between the samples: enough for tempo and key, not for listening. */
export class LinearRate implements Resampler {
  readonly #step: number
  #position = 0
  #last = 0

  constructor(from: number, to: number) {
    this.#step = from / to
  }

  push(samples: Float32Array): Float32Array {
    if (this.#step === 1 || samples.length === 0) return samples
    const out = new Float32Array(Math.ceil(samples.length / this.#step) + 2)
    let count = 0
    let position = this.#position
    for (; position < samples.length; position += this.#step) {
      const i = Math.floor(position)
      const before = i === 0 ? this.#last : samples[i - 1]!
      out[count++] = before + (samples[i]! - before) * (position - i)
    }
    this.#position = position - samples.length
    this.#last = samples.at(-1)!
    return out.subarray(0, count)
  }
}

const SINC_REACH = 16

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** Raises the rate by a ratio of whole numbers: sinc with a Hann window of 32 samples, one set of taps per phase. */
export class SincRate implements Resampler {
  readonly #from: number
  readonly #to: number
  readonly #phases = new Map<number, Float32Array>()
  #tail = new Float32Array(SINC_REACH - 1)
  #phase = 0

  constructor(from: number, to: number) {
    const divisor = greatestCommonDivisor(from, to)
    this.#from = from / divisor
    this.#to = to / divisor
  }

  push(samples: Float32Array): Float32Array {
    const all = new Float32Array(this.#tail.length + samples.length)
    all.set(this.#tail)
    all.set(samples, this.#tail.length)
    const out = new Float32Array(Math.ceil((samples.length * this.#to) / this.#from) + 2)
    let count = 0
    let at = 0
    while (at + 2 * SINC_REACH <= all.length) {
      const taps = this.#tapsOf(this.#phase)
      let sum = 0
      for (let k = 0; k < taps.length; k++) sum += taps[k]! * all[at + k]!
      out[count++] = sum
      this.#phase += this.#from
      at += Math.floor(this.#phase / this.#to)
      this.#phase %= this.#to
    }
    this.#tail = all.slice(at)
    return out.subarray(0, count)
  }

  #tapsOf(phase: number): Float32Array {
    const known = this.#phases.get(phase)
    if (known) return known
    const taps = Float32Array.from({ length: 2 * SINC_REACH }, (_, k) => {
      const t = k - (SINC_REACH - 1) - phase / this.#to
      const sinc = t === 0 ? 1 : Math.sin(Math.PI * t) / (Math.PI * t)
      return sinc * (0.5 + 0.5 * Math.cos((Math.PI * t) / SINC_REACH))
    })
    this.#phases.set(phase, taps)
    return taps
  }
}

/** Runs several stages in sequence. */
export class ResamplerChain implements Resampler {
  readonly #stages: Resampler[]

  constructor(stages: Resampler[]) {
    this.#stages = stages
  }

  push(samples: Float32Array): Float32Array {
    return this.#stages.reduce((block, stage) => stage.push(block), samples)
  }
}
