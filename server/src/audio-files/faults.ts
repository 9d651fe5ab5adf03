/**
 * The formats the pool accepts and delivers, detected by a file's content and never by its name. 'ogg' is Ogg Vorbis, and
 * 'opus' is Ogg Opus.
 */
export type AudioFormat = 'mp3' | 'wav' | 'flac' | 'aiff' | 'm4a' | 'ogg' | 'opus'

/** Something wrong with a file: a snake_case code, one sentence for people and, where known, the position. */
export type Fault = { code: string; message: string; at_seconds?: number }

/** Six hours: longer than any set. A few hundred kilobytes of FLAC can declare days of one sample. */
export const MAX_DURATION_SECONDS = 6 * 3600

/** Creates a fault with its position, rounded to the millisecond. */
export function faultAt(seconds: number, code: string, message: string): Fault {
  return { code, message, at_seconds: Math.round(seconds * 1000) / 1000 }
}

/** Formats a position as players show it: 2:31, or 1:02:31. */
export function formatPosition(seconds: number): string {
  const wholeSeconds = Math.floor(seconds)
  const padTwoDigits = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(wholeSeconds / 60)
  if (minutes < 60) return `${minutes}:${padTwoDigits(wholeSeconds % 60)}`
  return `${Math.floor(minutes / 60)}:${padTwoDigits(minutes % 60)}:${padTwoDigits(wholeSeconds % 60)}`
}

/** The message for a file whose remainder is all zeros. */
export const emptyFromMessage = (seconds: number) =>
  `The file is empty from ${formatPosition(seconds)} on. The download or copy was incomplete.`

const WARNINGS = new Set(['checksum_altered', 'silent', 'silent_part', 'too_short', 'upscaled', 'clipped'])

/** A warning is only shown; any other fault keeps the file out of the pool. */
export function isWarning(fault: Fault): boolean {
  return WARNINGS.has(fault.code)
}
