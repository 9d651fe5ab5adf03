const COMBS = { left: [778, 821, 891, 971], right: [790, 845, 907, 949] } as const
const ALLPASSES = [112, 278] as const
const FEEDBACK = 0.8
const DAMPING = 0.35

type Delay = { memory: Float32Array; at: number; low: number }

const delay = (length: number): Delay => ({ memory: new Float32Array(length), at: 0, low: 0 })

function addComb(line: Delay, input: Float32Array, out: Float32Array, length: number): void {
  let { at, low } = line
  const { memory } = line
  for (let i = 0; i < length; i++) {
    const echo = memory[at]!
    low += DAMPING * (echo - low)
    memory[at] = input[i]! + low * FEEDBACK
    out[i]! += echo
    if (++at === memory.length) at = 0
  }
  line.at = at
  line.low = low
}

function applyAllpass(line: Delay, out: Float32Array, length: number): void {
  let { at } = line
  const { memory } = line
  for (let i = 0; i < length; i++) {
    const echo = memory[at]!
    const fed = out[i]! + echo * 0.5
    memory[at] = fed
    out[i] = echo - 0.5 * fed
    if (++at === memory.length) at = 0
  }
  line.at = at
}

type Side = { combs: Delay[]; allpasses: Delay[]; last: number }

const side = (lengths: readonly number[]): Side => ({
  combs: lengths.map(delay),
  allpasses: ALLPASSES.map(delay),
  last: 0,
})

/** Wet signal at half the rate, then doubled by interpolation into `wet`. */
function renderSide(room: Side, input: Float32Array, halves: number, wet: Float32Array): void {
  const out = new Float32Array(halves)
  for (const comb of room.combs) addComb(comb, input, out, halves)
  for (const allpass of room.allpasses) applyAllpass(allpass, out, halves)
  for (let i = 0; i < halves; i++) {
    const value = out[i]!
    wet[2 * i] = (room.last + value) / 2
    wet[2 * i + 1] = value
    room.last = value
  }
}

/**
 * A small room that remembers its tail between blocks. It works at half the sample rate, as its tail has no treble to lose;
 * a block of odd length takes the first sample of the next one along.
 * Source: Manfred Schroeder's reverberator with damped combs (J. A. Moorer, 1979).
 */
export class Reverb {
  #left = side(COMBS.left)
  #right = side(COMBS.right)
  #input: Float32Array
  #wet: { left: Float32Array; right: Float32Array }
  #ahead = 0

  constructor(longestBlock: number) {
    this.#input = new Float32Array(longestBlock / 2 + 2)
    this.#wet = { left: new Float32Array(longestBlock + 4), right: new Float32Array(longestBlock + 4) }
  }

  /** Wet samples for `send[0..length)`; `send` may be read one sample further. The arrays live until the next call. */
  process(send: Float32Array, length: number): { left: Float32Array; right: Float32Array } {
    const { left, right } = this.#wet
    const done = this.#ahead
    const halves = Math.ceil((length - done) / 2)
    if (done) {
      left[0] = this.#left.last
      right[0] = this.#right.last
    }
    for (let i = 0; i < halves; i++) this.#input[i] = (send[done + 2 * i]! + send[done + 2 * i + 1]!) / 2
    renderSide(this.#left, this.#input, halves, left.subarray(done))
    renderSide(this.#right, this.#input, halves, right.subarray(done))
    this.#ahead = done + 2 * halves - length
    return this.#wet
  }
}
