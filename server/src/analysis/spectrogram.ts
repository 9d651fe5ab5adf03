import { MAX_SPECTRUM_HZ, SPECTRUM_BANDS, SPECTRUM_COLUMNS, SPECTRUM_STEP_DB } from '@dubplate/contract/spectrum'
import { createPowerSpectrum, type PowerSpectrum } from './power-spectrum.ts'

const FRAME = 2048
/** Time from one frame to the next while the audio is short: 180 seconds have 720 frames. */
const STEP_SECONDS = 0.25
/** When this many columns are full, each two become one, and the following ones are twice as long. */
const MAX_COLUMNS = 2 * SPECTRUM_COLUMNS

const MIN_DB = -120
const MIN_POWER = 10 ** (MIN_DB / 10)
/** Power of a bin when a full-scale sine is at its frequency: the amplitude is FRAME / 4 through a Hann window. */
const FULL_SCALE_POWER = (FRAME / 4) ** 2

/** A band has content if this share of the columns reach this level: hiss and cymbals do, dither of 16 bits does not. */
const CONTENT_SHARE = 0.05
const CONTENT_DB = -90

/** A spectrogram in about 400 columns. */
export type Spectrum = {
  /** Frequency of the upper end of the highest band, in Hz; all bands are equally wide. */
  top_hz: number
  /** Duration of all columns together. */
  duration_seconds: number
  /** Upper end of the highest band with content, in Hz; null for silence. */
  highest_hz: number | null
  /** Column after column, each from the lowest band up: level in steps of 2 dB below full scale, 60 for −120 dB or less. */
  levels: Uint8Array
}

/**
 * Draws a spectrogram in one pass: a short frame every quarter of a second, in a number of bands from 0 Hz to half the
 * sample rate. Longer audio has fewer frames a second, so that cost and size stay the same. Takes one or two channels.
 */
export class Spectrogram {
  readonly #powersOf: PowerSpectrum
  readonly #frame = new Float32Array(FRAME)
  readonly #sampleRate: number
  readonly #topHz: number
  /** First bin of each band, and the end of the last one. */
  readonly #edges: Uint32Array
  /** Power of the loudest bin of each band of each column. */
  readonly #powers = new Float32Array(MAX_COLUMNS * SPECTRUM_BANDS)
  #columns = 0
  /** Samples from one frame to the next. */
  #step: number
  /** Position within the step; the frame is its first part. */
  #at = 0
  #samples = 0

  constructor(sampleRate: number, createSpectrum = createPowerSpectrum) {
    this.#powersOf = createSpectrum(FRAME)
    this.#sampleRate = sampleRate
    this.#topHz = Math.min(sampleRate / 2, MAX_SPECTRUM_HZ)
    this.#edges = Uint32Array.from({ length: SPECTRUM_BANDS + 1 }, (_, band) =>
      Math.ceil((band * this.#topHz * FRAME) / (SPECTRUM_BANDS * sampleRate)),
    )
    this.#step = Math.max(FRAME, Math.round(STEP_SECONDS * sampleRate))
  }

  push(channels: Float32Array[]): void {
    const [left, right = left] = channels as [Float32Array, Float32Array?]
    this.#samples += left.length
    for (let i = 0; i < left.length; ) {
      const until = this.#at < FRAME ? FRAME : this.#step
      const count = Math.min(until - this.#at, left.length - i)
      if (this.#at < FRAME) this.#fill(left.subarray(i, i + count), right.subarray(i, i + count))
      this.#at += count
      i += count
      if (until === FRAME && this.#at === FRAME) this.#take()
      if (this.#at >= this.#step) this.#at = 0
    }
  }

  #fill(left: Float32Array, right: Float32Array): void {
    const [frame, at] = [this.#frame, this.#at]
    for (let k = 0; k < left.length; k++) frame[at + k] = (left[k]! + right[k]!) * 0.5
  }

  #take(): void {
    const powers = this.#powersOf(this.#frame)
    const edges = this.#edges
    const start = this.#columns++ * SPECTRUM_BANDS
    let bin = 0
    for (let band = 0; band < SPECTRUM_BANDS; band++) {
      let loudest = 0
      for (const end = edges[band + 1]!; bin < end; bin++) if (powers[bin]! > loudest) loudest = powers[bin]!
      this.#powers[start + band] = loudest / FULL_SCALE_POWER
    }
    if (this.#columns === MAX_COLUMNS) this.#halve()
  }

  /** Replaces each two columns by their mean. */
  #halve(): void {
    this.#merge(MAX_COLUMNS / 2)
    this.#step *= 2
  }

  /** Replaces the columns by `count` columns, each the mean of those it covers. */
  #merge(count: number): void {
    const columns = this.#columns
    for (let column = 0; column < count; column++) {
      const from = Math.floor((column * columns) / count)
      const to = Math.max(from + 1, Math.floor(((column + 1) * columns) / count))
      for (let band = 0; band < SPECTRUM_BANDS; band++) {
        let sum = 0
        for (let each = from; each < to; each++) sum += this.#powers[each * SPECTRUM_BANDS + band]!
        this.#powers[column * SPECTRUM_BANDS + band] = sum / (to - from)
      }
    }
    this.#columns = count
  }

  /** Returns null for audio shorter than a frame. */
  finish(): Spectrum | null {
    if (this.#columns === 0) return null
    if (this.#columns > SPECTRUM_COLUMNS) this.#merge(SPECTRUM_COLUMNS)
    const levels = Uint8Array.from({ length: this.#columns * SPECTRUM_BANDS }, (_, i) =>
      Math.round(Math.min(0, Math.max(MIN_DB, 10 * Math.log10(this.#powers[i]! + MIN_POWER / 10))) / -SPECTRUM_STEP_DB),
    )
    return {
      top_hz: Math.round(this.#topHz),
      duration_seconds: Number((this.#samples / this.#sampleRate).toFixed(3)),
      highest_hz: this.#highestHz(levels),
      levels,
    }
  }

  #highestHz(levels: Uint8Array): number | null {
    for (let band = SPECTRUM_BANDS - 1; band >= 0; band--) {
      let count = 0
      for (let column = 0; column < this.#columns; column++)
        if (levels[column * SPECTRUM_BANDS + band]! * -SPECTRUM_STEP_DB >= CONTENT_DB) count++
      if (count > CONTENT_SHARE * this.#columns) return Math.round(((band + 1) * this.#topHz) / SPECTRUM_BANDS)
    }
    return null
  }
}
