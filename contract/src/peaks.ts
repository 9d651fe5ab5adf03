/**
 * The waveform of a version as it is sent: bytes, planar, one quarter each for low band, mid band, high band and
 * overall level; each byte is a linear peak, 0 to 255. Bands: below 200 Hz, between, above 2.5 kHz.
 */
export type Peaks = { low: Uint8Array; mid: Uint8Array; high: Uint8Array; overall: Uint8Array }

export const OVERVIEW_POINTS = 800
export const WAVE_POINTS = 80

/**
 * Splits the bytes of a waveform into its four parts. Throws a RangeError if their number is not a multiple of four.
 */
export const decodePeaks = (bytes: Uint8Array): Peaks => {
  if (bytes.length % 4 !== 0)
    throw new RangeError(`Invalid waveform: ${bytes.length} bytes cannot be split into four equal channels`)
  const points = bytes.length / 4
  const lane = (n: number) => bytes.subarray(n * points, (n + 1) * points)
  return { low: lane(0), mid: lane(1), high: lane(2), overall: lane(3) }
}
