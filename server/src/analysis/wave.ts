import { WAVE_POINTS } from '@dubplate/contract/peaks'

/** The 80 levels that a table row draws, in base64, from the overall plane of an overview. */
export function waveOf(overview: Uint8Array): string {
  const points = overview.length / 4
  const overall = overview.subarray(3 * points)
  const levels = Uint8Array.from({ length: WAVE_POINTS }, (_, n) => {
    const from = Math.floor((n * points) / WAVE_POINTS)
    return Math.max(0, ...overall.subarray(from, Math.floor(((n + 1) * points) / WAVE_POINTS)))
  })
  return Buffer.from(levels).toString('base64')
}
