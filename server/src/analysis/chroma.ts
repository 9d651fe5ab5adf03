import { hann, RealFft } from './fft.ts'
import { Framer } from './framer.ts'

export const CHROMA_SAMPLE_RATE = 11_025
const FRAME = 8192
const HOP = 4096
const LOWEST_HZ = 55
const HIGHEST_HZ = 2200
const HARMONICS = 4
const HARMONIC_DECAY = 0.6
/** Ten-cent bins of one octave, C first. */
const BINS = 120

const FIRST_BIN = Math.floor((LOWEST_HZ * FRAME) / CHROMA_SAMPLE_RATE)
const LAST_BIN = Math.ceil((HIGHEST_HZ * FRAME) / CHROMA_SAMPLE_RATE)

/**
 * Offset of the true peak between three bins: a parabola through their logarithms (J. O. Smith, Spectral Audio Signal
 * Processing).
 */
function topOffset(before: number, top: number, after: number): number {
  const a = Math.log(before + 1e-9)
  const b = Math.log(top + 1e-9)
  const c = Math.log(after + 1e-9)
  return (0.5 * (a - c)) / (a - 2 * b + c)
}

/**
 * The strength of each pitch class, octaves folded. Every spectral peak that exceeds its surroundings counts for its
 * own pitch and, with less weight, for those it may be a harmonic of. Takes mono at 11,025 Hz.
 */
export class ChromaStream {
  readonly #fft = new RealFft(FRAME)
  readonly #window = hann(FRAME)
  readonly #windowed = new Float32Array(FRAME)
  readonly #magnitude = new Float32Array(FRAME / 2 + 1)
  readonly #frameSums = new Float32Array(BINS)
  readonly #sums = new Float64Array(BINS)
  readonly #framer = new Framer(FRAME, HOP, (frame) => this.#analyse(frame))

  push(mono: Float32Array): void {
    this.#framer.push(mono)
  }

  /**
   * Twelve pitch classes, C first. The file's tuning (the circular mean of the ten-cent bins within their semitone) is
   * compensated, and energy between two semitones counts little.
   */
  pitchClasses(): Float64Array {
    let [re, im] = [0, 0]
    this.#sums.forEach((value, bin) => {
      re += value * Math.cos((2 * Math.PI * bin) / 10)
      im += value * Math.sin((2 * Math.PI * bin) / 10)
    })
    const detuned = (Math.atan2(im, re) / (2 * Math.PI)) * 10
    const classes = new Float64Array(12)
    this.#sums.forEach((value, bin) => {
      const pitch = (bin - detuned) / 10
      const semitone = Math.round(pitch)
      classes[((semitone % 12) + 12) % 12]! += value * Math.cos(Math.PI * Math.abs(pitch - semitone)) ** 2
    })
    return classes
  }

  #analyse(frame: Float32Array): void {
    for (let i = 0; i < FRAME; i++) this.#windowed[i] = frame[i]! * this.#window[i]!
    const { re, im } = this.#fft.forward(this.#windowed)
    const magnitude = this.#magnitude
    for (let k = FIRST_BIN - 2; k <= LAST_BIN + 2; k++) magnitude[k] = Math.sqrt(re[k]! * re[k]! + im[k]! * im[k]!)
    this.#frameSums.fill(0)
    for (let k = FIRST_BIN; k <= LAST_BIN; k++) if (this.#standsOut(k)) this.#addPeak(k)
    for (let bin = 0; bin < BINS; bin++) this.#sums[bin]! += this.#frameSums[bin]!
  }

  /** Whether the peak is at least half as high again as the mean of the quarter octave around it. */
  #standsOut(k: number): boolean {
    const magnitude = this.#magnitude
    const top = magnitude[k]!
    if (top <= 1e-3 || top <= magnitude[k - 1]! || top < magnitude[k + 1]!) return false
    const reach = Math.max(8, k >> 3)
    const from = Math.max(FIRST_BIN, k - reach)
    const to = Math.min(LAST_BIN, k + reach)
    let sum = 0
    for (let j = from; j <= to; j += 2) sum += magnitude[j]!
    return top >= (1.5 * sum) / (((to - from) >> 1) + 1)
  }

  #addPeak(k: number): void {
    const top = this.#magnitude[k]!
    const offset = topOffset(this.#magnitude[k - 1]!, top, this.#magnitude[k + 1]!)
    const hz = ((k + offset) * CHROMA_SAMPLE_RATE) / FRAME
    for (let harmonic = 1; harmonic <= HARMONICS; harmonic++) {
      if (hz / harmonic < LOWEST_HZ * 0.9) return
      // MIDI pitch of the fundamental of which this peak would be a harmonic; 69 is A at 440 Hz.
      const pitch = 69 + 12 * Math.log2(hz / harmonic / 440)
      const bin = ((Math.round(pitch * 10) % BINS) + BINS) % BINS
      this.#frameSums[bin]! += top * HARMONIC_DECAY ** (harmonic - 1)
    }
  }
}
