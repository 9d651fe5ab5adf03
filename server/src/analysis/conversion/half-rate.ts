import { HalfRate, type Resampler } from '../resample.ts'

/**
 * At 88.2 and 96 kHz, level to 0.01 dB up to 20 kHz, and 110 dB of attenuation for what folds back to 20 kHz or below.
 * Source of the window: Kaiser (1974), as in Oppenheim & Schafer, Discrete-Time Signal Processing.
 */
const TAPS = 169
/** 0.1102 (A − 8.7) for an attenuation A of 110 dB. */
const KAISER_BETA = 11.16

/** The modified Bessel function of the first kind, order zero, as its power series. */
function besselI0(x: number): number {
  let sum = 1
  for (let term = 1, k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

/** Half-band low pass at a quarter of the rate, normalised to unity gain at 0 Hz. Every second tap is zero. */
export function kaiserHalfBand(): Float64Array {
  const centre = (TAPS - 1) / 2
  const taps = Float64Array.from({ length: TAPS }, (_, i) => {
    const t = i - centre
    const sinc = t === 0 ? 0.5 : t % 2 === 0 ? 0 : Math.sin(Math.PI * t * 0.5) / (Math.PI * t)
    return (sinc * besselI0(KAISER_BETA * Math.sqrt(1 - (t / centre) ** 2))) / besselI0(KAISER_BETA)
  })
  const sum = taps.reduce((total, tap) => total + tap, 0)
  return taps.map((tap) => tap / sum)
}

/** Halves the rate in the quality of a download. Output i is the input at 2i. */
export class FineHalfRate implements Resampler {
  readonly #half = new HalfRate(kaiserHalfBand())
  #isStarted = false

  push(samples: Float32Array): Float32Array {
    if (this.#isStarted) return this.#half.push(samples)
    this.#isStarted = true
    const padded = new Float32Array((TAPS - 1) / 2 + samples.length)
    padded.set(samples, (TAPS - 1) / 2)
    return this.#half.push(padded)
  }

  /** What the filter still holds. */
  finish(): Float32Array {
    return this.push(new Float32Array((TAPS - 1) / 2))
  }
}
