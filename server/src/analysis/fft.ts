/** Positions 0..n−1 with their bits in reverse order. */
export function bitReversed(n: number): Uint32Array {
  const order = new Uint32Array(n)
  const bits = Math.log2(n)
  for (let i = 0; i < n; i++) {
    let reversed = 0
    for (let bit = 0; bit < bits; bit++) if ((i >> bit) & 1) reversed |= 1 << (bits - 1 - bit)
    order[i] = reversed
  }
  return order
}

const cosines = (count: number, period: number) =>
  Float32Array.from({ length: count }, (_, i) => Math.cos((2 * Math.PI * i) / period))
const negativeSines = (count: number, period: number) =>
  Float32Array.from({ length: count }, (_, i) => -Math.sin((2 * Math.PI * i) / period))

/**
 * The stages of a complex radix-2 transform of `size` values in bit-reversed order (Cooley and Tukey, 1965). The factors
 * of the first one are all 1, so it can be done while the values are put in order.
 */
export class FftStages {
  readonly #size: number
  readonly #cos: Float32Array
  readonly #sin: Float32Array

  constructor(size: number) {
    this.#size = size
    this.#cos = cosines(size >> 1, size)
    this.#sin = negativeSines(size >> 1, size)
  }

  /** All stages. Overwrites the real and imaginary parts. */
  runAll(re: Float32Array, im: Float32Array): void {
    this.#combine(re, im, 2)
    this.run(re, im)
  }

  /** The stages after the first. */
  run(re: Float32Array, im: Float32Array): void {
    for (let span = 4; span <= this.#size; span <<= 1) this.#combine(re, im, span)
  }

  #combine(re: Float32Array, im: Float32Array, span: number): void {
    const reach = span >> 1
    const step = this.#size / span
    for (let j = 0, k = 0; j < reach; j++, k += step) {
      const wr = this.#cos[k]!
      const wi = this.#sin[k]!
      for (let i = j; i < this.#size; i += span) {
        const m = i + reach
        const tr = re[m]! * wr - im[m]! * wi
        const ti = re[m]! * wi + im[m]! * wr
        re[m] = re[i]! - tr
        im[m] = im[i]! - ti
        re[i]! += tr
        im[i]! += ti
      }
    }
  }
}

/**
 * A complex transform of values in bit-reversed order: `run` replaces `re` and `im` by the spectrum. Other transforms may
 * share these arrays, so they keep nothing from one use to the next.
 */
export type ComplexTransform = { re: Float32Array; im: Float32Array; run: () => void }

/** Creates the transform of `size` values, a power of two. */
export type CreateComplexTransform = (size: number) => ComplexTransform

export const createComplexTransform: CreateComplexTransform = (size) => {
  const stages = new FftStages(size)
  const [re, im] = [new Float32Array(size), new Float32Array(size)]
  return { re, im, run: () => stages.runAll(re, im) }
}

/**
 * Fourier transform of `size` real samples (a power of two): a complex radix-2 transform of half the size (Cooley and
 * Tukey, 1965), then the separation of even and odd parts. `re` and `im` hold size/2 + 1 bins and are overwritten by
 * every `forward`.
 */
export class RealFft {
  readonly size: number
  readonly re: Float32Array
  readonly im: Float32Array
  readonly #half: number
  readonly #order: Uint32Array
  readonly #zr: Float32Array
  readonly #zi: Float32Array
  readonly #stages: FftStages
  readonly #splitCos: Float32Array
  readonly #splitSin: Float32Array

  constructor(size: number) {
    const half = size >> 1
    this.size = size
    this.#half = half
    this.re = new Float32Array(half + 1)
    this.im = new Float32Array(half + 1)
    this.#zr = new Float32Array(half)
    this.#zi = new Float32Array(half)
    this.#order = bitReversed(half)
    this.#stages = new FftStages(half)
    this.#splitCos = cosines(half, size)
    this.#splitSin = negativeSines(half, size)
  }

  forward(samples: Float32Array): this {
    this.#load(samples)
    this.#stages.run(this.#zr, this.#zi)
    this.#split()
    return this
  }

  /**
   * Packs even samples as real parts and odd samples as imaginary parts, and does the first stage, whose factors are
   * all 1.
   */
  #load(samples: Float32Array): void {
    const zr = this.#zr
    const zi = this.#zi
    const order = this.#order
    for (let i = 0; i < this.#half; i += 2) {
      const even = 2 * order[i]!
      const odd = 2 * order[i + 1]!
      const a = samples[even]!
      const b = samples[even + 1]!
      const c = samples[odd]!
      const d = samples[odd + 1]!
      zr[i] = a + c
      zi[i] = b + d
      zr[i + 1] = a - c
      zi[i + 1] = b - d
    }
  }

  #split(): void {
    const { re, im } = this
    const zr = this.#zr
    const zi = this.#zi
    const half = this.#half
    re[0] = zr[0]! + zi[0]!
    im[0] = 0
    re[half] = zr[0]! - zi[0]!
    im[half] = 0
    for (let k = 1; k < half; k++) {
      const a = zr[k]!
      const b = zi[k]!
      const c = zr[half - k]!
      const d = zi[half - k]!
      const oddRe = (b + d) * 0.5
      const oddIm = (c - a) * 0.5
      const wr = this.#splitCos[k]!
      const wi = this.#splitSin[k]!
      re[k] = (a + c) * 0.5 + oddRe * wr - oddIm * wi
      im[k] = (b - d) * 0.5 + oddRe * wi + oddIm * wr
    }
  }
}

/** Hann window, periodic. */
export function hann(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
}
