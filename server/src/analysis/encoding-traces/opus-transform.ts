import { interpolateOffsets, POINTS_AROUND } from './interpolation.ts'
import { type OffsetTransform, STEPS_OF_16_BITS } from './offset-scores.ts'
import { vorbisWindow } from './windows.ts'

/** Samples of a frame of 20 ms at 48 kHz, and of the slopes of its window. */
const HOP = 960
const OVERLAP = 120
/** The window is zero outside its flat part and its slopes. */
const FLAT_FROM = (HOP + OVERLAP) / 2
const FLAT_TO = 2 * HOP - FLAT_FROM
/** The first bin above 20 kHz, which Opus never encodes, and how many follow: leaks from below reach no further. */
const FIRST_BIN = 800
const BINS = 40
/** Offsets from one spectrum to the next: the steep slopes let amplitudes change faster than those of AAC. */
const STEP = 8
/** Opus encodes the difference from this share of the sample before (RFC 6716, 4.3.7.2 and 5.3.1). */
const PRE_EMPHASIS = 0.85

const slope = vorbisWindow(2 * OVERLAP).subarray(0, OVERLAP)

/**
 * The MDCT of Opus at 48 kHz (CELT, RFC 6716, 4.3.7) above 20 kHz: at the offset of the frames, all of its bins are zero;
 * at the others, the cymbals below leak into them through the steep window.
 */
export class OpusTransform implements OffsetTransform {
  readonly hop = HOP
  readonly bins = BINS

  apply(samples: Float32Array, out: Float32Array): void {
    const emphasised = samples.map((sample, i) => sample - PRE_EMPHASIS * (samples[i - 1] ?? sample))
    const points = HOP / STEP + POINTS_AROUND
    const re = new Float64Array(points * BINS)
    const im = new Float64Array(points * BINS)
    const numbers = Array.from({ length: BINS }, (_, bin) => FIRST_BIN + bin)
    for (const [bin, number] of numbers.entries()) {
      const row = bin * points
      fillSpectra(emphasised, number, re.subarray(row, row + points), im.subarray(row, row + points))
    }
    interpolateOffsets({ re, im, numbers, hop: HOP, step: STEP }, out)
  }
}

/** One bin at every point: the flat part from running sums, the slopes sample by sample. */
function fillSpectra(samples: Float32Array, number: number, re: Float64Array, im: Float64Array): void {
  const theta = (Math.PI / HOP) * (number + 0.5)
  const scale = Math.sqrt(2 / HOP) * STEPS_OF_16_BITS
  const length = (re.length - 1) * STEP + 2 * HOP
  const turnedRe = new Float64Array(length)
  const turnedIm = new Float64Array(length)
  const sumRe = new Float64Array(length + 1)
  const sumIm = new Float64Array(length + 1)
  const [turnRe, turnIm] = [Math.cos(theta), -Math.sin(theta)]
  let [phaseRe, phaseIm] = [scale, 0]
  for (let n = 0; n < length; n++) {
    turnedRe[n] = samples[n]! * phaseRe
    turnedIm[n] = samples[n]! * phaseIm
    const next = phaseRe * turnRe - phaseIm * turnIm
    phaseIm = phaseRe * turnIm + phaseIm * turnRe
    phaseRe = next
    sumRe[n + 1] = sumRe[n]! + turnedRe[n]!
    sumIm[n + 1] = sumIm[n]! + turnedIm[n]!
  }
  for (let point = 0; point < re.length; point++) {
    const start = point * STEP
    const rise = start + FLAT_FROM - OVERLAP
    const last = start + FLAT_TO + OVERLAP - 1
    let r = sumRe[start + FLAT_TO]! - sumRe[start + FLAT_FROM]!
    let i = sumIm[start + FLAT_TO]! - sumIm[start + FLAT_FROM]!
    for (let n = 0; n < OVERLAP; n++) {
      r += slope[n]! * (turnedRe[rise + n]! + turnedRe[last - n]!)
      i += slope[n]! * (turnedIm[rise + n]! + turnedIm[last - n]!)
    }
    // Phases count from the point's own start.
    const [c, s] = [Math.cos(theta * start), Math.sin(theta * start)]
    re[point] = r * c - i * s
    im[point] = r * s + i * c
  }
}
