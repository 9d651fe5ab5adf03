/**
 * Cuts a stream into overlapping frames: `take` receives `size` samples every `hop`, and must not keep a reference to
 * them.
 */
export class Framer {
  readonly #frame: Float32Array
  readonly #hop: number
  readonly #take: (frame: Float32Array) => void
  #filled = 0

  constructor(size: number, hop: number, onFrame: (frame: Float32Array) => void) {
    this.#frame = new Float32Array(size)
    this.#hop = hop
    this.#take = onFrame
  }

  push(samples: Float32Array): void {
    const frame = this.#frame
    for (let i = 0; i < samples.length; ) {
      const count = Math.min(frame.length - this.#filled, samples.length - i)
      frame.set(samples.subarray(i, i + count), this.#filled)
      this.#filled += count
      i += count
      if (this.#filled < frame.length) return
      this.#take(frame)
      frame.copyWithin(0, this.#hop)
      this.#filled = frame.length - this.#hop
    }
  }
}
