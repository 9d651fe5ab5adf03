const PHASES = 4
const TAPS = 12
const PRUNE_SAMPLES = 32

/**
 * The interpolator of ITU-R BS.1770-4, annex 2: 4 phases of 12 taps, here a sinc with a Hann window, each with unity
 * gain.
 */
function interpolator(): Float32Array[] {
  const size = PHASES * TAPS
  const prototype = Array.from({ length: size }, (_, i) => {
    const t = (i - (size - 1) / 2) / PHASES
    const sinc = t === 0 ? 1 : Math.sin(Math.PI * t) / (Math.PI * t)
    return sinc * (0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / size))
  })
  return Array.from({ length: PHASES }, (_, phase) => {
    const taps = Float32Array.from({ length: TAPS }, (_, k) => prototype[phase + PHASES * k]!)
    const sum = taps.reduce((total, tap) => total + tap, 0)
    return taps.map((tap) => tap / sum).reverse()
  })
}

/**
 * The phases for a sample rate, and the largest factor by which interpolated values can exceed the samples. Above 96 kHz
 * the samples are close enough for half the phases.
 */
export function truePeakTaps(sampleRate: number): { phases: Float32Array[]; most_gain: number } {
  const phases = interpolator()
  return {
    phases: sampleRate <= 96_000 ? phases : phases.filter((_, phase) => phase % 2 === 0),
    most_gain: Math.max(...phases.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0))),
  }
}

/** Highest level over all channels, including between the samples. */
export class TruePeak {
  readonly #phases: Float32Array[]
  readonly #mostGain: number
  readonly #tails: Float32Array[]
  #buffer = new Float32Array(0)
  #peak = 0

  constructor(sampleRate: number, channels: number) {
    const { phases, most_gain } = truePeakTaps(sampleRate)
    this.#phases = phases
    this.#mostGain = most_gain
    this.#tails = Array.from({ length: channels }, () => new Float32Array(TAPS))
  }

  push(channels: Float32Array[]): void {
    this.#tails.forEach((tail, channel) => {
      this.#pushChannel(channels[channel]!, tail)
    })
  }

  /** Replaces the peak by what `measure` returns for it: a level that is at least as high. */
  raise(measure: (peak: number) => number): void {
    this.#peak = measure(this.#peak)
  }

  #pushChannel(samples: Float32Array, tail: Float32Array): void {
    const length = samples.length
    if (this.#buffer.length < length + TAPS) this.#buffer = new Float32Array(length + TAPS)
    const buffer = this.#buffer
    buffer.set(tail)
    buffer.set(samples, TAPS)
    for (let from = 0; from < length; from += PRUNE_SAMPLES) {
      const to = Math.min(length, from + PRUNE_SAMPLES)
      const highest = this.#highestSample(from, to + TAPS)
      // A block that cannot exceed the peak even in the worst case is not interpolated, which applies to nearly all
      // blocks.
      if (highest * this.#mostGain > this.#peak) this.#interpolate(from, to)
      if (highest > this.#peak) this.#peak = highest
    }
    tail.set(buffer.subarray(length, length + TAPS))
  }

  #highestSample(from: number, to: number): number {
    let highest = 0
    for (let i = from; i < to; i++) {
      const level = Math.abs(this.#buffer[i]!)
      if (level > highest) highest = level
    }
    return highest
  }

  #interpolate(from: number, to: number): void {
    const buffer = this.#buffer
    let peak = this.#peak
    for (const taps of this.#phases) {
      for (let i = from; i < to; i++) {
        let value = 0
        for (let t = 0; t < TAPS; t++) value += taps[t]! * buffer[i + t + 1]!
        if (value < 0) value = -value
        if (value > peak) peak = value
      }
    }
    this.#peak = peak
  }

  /** In dBTP; −120 for silence. */
  decibels(): number {
    return 20 * Math.log10(this.#peak || 1e-6)
  }
}
