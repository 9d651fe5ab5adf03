import type { Mp3Timing } from '../../audio-files/mp3-timing.ts'

/** What a lossless file can be converted to. */
export type ConversionFormat = 'mp3' | 'aiff'

/** Raised whenever the same source would give other bytes. */
export const CONVERSION_VERSION = 1

/** How the MP3s of Mp3Writer begin, for those that are not stored at the moment. LAME always has the same delay. */
export const CONVERTED_MP3_TIMING: Mp3Timing = { timing_case: 'D', skipped_samples: 1105 }

/** Of a converted MP3, constant. */
export const MP3_KBPS = 320

/** The rates at which an MP3 can have 320 kbit/s (MPEG-1), and their multiples. */
const MP3_RATES = [32_000, 44_100, 48_000]
const MAX_HALVINGS = 2

/** How often a rate is halved for an MP3; undefined for a rate that no MP3 of 320 kbit/s has. */
export function mp3Halvings(sampleRate: number): number | undefined {
  const halvings = Array.from({ length: MAX_HALVINGS + 1 }, (_, n) => n)
  return halvings.find((n) => MP3_RATES.includes(sampleRate / 2 ** n))
}

/** The sample rate of a conversion of a file with this one. */
export const convertedRate = (format: ConversionFormat, sampleRate: number): number =>
  format === 'mp3' ? sampleRate / 2 ** (mp3Halvings(sampleRate) ?? 0) : sampleRate
