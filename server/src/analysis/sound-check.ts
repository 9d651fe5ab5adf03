import { type Fault, faultAt, formatPosition } from '../audio-files/faults.ts'
import { Bandwidth } from './bandwidth.ts'
import { Clipping } from './clipping.ts'
import type { CreatePowerSpectrum } from './power-spectrum.ts'
import { SilenceDetector } from './silence.ts'
import { type DeclaredQuality, findUpscaling } from './upscaling.ts'

/** Below this rate a cutoff says nothing about the source. */
const MIN_RATE_FOR_CUTOFF = 44_100

/**
 * Finds what the structure of a file does not show: upscaling, clipping, silence in the middle. Takes one or two
 * channels.
 */
export class SoundCheck {
  readonly #sampleRate: number
  readonly #bandwidth: Bandwidth
  readonly #clipping: Clipping
  readonly #silence: SilenceDetector

  /** `step` is the smallest difference between two samples: 1/32768 for 16 bits, 0 when unknown. */
  constructor(sampleRate: number, channels: 1 | 2, step: number, createSpectrum?: CreatePowerSpectrum) {
    this.#sampleRate = sampleRate
    this.#bandwidth = new Bandwidth(sampleRate, createSpectrum)
    this.#clipping = new Clipping(sampleRate, channels, step)
    this.#silence = new SilenceDetector(sampleRate)
  }

  push(channels: Float32Array[]): void {
    if (this.#sampleRate >= MIN_RATE_FOR_CUTOFF) this.#bandwidth.push(channels)
    this.#clipping.push(channels)
    this.#silence.push(channels)
  }

  /** Warnings: upscaled, clipped, silent_part. */
  faults(declared: DeclaredQuality): Fault[] {
    const faults = [findUpscaling(this.#bandwidth.cutoff(), declared), this.#clipped(), this.#silentPart()]
    return faults.filter((fault) => fault !== undefined)
  }

  #clipped(): Fault | undefined {
    const clipped = this.#clipping.clipped()
    if (!clipped) return undefined
    const percent = (100 * clipped.share).toFixed(1)
    const at = clipped.worst_second
    return faultAt(at, 'clipped', `Clipping: ${percent} % of the samples are clipped, worst at ${formatPosition(at)}.`)
  }

  #silentPart(): Fault | undefined {
    const silence = this.#silence.longest()
    if (!silence) return undefined
    const { seconds, at_seconds: at } = silence
    return faultAt(at, 'silent_part', `${Math.round(seconds)} seconds of silence from ${formatPosition(at)}.`)
  }
}
