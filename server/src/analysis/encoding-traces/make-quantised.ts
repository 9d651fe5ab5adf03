/** Sounds for the tests, encoded by an MDCT alone: what a codec leaves in the samples, without its bit stream. */

type Quantiser = {
  window: Float64Array
  /** Returns the quantised value of a bin's coefficient. */
  quantise: (coefficient: number, bin: number) => number
  /** Position of the first frame. */
  start: number
}

/**
 * Each frame of 2 × `hop` windowed samples to coefficients, quantised, back, and overlapped (Princen, Johnson and
 * Bradley, 1987).
 */
export function throughMdct(samples: Float32Array, { window, quantise, start }: Quantiser): Float32Array {
  const hop = window.length / 2
  const half = hop / 2
  const out = new Float32Array(samples.length)
  const folded = new Float64Array(hop)
  const dct = makeDct(hop)
  for (let at = start; at + 2 * hop <= samples.length; at += hop) {
    const x = (n: number) => window[n]! * samples[at + n]!
    for (let n = 0; n < half; n++) {
      folded[n] = -x(3 * half - 1 - n) - x(3 * half + n)
      folded[half + n] = x(n) - x(hop - 1 - n)
    }
    const back = dct(dct(folded).map(quantise))
    for (let n = 0; n < half; n++) {
      out[at + n]! += window[n]! * back[half + n]!
      out[at + hop - 1 - n]! -= window[hop - 1 - n]! * back[half + n]!
      out[at + 3 * half - 1 - n]! -= window[3 * half - 1 - n]! * back[n]!
      out[at + 3 * half + n]! -= window[3 * half + n]! * back[n]!
    }
  }
  return out
}

/** The orthonormal DCT-IV, which is its own inverse. */
function makeDct(size: number): (values: Float64Array) => Float64Array {
  const period = 8 * size
  const cosine = Float64Array.from(
    { length: period },
    (_, i) => Math.sqrt(2 / size) * Math.cos((2 * Math.PI * i) / period),
  )
  return (values) => {
    const out = new Float64Array(size)
    for (let bin = 0; bin < size; bin++) {
      const step = (2 * (2 * bin + 1)) % period
      let at = 2 * bin + 1
      let sum = 0
      for (let n = 0; n < size; n++) {
        sum += values[n]! * cosine[at]!
        at += step
        if (at >= period) at -= period
      }
      out[bin] = sum
    }
    return out
  }
}

/** To 16 bits. */
export const rounded = (samples: Float32Array): Float32Array =>
  samples.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))) / 32_768)
