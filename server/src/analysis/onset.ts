import { hann, RealFft } from './fft.ts'
import { Framer } from './framer.ts'
import { Series } from './series.ts'

export const ONSET_SAMPLE_RATE = 22_050
export const ONSET_FRAME = 1024
const FRAME = ONSET_FRAME
const HOP = 256
/** Onset values a second: 86.13. */
export const ONSET_RATE = ONSET_SAMPLE_RATE / HOP

export const BAND_EDGES_HZ = [30, 110, 220, 440, 880, 1760, 3520, 7040, 10_800]
export const BANDS = BAND_EDGES_HZ.length - 1

/** Band of each spectral bin; −1 outside all bands. */
function bandOfBin(): Int8Array {
  return Int8Array.from({ length: FRAME / 2 + 1 }, (_, bin) => {
    const hz = (bin * ONSET_SAMPLE_RATE) / FRAME
    return BAND_EDGES_HZ.findIndex((edge, band) => band < BANDS && hz >= edge && hz < BAND_EDGES_HZ[band + 1]!)
  })
}

/**
 * Onset strength in eight bands: SuperFlux (S. Böck and G. Widmer, DAFx 2013), the rise of the log spectrum over the
 * highest of three neighbouring bins two frames earlier, so that vibrato does not count as an onset. Takes mono at
 * 22,050 Hz.
 */
export class OnsetStream {
  readonly #fft = new RealFft(FRAME)
  readonly #window = hann(FRAME)
  readonly #windowed = new Float32Array(FRAME)
  readonly #band = bandOfBin()
  readonly #rise = new Float64Array(BANDS)
  readonly #power = new Float64Array(BANDS)
  readonly #rises = Array.from({ length: BANDS }, () => new Series())
  readonly #powers = Array.from({ length: BANDS }, () => new Series())
  #current = new Float32Array(FRAME / 2 + 2)
  #previous = new Float32Array(FRAME / 2 + 2)
  #beforePrevious = new Float32Array(FRAME / 2 + 2)
  readonly #framer = new Framer(FRAME, HOP, (frame) => this.#analyse(frame))

  push(mono: Float32Array): void {
    this.#framer.push(mono)
  }

  /** How much each band rises: one series per band, lowest first, {@link ONSET_RATE} values a second. */
  bands(): Float32Array[] {
    return this.#rises.map((series) => series.values())
  }

  /** The power of each band, at the same times as {@link bands}; a full-scale sine has 1 or a little more. */
  powers(): Float32Array[] {
    return this.#powers.map((series) => series.values())
  }

  #analyse(frame: Float32Array): void {
    for (let i = 0; i < FRAME; i++) this.#windowed[i] = frame[i]! * this.#window[i]!
    const { re, im } = this.#fft.forward(this.#windowed)
    const rise = this.#rise.fill(0)
    const power = this.#power.fill(0)
    const past = this.#beforePrevious
    const band = this.#band
    for (let bin = 1; bin <= FRAME / 2; bin++) {
      const b = band[bin]!
      if (b < 0) continue
      const magnitude = Math.sqrt(re[bin]! * re[bin]! + im[bin]! * im[bin]!) * (4 / FRAME)
      power[b]! += magnitude * magnitude
      const level = Math.log1p(1000 * magnitude)
      this.#current[bin] = level
      const gain = level - Math.max(past[bin - 1]!, past[bin]!, past[bin + 1]!)
      if (gain > 0) rise[b]! += gain
    }
    for (let b = 0; b < BANDS; b++) {
      this.#rises[b]!.push(rise[b]!)
      this.#powers[b]!.push(power[b]!)
    }
    this.#beforePrevious = this.#previous
    this.#previous = this.#current
    this.#current = past
  }
}
