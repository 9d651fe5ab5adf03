/** Half of the smallest step of 16 bits: where the encoder found silence, MP3 decoders leave noise below it. */
const NOTHING = 2 ** -17
const MIN_SECONDS = 10
/** The resolution of the search, some milliseconds: in music, usually the first sample of a block is enough. */
const BLOCK_SAMPLES = 256

export type Silence = { at_seconds: number; seconds: number }

function hasSound(samples: Float32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (Math.abs(samples[i]!) > NOTHING) return true
  return false
}

/** Finds digital silence between parts with music. */
export class SilenceDetector {
  readonly #sampleRate: number
  #samples = 0
  /** Where the current silence began; undefined before the first sound. */
  #from: number | undefined
  #longest = { from: 0, samples: 0 }

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate
  }

  push(channels: Float32Array[]): void {
    const [left, right = left] = channels as [Float32Array, Float32Array?]
    for (let from = 0; from < left.length; from += BLOCK_SAMPLES) {
      const to = Math.min(left.length, from + BLOCK_SAMPLES)
      if (hasSound(left, from, to) || hasSound(right, from, to)) this.#hear(this.#samples + from, this.#samples + to)
    }
    this.#samples += left.length
  }

  #hear(from: number, to: number): void {
    if (this.#from !== undefined && from - this.#from > this.#longest.samples) {
      this.#longest = { from: this.#from, samples: from - this.#from }
    }
    this.#from = to
  }

  /** The longest silence of more than ten seconds. */
  longest(): Silence | undefined {
    const { from, samples } = this.#longest
    const seconds = samples / this.#sampleRate
    return seconds > MIN_SECONDS ? { at_seconds: from / this.#sampleRate, seconds } : undefined
  }
}
