const COMBS = { left: [778, 821, 891, 971], right: [790, 845, 907, 949] } as const
const ALLPASSES = [112, 278] as const
const FEEDBACK = 0.8
const DAMPING = 0.35

type Delay = { buffer: Float32Array; at: number; low: number }

const delay = (length: number): Delay => ({ buffer: new Float32Array(length), at: 0, low: 0 })

function addComb(line: Delay, input: Float32Array, out: Float32Array, length: number): void {
  let { at, low } = line
  const { buffer } = line
  for (let i = 0; i < length; i++) {
    const echo = buffer[at]!
    low += DAMPING * (echo - low)
    buffer[at] = input[i]! + low * FEEDBACK
    out[i]! += echo
    if (++at === buffer.length) at = 0
  }
  line.at = at
  line.low = low
}

function applyAllpass(line: Delay, out: Float32Array, length: number): void {
  let { at } = line
  const { buffer } = line
  for (let i = 0; i < length; i++) {
    const echo = buffer[at]!
    const feedback = out[i]! + echo * 0.5
    buffer[at] = feedback
    out[i] = echo - 0.5 * feedback
    if (++at === buffer.length) at = 0
  }
  line.at = at
}

type ReverbChannel = { combs: Delay[]; allpasses: Delay[]; last: number }

const side = (lengths: readonly number[]): ReverbChannel => ({
  combs: lengths.map(delay),
  allpasses: ALLPASSES.map(delay),
  last: 0,
})

/** Writes the wet signal at half the rate, then doubled by interpolation, into `wet`. */
function renderChannel(channel: ReverbChannel, input: Float32Array, outputs: number, wet: Float32Array): void {
  const out = new Float32Array(outputs)
  for (const comb of channel.combs) addComb(comb, input, out, outputs)
  for (const allpass of channel.allpasses) applyAllpass(allpass, out, outputs)
  for (let i = 0; i < outputs; i++) {
    const value = out[i]!
    wet[2 * i] = (channel.last + value) / 2
    wet[2 * i + 1] = value
    channel.last = value
  }
}

/**
 * A small reverb that keeps its tail between blocks. It works at half the sample rate, as its tail has no high
 * frequencies to lose; a block of odd length also uses the first sample of the next one. Source: Manfred Schroeder's
 * reverberator with damped combs (J. A. Moorer, 1979).
 */
export class Reverb {
  #left = side(COMBS.left)
  #right = side(COMBS.right)
  #input: Float32Array
  #wet: { left: Float32Array; right: Float32Array }
  #ahead = 0

  constructor(maxBlockSamples: number) {
    this.#input = new Float32Array(maxBlockSamples / 2 + 2)
    this.#wet = { left: new Float32Array(maxBlockSamples + 4), right: new Float32Array(maxBlockSamples + 4) }
  }

  /**
   * Wet samples for `send[0..length)`; one more sample of `send` may be read. The returned arrays are valid until the
   * next call.
   */
  process(send: Float32Array, length: number): { left: Float32Array; right: Float32Array } {
    const { left, right } = this.#wet
    const carriedSamples = this.#ahead
    const outputs = Math.ceil((length - carriedSamples) / 2)
    if (carriedSamples) {
      left[0] = this.#left.last
      right[0] = this.#right.last
    }
    for (let i = 0; i < outputs; i++)
      this.#input[i] = (send[carriedSamples + 2 * i]! + send[carriedSamples + 2 * i + 1]!) / 2
    renderChannel(this.#left, this.#input, outputs, left.subarray(carriedSamples))
    renderChannel(this.#right, this.#input, outputs, right.subarray(carriedSamples))
    this.#ahead = carriedSamples + 2 * outputs - length
    return this.#wet
  }
}
