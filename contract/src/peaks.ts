/** The waveform of a version: linear peaks, 0 to 255, of three bands: below 200 Hz, between, above 2.5 kHz. */
export type Peaks = { low: Uint8Array; mid: Uint8Array; high: Uint8Array }

export const OVERVIEW_POINTS = 800
export const WAVE_POINTS = 80

/**
 * Splits the bytes of a waveform, one lane after the other: low, mid and high band, with fifty points a second; an
 * overview has 800 points, and the overall level as its fourth lane. Throws a RangeError if the lanes differ in length.
 */
export const decodePeaks = (bytes: Uint8Array, lanes: 3 | 4): Peaks => {
  if (bytes.length % lanes !== 0)
    throw new RangeError(`Invalid waveform: ${bytes.length} bytes cannot be split into ${lanes} equal lanes`)
  const points = bytes.length / lanes
  const lane = (n: number) => bytes.subarray(n * points, (n + 1) * points)
  return { low: lane(0), mid: lane(1), high: lane(2) }
}
