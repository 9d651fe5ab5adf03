import { DETAIL_POINTS_PER_SECOND, OVERVIEW_POINTS } from './analysis.ts'

const LOW_BELOW_HZ = 200
const HIGH_ABOVE_HZ = 2500
/** Q factors of the two sections of a fourth-order Butterworth filter. */
const BUTTERWORTH_Q = [0.541, 1.307]

/**
 * One second-order section (R. Bristow-Johnson, Audio EQ Cookbook). The state is in the object; the loop uses local
 * variables.
 */
class FilterSection {
  readonly #b0: number
  readonly #b1: number
  readonly #a1: number
  readonly #a2: number
  #s1 = 0
  #s2 = 0

  constructor(kind: 'low_pass' | 'high_pass', hz: number, sampleRate: number, q: number) {
    const turn = (2 * Math.PI * hz) / sampleRate
    const cos = Math.cos(turn)
    const alpha = Math.sin(turn) / (2 * q)
    const a0 = 1 + alpha
    const isLow = kind === 'low_pass'
    this.#b0 = (isLow ? 1 - cos : 1 + cos) / 2 / a0
    this.#b1 = (isLow ? 1 - cos : -(1 + cos)) / a0
    this.#a1 = (-2 * cos) / a0
    this.#a2 = (1 - alpha) / a0
  }

  /** b0, b1, a1, a2; b2 is b0. */
  get coefficients(): number[] {
    return [this.#b0, this.#b1, this.#a1, this.#a2]
  }

  run(input: Float32Array, output: Float32Array): void {
    const [b0, b1, a1, a2] = [this.#b0, this.#b1, this.#a1, this.#a2]
    let s1 = this.#s1
    let s2 = this.#s2
    for (let i = 0; i < input.length; i++) {
      const x = input[i]!
      const y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b0 * x - a2 * y
      output[i] = y
    }
    this.#s1 = s1
    this.#s2 = s2
  }
}

/** The two sections of each filter, low pass and high pass. */
function waveformFilters(sampleRate: number): { low: FilterSection[]; high: FilterSection[] } {
  const top = Math.min(HIGH_ABOVE_HZ, sampleRate * 0.45)
  return {
    low: BUTTERWORTH_Q.map((q) => new FilterSection('low_pass', LOW_BELOW_HZ, sampleRate, q)),
    high: BUTTERWORTH_Q.map((q) => new FilterSection('high_pass', top, sampleRate, q)),
  }
}

/** For each section, its coefficients in order, each of the low pass and then of the high pass. */
export function waveformCoefficients(sampleRate: number): number[] {
  const { low, high } = waveformFilters(sampleRate)
  return low.flatMap((section, n) => section.coefficients.flatMap((value, i) => [value, high[n]!.coefficients[i]!]))
}

const byte = (level: number) => (level >= 1 ? 255 : Math.floor(level * 255 + 0.5))

const CHUNK = 4096

/** Waveform in three bands, below 200 Hz, between, and above 2.5 kHz: each point is the highest level of 1/50 s. */
export class Peaks {
  readonly #low: FilterSection[]
  readonly #high: FilterSection[]
  readonly #step: number
  readonly #lowBand = new Float32Array(CHUNK)
  readonly #highBand = new Float32Array(CHUNK)
  /** low, mid, high, overall of the current point. */
  readonly #point = new Float64Array(4)
  /** Four bytes a point; grows when needed. */
  #points = new Uint8Array(65_536)
  #length = 0
  #position = 0
  #next: number

  constructor(sampleRate: number) {
    const { low, high } = waveformFilters(sampleRate)
    this.#low = low
    this.#high = high
    this.#step = sampleRate / DETAIL_POINTS_PER_SECOND
    this.#next = this.#step
  }

  push(mono: Float32Array): void {
    for (let from = 0; from < mono.length; from += CHUNK) this.#pushChunk(mono.subarray(from, from + CHUNK))
  }

  #pushChunk(mono: Float32Array): void {
    const low = this.#lowBand.subarray(0, mono.length)
    const high = this.#highBand.subarray(0, mono.length)
    this.#low[0]!.run(mono, low)
    this.#low[1]!.run(low, low)
    this.#high[0]!.run(mono, high)
    this.#high[1]!.run(high, high)
    this.pushLevels(mono.length, (from, to) => this.#raise(mono, low, high, from, to))
  }

  /**
   * Adds a block whose levels are calculated elsewhere: `raise` is called for its parts, in order, and raises the levels of
   * `point` (low, mid, high, overall).
   */
  pushLevels(length: number, raise: (from: number, to: number, point: Float64Array) => void): void {
    for (let i = 0; i < length; ) {
      const end = Math.min(length, i + Math.max(1, Math.ceil(this.#next - this.#position)))
      raise(i, end, this.#point)
      this.#position += end - i
      i = end
      if (this.#position >= this.#next) this.#closePoint()
    }
  }

  #raise(mono: Float32Array, low: Float32Array, high: Float32Array, from: number, to: number): void {
    let [l, m, h, all] = this.#point as unknown as [number, number, number, number]
    for (let i = from; i < to; i++) {
      const x = mono[i]!
      l = Math.max(l, Math.abs(low[i]!))
      h = Math.max(h, Math.abs(high[i]!))
      m = Math.max(m, Math.abs(x - low[i]! - high[i]!))
      all = Math.max(all, Math.abs(x))
    }
    this.#point.set([l, m, h, all])
  }

  #closePoint(): void {
    if (this.#length === this.#points.length) {
      const longer = new Uint8Array(this.#length * 2)
      longer.set(this.#points)
      this.#points = longer
    }
    for (const level of this.#point) this.#points[this.#length++] = byte(level)
    this.#point.fill(0)
    this.#next += this.#step
  }

  /** Ends the stream. `detail` is planar low, mid, high; `overview` is 800 points planar low, mid, high, overall. */
  finish(): { overview: Uint8Array; detail: Uint8Array } {
    if (this.#position - (this.#next - this.#step) >= 1) this.#closePoint()
    const count = this.#length / 4
    const planes = new Uint8Array(count * 4)
    for (let i = 0; i < this.#length; i++) planes[(i % 4) * count + Math.floor(i / 4)] = this.#points[i]!
    const overview = new Uint8Array(OVERVIEW_POINTS * 4)
    for (let plane = 0; plane < 4; plane++) {
      const whole = planes.subarray(plane * count, (plane + 1) * count)
      overview.set(shrink(whole, OVERVIEW_POINTS), plane * OVERVIEW_POINTS)
    }
    return { overview, detail: planes.slice(0, count * 3) }
  }
}

/** The highest value of each of `count` equal parts; a part shorter than a point repeats that point. */
function shrink(points: Uint8Array, count: number): Uint8Array {
  if (points.length === 0) return new Uint8Array(count)
  return Uint8Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * points.length) / count)
    const to = Math.max(from + 1, Math.ceil(((i + 1) * points.length) / count))
    return Math.max(...points.subarray(from, to))
  })
}
