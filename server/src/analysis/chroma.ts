import { Framer } from './framer.ts'
import { createPowerSpectrum, type PowerSpectrum } from './power-spectrum.ts'
import { Series } from './series.ts'
import { midiPitch, peakOffset, pitchClass, tuningWeight } from './spectral-peak.ts'

export const CHROMA_SAMPLE_RATE = 11_025
const FRAME = 8192
const HOP = 4096
/** Chroma frames a second: 2.69. */
export const CHROMA_RATE = CHROMA_SAMPLE_RATE / HOP
/** Half the length of a frame, in seconds: its middle lies this much after its first sample. */
export const CHROMA_HALF_FRAME_SECONDS = FRAME / 2 / CHROMA_SAMPLE_RATE
const LOWEST_HZ = 55
const HIGHEST_HZ = 2200
const HARMONICS = 4
const HARMONIC_DECAY = 0.6
/** Ten-cent bins of one octave, C first. */
const BINS = 120
const BINS_PER_SEMITONE = 10

const FIRST_BIN = Math.floor((LOWEST_HZ * FRAME) / CHROMA_SAMPLE_RATE)
const LAST_BIN = Math.ceil((HIGHEST_HZ * FRAME) / CHROMA_SAMPLE_RATE)

/**
 * How far a file is tuned above concert pitch, in ten-cent bins, −5 to 5: the circular mean of the bins within their
 * semitone.
 */
function tuningOf(bins: ArrayLike<number>): number {
  let [re, im] = [0, 0]
  for (let i = 0; i < bins.length; i++) {
    const angle = (2 * Math.PI * (i % BINS)) / BINS_PER_SEMITONE
    re += bins[i]! * Math.cos(angle)
    im += bins[i]! * Math.sin(angle)
  }
  return (Math.atan2(im, re) / (2 * Math.PI)) * BINS_PER_SEMITONE
}

/**
 * The strength of each pitch class, octaves folded. Every spectral peak that exceeds its surroundings counts for its
 * own pitch and, with less weight, for those it may be a harmonic of. Takes mono at 11,025 Hz.
 */
export class ChromaStream {
  readonly #powersOf: PowerSpectrum
  readonly #magnitude = new Float32Array(FRAME / 2 + 1)
  readonly #frameSums = new Float32Array(BINS)
  readonly #bins = new Series()
  readonly #framer = new Framer(FRAME, HOP, (frame) => this.#analyse(frame))

  constructor(createSpectrum = createPowerSpectrum) {
    this.#powersOf = createSpectrum(FRAME)
  }

  push(mono: Float32Array): void {
    this.#framer.push(mono)
  }

  /**
   * Twelve pitch classes of each frame, C first, {@link CHROMA_RATE} frames a second. The file's tuning is compensated,
   * and energy between two semitones counts little.
   */
  pitchClassFrames(): Float64Array[] {
    const bins = this.#bins.values()
    const tuning = tuningOf(bins)
    const targets = Array.from({ length: BINS }, (_, bin) => {
      const pitch = (bin - tuning) / BINS_PER_SEMITONE
      return { class: pitchClass(pitch), weight: tuningWeight(pitch) }
    })
    return Array.from({ length: bins.length / BINS }, (_, frame) => {
      const classes = new Float64Array(12)
      targets.forEach(({ class: target, weight }, bin) => {
        classes[target]! += bins[frame * BINS + bin]! * weight
      })
      return classes
    })
  }

  #analyse(frame: Float32Array): void {
    const powers = this.#powersOf(frame)
    const magnitude = this.#magnitude
    for (let k = FIRST_BIN - 2; k <= LAST_BIN + 2; k++) magnitude[k] = Math.sqrt(powers[k]!)
    this.#frameSums.fill(0)
    for (let k = FIRST_BIN; k <= LAST_BIN; k++) if (this.#standsOut(k)) this.#addPeak(k)
    this.#bins.pushAll(this.#frameSums)
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
    const offset = peakOffset(this.#magnitude[k - 1]!, top, this.#magnitude[k + 1]!)
    const hz = ((k + offset) * CHROMA_SAMPLE_RATE) / FRAME
    for (let harmonic = 1; harmonic <= HARMONICS; harmonic++) {
      if (hz / harmonic < LOWEST_HZ * 0.9) return
      // The fundamental of which this peak would be a harmonic.
      const pitch = midiPitch(hz / harmonic)
      const bin = ((Math.round(pitch * BINS_PER_SEMITONE) % BINS) + BINS) % BINS
      this.#frameSums[bin]! += top * HARMONIC_DECAY ** (harmonic - 1)
    }
  }
}

/** The sum of all frames' pitch classes. */
export function sumOfFrames(frames: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(12)
  for (const frame of frames) for (let i = 0; i < 12; i++) sum[i]! += frame[i]!
  return sum
}
