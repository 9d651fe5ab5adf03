import { type Fault, faultAt, formatPosition } from '../audio-files/faults.ts'
import { Bandwidth } from './bandwidth.ts'
import { Clipping } from './clipping.ts'
import { EncodingTraces } from './encoding-traces/encoding-traces.ts'
import { SilenceDetector } from './silence.ts'
import { scalarTransforms, type Transforms } from './transforms.ts'
import { type DeclaredQuality, findDecodedCopy, findUpscaling, isLossless } from './upscaling.ts'

/** Below this rate a cutoff says nothing about the source. */
const MIN_RATE_FOR_CUTOFF = 44_100

/** `step` is the smallest difference between two samples: 1/32768 for 16 bits, 0 when unknown. */
type CheckedSound = { sample_rate: number; channels: 1 | 2; step: number }

/**
 * Finds what the structure of a file does not show: upscaling, lossy encoding in lossless files, clipping, silence in the
 * middle. Takes one or two channels.
 */
export class SoundCheck {
  readonly #sampleRate: number
  readonly #bandwidth: Bandwidth
  readonly #clipping: Clipping
  readonly #silence: SilenceDetector
  readonly #declared: DeclaredQuality
  /** Undefined for files that are lossy anyway. */
  readonly #traces: EncodingTraces | undefined

  /** `transforms` are those of the other measurements of the file. */
  constructor(
    { sample_rate, channels, step }: CheckedSound,
    declared: DeclaredQuality,
    transforms: Transforms = scalarTransforms,
  ) {
    this.#sampleRate = sample_rate
    this.#bandwidth = new Bandwidth(sample_rate, transforms.createSpectrum)
    this.#clipping = new Clipping(sample_rate, channels, step)
    this.#silence = new SilenceDetector(sample_rate)
    this.#declared = declared
    this.#traces = isLossless(declared)
      ? new EncodingTraces(sample_rate, channels, step, transforms.createTransform)
      : undefined
  }

  push(channels: Float32Array[]): void {
    if (this.#sampleRate >= MIN_RATE_FOR_CUTOFF) this.#bandwidth.push(channels)
    this.#clipping.push(channels)
    this.#silence.push(channels)
    this.#traces?.push(channels)
  }

  /** Warnings: upscaled, clipped, silent_part. */
  faults(): Fault[] {
    return [this.#upscaled(), this.#clipped(), this.#silentPart()].filter((fault) => fault !== undefined)
  }

  /** The cutoff shows the bit rate, so it is reported rather than the codec. */
  #upscaled(): Fault | undefined {
    const declared = this.#declared
    return findUpscaling(this.#bandwidth.cutoff(), declared) ?? findDecodedCopy(this.#traces?.codec(), declared)
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
