const MIN_RUN_LENGTH = 4
/** Two steps of 16 bits, because a flat top may carry dither. */
const TOLERANCE = 2 / 32_768
/** A rounded peak leaves its ceiling within two tolerances of the run's ends; a clipped one falls steeply. */
const STEEP = 8
const PRUNE_SAMPLES = 256

/** Counts flat tops of one channel on one side, at the highest level found yet; a higher one restarts the count. */
class CeilingDetector {
  readonly #tolerance: number
  readonly #sign: 1 | -1
  readonly #sampleRate: number
  level = 0
  /** Clipped samples in each second. */
  seconds: number[] = []
  #run = 0
  #before = 0
  #last = 0

  constructor(sign: 1 | -1, sampleRate: number, tolerance: number) {
    this.#sign = sign
    this.#sampleRate = sampleRate
    this.#tolerance = tolerance
  }

  push(samples: Float32Array, start: number): void {
    for (let from = 0; from < samples.length; from += PRUNE_SAMPLES) {
      const to = Math.min(samples.length, from + PRUNE_SAMPLES)
      // Few parts of a song reach its ceiling; the others are skipped.
      if (this.#run > 0 || this.#reachesCeiling(samples, from, to)) this.#follow(samples, from, to, start)
      else this.#last = samples[to - 1]! * this.#sign
    }
  }

  #reachesCeiling(samples: Float32Array, from: number, to: number): boolean {
    const floor = Math.max(this.level - this.#tolerance, this.#tolerance)
    const sign = this.#sign
    for (let i = from; i < to; i++) if (samples[i]! * sign >= floor) return true
    return false
  }

  #follow(samples: Float32Array, from: number, to: number, start: number): void {
    for (let i = from; i < to; i++) {
      const height = samples[i]! * this.#sign
      if (height >= this.level - this.#tolerance && height > 0) this.#reach(height)
      else if (this.#run > 0) this.#leave(height, start + i)
      this.#last = height
    }
  }

  #reach(height: number): void {
    if (height > this.level + this.#tolerance) {
      this.seconds = []
      this.#run = 0
    }
    if (height > this.level) this.level = height
    if (this.#run === 0) this.#before = this.#last
    this.#run++
  }

  #leave(after: number, at: number): void {
    const run = this.#run
    this.#run = 0
    const isSteep = 2 * this.level - this.#before - after > 2 * STEEP * this.#tolerance
    if (run < MIN_RUN_LENGTH || !isSteep) return
    const second = Math.floor(at / this.#sampleRate)
    this.seconds[second] = (this.seconds[second] ?? 0) + run
  }
}

/** Below this, −6 dBFS, a flat top is the waveform of a synthesiser. */
const MIN_CEILING = 0.5
/** Loud masters have some flat tops in every bar; from this share on, the distortion is audible. */
const DAMAGED_SHARE = 0.005

export type ClippingResult = { share: number; worst_second: number }

/** Finds clipped music: four or more samples in a row cut off flat. */
export class Clipping {
  readonly #ceilings: CeilingDetector[][]
  #samples = 0

  /** `step` is the smallest difference of two samples: 1/128 for 8 bits, 0 for floats. */
  constructor(sampleRate: number, channels: number, step: number) {
    const tolerance = Math.max(TOLERANCE, 1.5 * step)
    this.#ceilings = Array.from({ length: channels }, () => [
      new CeilingDetector(1, sampleRate, tolerance),
      new CeilingDetector(-1, sampleRate, tolerance),
    ])
  }

  push(channels: Float32Array[]): void {
    this.#ceilings.forEach((sides, channel) => {
      for (const side of sides) side.push(channels[channel]!, this.#samples)
    })
    this.#samples += channels[0]!.length
  }

  /** The share of samples that are clipped (0..1) and where most of them are; undefined when it is inaudible. */
  clipped(): ClippingResult | undefined {
    const seconds: number[] = []
    for (const side of this.#ceilings.flat()) {
      if (side.level < MIN_CEILING) continue
      side.seconds.forEach((count, second) => {
        seconds[second] = (seconds[second] ?? 0) + count
      })
    }
    const all = seconds.reduce((sum, count) => sum + count, 0)
    const share = all / (this.#samples * this.#ceilings.length)
    if (!(share >= DAMAGED_SHARE)) return undefined
    const highestCount = seconds.reduce((highest, count) => Math.max(highest, count), 0)
    return { share, worst_second: seconds.indexOf(highestCount) }
  }
}
