import { bitReversed, type ComplexTransform, createComplexTransform } from '../fft.ts'
import { interpolateOffsets, POINTS_AROUND } from './interpolation.ts'
import { type OffsetTransform, STEPS_OF_16_BITS } from './offset-scores.ts'

type Tables = { order: Uint32Array; cos: Float32Array; sin: Float32Array }

const tablesOfSizes = new Map<number, Tables>()

/** Tables for complex transforms of `size` values, the same for all windows; cos and −sin of πn/2size. */
function tablesOf(size: number): Tables {
  const known = tablesOfSizes.get(size)
  if (known) return known
  const tables: Tables = {
    order: bitReversed(size),
    ...{ cos: new Float32Array(size), sin: new Float32Array(size) },
  }
  for (let n = 0; n < size; n++) {
    tables.cos[n] = Math.cos((Math.PI * n) / (2 * size))
    tables.sin[n] = -Math.sin((Math.PI * n) / (2 * size))
  }
  tablesOfSizes.set(size, tables)
  return tables
}

/**
 * The MDCT of AAC and Vorbis: 2 × `hop` windowed samples, `hop` a power of two. Its spectra are computed at every
 * `step`-th offset and interpolated.
 */
export class MdctTransform implements OffsetTransform {
  readonly hop: number
  readonly bins: number
  readonly #step: number
  readonly #numbers: readonly number[]
  readonly #window: Float32Array
  readonly #tables: Tables
  readonly #transform: ComplexTransform

  /**
   * `window` has 2 × hop values; `numbers` are those of the bins to compute, all of them even. The more a window lets
   * through from far frequencies, the smaller `step` has to be.
   */
  constructor(window: Float64Array, numbers: readonly number[], step: 32 | 64, create = createComplexTransform) {
    const hop = window.length / 2
    this.hop = hop
    this.bins = numbers.length
    this.#step = step
    this.#numbers = numbers
    this.#window = new Float32Array(window.length)
    const scale = Math.sqrt(2 / hop) * STEPS_OF_16_BITS
    for (let n = 0; n < window.length; n++) this.#window[n] = window[n]! * scale
    this.#tables = tablesOf(hop)
    this.#transform = create(hop)
  }

  apply(samples: Float32Array, out: Float32Array): void {
    const step = this.#step
    const points = this.hop / step + POINTS_AROUND
    const re = new Float64Array(points * this.bins)
    const im = new Float64Array(points * this.bins)
    const spectrum = this.#transform
    for (let point = 0; point < points; point++) {
      this.#computeSpectrum(samples, point * step)
      for (let bin = 0; bin < this.bins; bin++) {
        re[bin * points + point] = spectrum.re[this.#numbers[bin]! >> 1]!
        im[bin * points + point] = spectrum.im[this.#numbers[bin]! >> 1]!
      }
    }
    interpolateOffsets({ re, im, numbers: this.#numbers, hop: this.hop, step }, out)
  }

  /**
   * The spectrum at the even bins' frequencies. Half a window apart, exp(−iπ(2j + ½)) = −i, so both halves fit into one
   * complex transform of `hop` values: Σ (x(n) − i x(n + hop)) exp(−iπn/2hop) exp(−2πi jn/hop).
   */
  #computeSpectrum(samples: Float32Array, start: number): void {
    const { hop } = this
    const { order, cos, sin } = this.#tables
    const window = this.#window
    const { re, im, run } = this.#transform
    for (let i = 0; i < hop; i++) {
      const n = order[i]!
      const first = samples[start + n]! * window[n]!
      const second = samples[start + n + hop]! * window[n + hop]!
      re[i] = first * cos[n]! + second * sin[n]!
      im[i] = first * sin[n]! - second * cos[n]!
    }
    run()
  }
}
