/** Samples of an excerpt: enough for every transform at every offset of a frame. */
const EXCERPT_SAMPLES = 4096
/**
 * Samples from one candidate to the next. A prime number, so that music with exact periods is not met in the same phase
 * again and again.
 */
const STEP = 32_771
const SLOTS = 16
const PARTS = 8
const PART_SAMPLES = EXCERPT_SAMPLES / PARTS
/** A sample at full scale may have been clipped, which adds noise to all coefficients. */
const FULL_SCALE = 32_766.5 / 32_768
const CLIPPED_WEIGHT = 1e-6
/**
 * The highest square of the second difference over its mean: noise has 15, most music less than 40. A single click on smooth sound has
 * more, and its symmetry makes zeros at some offsets.
 */
const MAX_CREST = 50

/** Part of a file: one or two channels, and the position of its first sample. */
export type Excerpt = { start: number; channels: Float32Array[]; brightness: number }

/**
 * Keeps short excerpts in which an encoder leaves the clearest traces: steadily bright, not clipped, and spread over the
 * file. Takes one or two channels.
 */
export class ExcerptPicker {
  /** The brightest excerpt of each slot; when all slots are in use, each pair is merged. */
  #slots: (Excerpt | undefined)[] = []
  #candidatesPerSlot = 1
  #candidates = 0
  readonly #buffer: Float32Array[]
  #position = 0

  constructor(channels: 1 | 2) {
    this.#buffer = Array.from({ length: channels }, () => new Float32Array(EXCERPT_SAMPLES))
  }

  push(channels: Float32Array[]): void {
    const length = channels[0]!.length
    for (let i = 0; i < length; ) {
      const at = this.#position % STEP
      const isCandidate = at < EXCERPT_SAMPLES
      const count = Math.min((isCandidate ? EXCERPT_SAMPLES : STEP) - at, length - i)
      if (isCandidate)
        for (const [channel, buffer] of this.#buffer.entries())
          buffer.set(channels[channel]!.subarray(i, i + count), at)
      this.#position += count
      i += count
      if (at + count === EXCERPT_SAMPLES) this.#addCandidate()
    }
  }

  #addCandidate(): void {
    const slot = Math.floor(this.#candidates / this.#candidatesPerSlot)
    this.#candidates++
    const brightness = brightnessOf(this.#buffer)
    if (brightness > (this.#slots[slot]?.brightness ?? 0)) {
      const channels = this.#buffer.map((buffer) => buffer.slice())
      this.#slots[slot] = { start: this.#position - EXCERPT_SAMPLES, channels, brightness }
    }
    if (this.#candidates === SLOTS * this.#candidatesPerSlot) this.#mergePairs()
  }

  #mergePairs(): void {
    const slots = this.#slots
    this.#slots = Array.from({ length: SLOTS / 2 }, (_, n) => brighter(slots[2 * n], slots[2 * n + 1]))
    this.#candidatesPerSlot *= 2
  }

  /** The brightest first. */
  excerpts(): Excerpt[] {
    return this.#slots.filter((excerpt) => excerpt !== undefined).sort((a, b) => b.brightness - a.brightness)
  }
}

function brighter(a: Excerpt | undefined, b: Excerpt | undefined): Excerpt | undefined {
  return (b?.brightness ?? 0) > (a?.brightness ?? 0) ? b : a
}

/** Power of the second difference, which weights the highs, in the darkest of eight parts. Zero for single clicks. */
function brightnessOf(channels: Float32Array[]): number {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  let total = 0
  let isClipped = false
  for (let part = 0; part < PARTS; part++) {
    let power = 0
    for (const samples of channels) {
      for (let i = Math.max(2, part * PART_SAMPLES); i < (part + 1) * PART_SAMPLES; i++) {
        const sample = samples[i]!
        const difference = sample - 2 * samples[i - 1]! + samples[i - 2]!
        const square = difference * difference
        power += square
        if (square > most) most = square
        if (sample > FULL_SCALE || sample < -FULL_SCALE) isClipped = true
      }
    }
    total += power
    if (power < least) least = power
  }
  if (most * channels.length * EXCERPT_SAMPLES > MAX_CREST * total) return 0
  return isClipped ? least * CLIPPED_WEIGHT : least
}
