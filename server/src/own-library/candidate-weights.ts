import { MAX_CANDIDATES } from './candidates.ts'

const FIRST_SIZE = 1024

/** Adds up the weights of numbered songs for one name at a time. */
export class CandidateWeights {
  /** Of each song for the current name; 0 for all others. */
  #weights = new Float64Array(FIRST_SIZE)
  readonly #found: number[] = []

  /** Makes room for songs with numbers below `count`. */
  grow(count: number): void {
    if (count <= this.#weights.length) return
    const larger = new Float64Array(Math.max(count, this.#weights.length * 2))
    larger.set(this.#weights)
    this.#weights = larger
  }

  add(songs: ArrayLike<number>, weight: number): void {
    for (let at = 0; at < songs.length; at++) {
      const n = songs[at]!
      if (this.#weights[n] === 0) this.#found.push(n)
      this.#weights[n]! += weight
    }
  }

  /**
   * The songs with the largest weights, in order, and begins with the next name. Most of the others are not even
   * compared with all of these.
   */
  takeHeaviest(): number[] {
    const weights = this.#weights
    const best: number[] = []
    for (const n of this.#found) {
      if (best.length === MAX_CANDIDATES && weights[n]! <= weights[best.at(-1)!]!) continue
      let at = best.length
      while (at > 0 && weights[best[at - 1]!]! < weights[n]!) at--
      best.splice(at, 0, n)
      if (best.length > MAX_CANDIDATES) best.pop()
    }
    for (const n of this.#found) weights[n] = 0
    this.#found.length = 0
    return best
  }
}
