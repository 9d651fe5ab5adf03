import { SAMPLE_RATE } from './recipe.ts'
import { Reverb } from './reverb.ts'

export type Block = { left: Float32Array; right: Float32Array }
export type Gains = { left: number; right: number; send?: number }

const DRIVE = 1.05
const WET = 0.5
const KNEE = 0.42
/** Keeps the song under −1 dBTP: peaks between samples are up to 1.5 dB higher. */
const CEILING = 0.71

/** Linear up to the knee, then bent smoothly towards the ceiling. */
function softClip(value: number): number {
  const level = Math.abs(value)
  if (level <= KNEE) return value
  const headroom = CEILING - KNEE
  return Math.sign(value) * (KNEE + headroom * (1 - 1 / (1 + (level - KNEE) / headroom)))
}

/**
 * Adds sounds to a moving window of the song and returns it bar by bar. Sound that lasts beyond a bar is kept for the
 * next one.
 */
export class Mixer {
  #drums: Block
  #music: Block
  #send: Float32Array
  #reverb: Reverb
  #kicks: number[] = []
  #sinceKick = Number.POSITIVE_INFINITY
  /** Samples returned but still in the window, and the end of the sound in it. */
  #taken = 0
  #reach = 0
  #duck: { depth: number; samples: number }

  /**
   * `maxBarSamples` and `maxSoundSamples` are in samples; `duck` is how much and how long each kick lowers the music.
   */
  constructor(maxBarSamples: number, maxSoundSamples: number, duck: { depth: number; samples: number }) {
    const lane = () => new Float32Array(maxBarSamples + maxSoundSamples)
    this.#drums = { left: lane(), right: lane() }
    this.#music = { left: lane(), right: lane() }
    this.#send = lane()
    this.#reverb = new Reverb(maxBarSamples)
    this.#duck = duck
  }

  /** Moves the window past the returned samples; only the part that contains sound is copied. */
  #moveOn(): void {
    const { left: drumsLeft, right: drumsRight } = this.#drums
    for (const lane of [drumsLeft, drumsRight, this.#music.left, this.#music.right, this.#send]) {
      lane.copyWithin(0, this.#taken, Math.max(this.#taken, this.#reach))
      lane.fill(0, Math.max(0, this.#reach - this.#taken), this.#reach)
    }
    this.#reach = Math.max(0, this.#reach - this.#taken)
    this.#taken = 0
  }

  #place(lanes: Block, at: number, sound: Float32Array, { left, right, send = 0 }: Gains): void {
    if (this.#taken) this.#moveOn()
    const start = Math.round(at)
    this.#reach = Math.max(this.#reach, start + sound.length)
    const { left: laneLeft, right: laneRight } = lanes
    for (let i = 0; i < sound.length; i++) {
      const value = sound[i]!
      laneLeft[start + i]! += value * left
      laneRight[start + i]! += value * right
    }
    if (send) for (let i = 0; i < sound.length; i++) this.#send[start + i]! += sound[i]! * send
  }

  /** `at` is in samples from the start of the current bar. */
  addDrum(at: number, sound: Float32Array, gains: Gains): void {
    this.#place(this.#drums, at, sound, gains)
  }

  addMusic(at: number, sound: Float32Array, gains: Gains): void {
    this.#place(this.#music, at, sound, gains)
  }

  addKick(at: number, sound: Float32Array, gain: number): void {
    this.#kicks.push(Math.round(at))
    this.addDrum(at, sound, { left: gain, right: gain })
  }

  /** Gain of the music while a kick sounds: lowered at once, then raised along a parabola. */
  #duckGain(i: number): number {
    if (this.#kicks[0] === i) {
      this.#kicks.shift()
      this.#sinceKick = 0
    }
    const progress = this.#sinceKick++ / this.#duck.samples
    return progress < 1 ? 1 - this.#duck.depth * (1 - progress) ** 2 : 1
  }

  /** Returns the next `length` samples, mixed. */
  take(length: number): Block {
    if (this.#taken) this.#moveOn()
    const out = { left: new Float32Array(length), right: new Float32Array(length) }
    const wet = this.#reverb.process(this.#send, length)
    const { left: drumsLeft, right: drumsRight } = this.#drums
    const { left: musicLeft, right: musicRight } = this.#music
    for (let i = 0; i < length; i++) {
      const gain = this.#duckGain(i)
      out.left[i] = softClip(DRIVE * (drumsLeft[i]! + musicLeft[i]! * gain + wet.left[i]! * WET))
      out.right[i] = softClip(DRIVE * (drumsRight[i]! + musicRight[i]! * gain + wet.right[i]! * WET))
    }
    this.#taken = length
    return out
  }
}

/** Fades the end of a song to silence in place. */
export function fadeOut({ left, right }: Block): void {
  for (let i = 0; i < left.length; i++) {
    const gain = (left.length - i) / left.length
    left[i]! *= gain
    right[i]! *= gain
  }
}

export const TAIL_SAMPLES = Math.round(1.2 * SAMPLE_RATE)
