import { type OffsetTransform, STEPS_OF_16_BITS } from './offset-scores.ts'

const SUBBANDS = 32
export const LINES = 18
const HOP = SUBBANDS * LINES
const TAPS = 512
const BLOCKS = 2 * LINES
/** Positions of the polyphase filters: each offset needs 36, 32 samples apart. */
const POSITIONS = (BLOCKS - 1) * SUBBANDS + HOP

/**
 * The prototype low pass of ISO/IEC 11172-3 (table C.1, "analysis window") as a sum of cosines, normalised to unit noise
 * gain: it differs from the table by its rounding only (−98 dB).
 */
const PROTOTYPE = [
  0.02209639, -0.04419415, 0.04402819, -0.04151274, 0.031251, -0.0151561, 0.00382604, -0.00034163,
] as const

/** Coefficients of the alias reduction (ISO/IEC 11172-3, table B.9). */
const ALIAS = [-0.6, -0.535, -0.33, -0.185, -0.095, -0.041, -0.0142, -0.0037] as const

/** With the sign of the bands' cosines, which changes with every 64 taps. */
const prototype = Float64Array.from({ length: TAPS }, (_, n) => {
  const sign = Math.floor(n / 64) % 2 === 0 ? STEPS_OF_16_BITS : -STEPS_OF_16_BITS
  return PROTOTYPE.reduce((sum, amplitude, m) => sum + sign * amplitude * Math.cos((2 * Math.PI * m * n) / TAPS), 0)
})
const window = Float64Array.from({ length: BLOCKS }, (_, i) => Math.sin((Math.PI / BLOCKS) * (i + 0.5)))
const dct = Float64Array.from({ length: LINES * LINES }, (_, at) => {
  const line = Math.floor(at / LINES)
  return Math.sqrt(2 / LINES) * Math.cos((Math.PI / LINES) * ((at % LINES) + 0.5) * (line + 0.5))
})

/**
 * The hybrid filter bank of MP3 for long blocks: a polyphase filter bank of 32 bands, an MDCT of 18 lines in each, and
 * the butterflies that reduce the aliases between neighbours (ISO/IEC 11172-3, 2.4.3.4 and C.1.3). The lowest and the
 * highest eight lines lack those of their other neighbour.
 */
export class Mp3Transform implements OffsetTransform {
  readonly hop = HOP
  readonly bins: number
  readonly #from: number
  readonly #to: number
  /** The windowed samples at each position, folded to the 32 that the bands' cosines differ in. */
  readonly #folded = new Float64Array(SUBBANDS * POSITIONS)
  readonly #band = new Float64Array(POSITIONS)
  readonly #windowed = new Float64Array(64)

  /** Subbands from `from` to before `to`, each 1/64 of the sample rate wide. */
  constructor(from: number, to: number) {
    this.#from = from
    this.#to = to
    this.bins = (to - from) * LINES
  }

  apply(samples: Float32Array, out: Float32Array): void {
    this.#fold(samples)
    for (let band = this.#from; band < this.#to; band++) {
      this.#filter(band)
      this.#mdct(band, out.subarray((band - this.#from) * LINES * HOP))
    }
    for (let band = 1; band < this.#to - this.#from; band++) reduceAliases(out, band)
  }

  /** cos((2b + 1)(k − 16)π/64) is even around k = 16 and odd around k = 48. */
  #fold(samples: Float32Array): void {
    const folded = this.#folded
    const windowed = this.#windowed
    for (let position = 0; position < POSITIONS; position++) {
      const newest = position + TAPS - 1
      for (let k = 0; k < 64; k++) {
        let sum = 0
        for (let n = k; n < TAPS; n += 64) sum += prototype[n]! * samples[newest - n]!
        windowed[k] = sum
      }
      const at = position * SUBBANDS
      folded[at] = windowed[16]!
      for (let i = 1; i <= 16; i++) folded[at + i] = windowed[16 + i]! + windowed[16 - i]!
      for (let i = 17; i < SUBBANDS; i++) folded[at + i] = windowed[16 + i]! - windowed[80 - i]!
    }
  }

  /** One subband at every position, not only at every 32nd. */
  #filter(band: number): void {
    const cosines = Float64Array.from({ length: SUBBANDS }, (_, i) => Math.cos(((2 * band + 1) * i * Math.PI) / 64))
    const folded = this.#folded
    for (let position = 0; position < POSITIONS; position++) {
      const at = position * SUBBANDS
      let sum = 0
      for (let i = 0; i < SUBBANDS; i++) sum += cosines[i]! * folded[at + i]!
      this.#band[position] = sum
    }
  }

  /** The MDCT as a fold of 36 windowed samples to 18 and a DCT-IV. Odd samples of odd bands are inverted. */
  #mdct(band: number, out: Float32Array): void {
    const half = LINES / 2
    const samples = this.#band
    const signed = window.map((value, i) => (band % 2 === 1 && i % 2 === 1 ? -value : value))
    const z = new Float64Array(BLOCKS)
    const values = new Float64Array(LINES)
    for (let offset = 0; offset < HOP; offset++) {
      for (let i = 0; i < BLOCKS; i++) z[i] = samples[offset + i * SUBBANDS]! * signed[i]!
      for (let i = 0; i < half; i++) {
        values[i] = -z[3 * half - 1 - i]! - z[3 * half + i]!
        values[half + i] = z[i]! - z[LINES - 1 - i]!
      }
      for (let line = 0; line < LINES; line++) {
        const at = line * LINES
        let sum = 0
        for (let i = 0; i < LINES; i++) sum += values[i]! * dct[at + i]!
        out[line * HOP + offset] = sum
      }
    }
  }
}

function reduceAliases(out: Float32Array, band: number): void {
  ALIAS.forEach((c, i) => {
    const cs = 1 / Math.sqrt(1 + c * c)
    const ca = c / Math.sqrt(1 + c * c)
    const below = (band * LINES - 1 - i) * HOP
    const above = (band * LINES + i) * HOP
    for (let offset = 0; offset < HOP; offset++) {
      const a = out[below + offset]!
      const b = out[above + offset]!
      out[below + offset] = a * cs + b * ca
      out[above + offset] = b * cs - a * ca
    }
  })
}
