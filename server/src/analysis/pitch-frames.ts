import { Framer } from './framer.ts'
import { createPowerSpectrum, type PowerSpectrum } from './power-spectrum.ts'
import { Series } from './series.ts'
import { midiPitch, peakOffset, pitchClass, tuningWeight } from './spectral-peak.ts'

const PITCH_SAMPLE_RATE = 2756.25
const FRAME = 1024
const HOP = 256
/** Pitch frames a second: 10.77. */
export const PITCH_RATE = PITCH_SAMPLE_RATE / HOP
/** Half the length of a frame, in seconds: its middle lies this much after its first sample. */
export const PITCH_HALF_FRAME_SECONDS = FRAME / 2 / PITCH_SAMPLE_RATE

const LOWEST_HZ = 37
const BASS_BELOW_HZ = 165
const HIGHEST_HZ = 1345
const LEAST_MAGNITUDE = 0.02

const binOf = (hz: number) => Math.round((hz * FRAME) / PITCH_SAMPLE_RATE)

/** Twelve pitch classes per frame, C first, frame after frame. */
export type PitchFrames = Float32Array

/**
 * The pitch classes of the bass (under 165 Hz) and of the tones above it, ten times a second: fine enough to hear on
 * which beat the harmony changes. Takes mono at 2,756 Hz.
 */
export class PitchStream {
  readonly #powersOf: PowerSpectrum
  readonly #magnitude = new Float32Array(FRAME / 2 + 1)
  readonly #bass = new Series()
  readonly #tones = new Series()
  readonly #framer = new Framer(FRAME, HOP, (frame) => this.#analyse(frame))

  constructor(createSpectrum = createPowerSpectrum) {
    this.#powersOf = createSpectrum(FRAME)
  }

  push(mono: Float32Array): void {
    this.#framer.push(mono)
  }

  bass(): PitchFrames {
    return this.#bass.values()
  }

  tones(): PitchFrames {
    return this.#tones.values()
  }

  #analyse(frame: Float32Array): void {
    const powers = this.#powersOf(frame)
    const magnitude = this.#magnitude
    for (let k = 0; k <= FRAME / 2; k++) magnitude[k] = Math.sqrt(powers[k]!)
    const bass = new Float32Array(12)
    const tones = new Float32Array(12)
    const last = binOf(HIGHEST_HZ)
    for (let k = binOf(LOWEST_HZ); k < last; k++) {
      const top = magnitude[k]!
      if (top <= LEAST_MAGNITUDE || top <= magnitude[k - 1]! || top < magnitude[k + 1]!) continue
      const offset = peakOffset(magnitude[k - 1]!, top, magnitude[k + 1]!)
      const pitch = midiPitch(((k + offset) * PITCH_SAMPLE_RATE) / FRAME)
      const isBass = (k * PITCH_SAMPLE_RATE) / FRAME < BASS_BELOW_HZ
      if (isBass) bass[pitchClass(pitch)]! += top * tuningWeight(pitch)
      // The root keeps one loud melody note from hiding the chord below it.
      else tones[pitchClass(pitch)]! += Math.sqrt(top) * tuningWeight(pitch)
    }
    this.#bass.pushAll(bass)
    this.#tones.pushAll(tones)
  }
}
