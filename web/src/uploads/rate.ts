import { formatBytes } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

/** The bytes sent until a point in time. */
export type Sample = { at_ms: number; bytes: number }

/** Older samples say little about how long the rest will take. */
const WINDOW_MS = 10_000
/** The minimum time span for a rate. */
const MIN_SAMPLE_MS = 1_000

/** Adds a sample and removes outdated ones. If bytes have to be sent again, the measurement starts over. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && sample.bytes < last.bytes) return [sample]
  return [...samples.filter(({ at_ms }) => sample.at_ms - at_ms <= WINDOW_MS), sample]
}

/** Bytes per second over the last ten seconds; undefined until there are enough samples. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at_ms - first.at_ms < MIN_SAMPLE_MS || last.bytes <= first.bytes) return undefined
  return ((last.bytes - first.bytes) * 1000) / (last.at_ms - first.at_ms)
}

/** 'about 40 s left', 'about 3 min left', 'about 1 h 20 min left'. */
export function timeLeft(seconds: number): string {
  if (seconds < 10) return 'a few seconds left'
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} s left`
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return `about ${minutes} min left`
  const rest = Math.round(minutes / 5) * 5
  return `about ${Math.floor(rest / 60)} h${rest % 60 ? ` ${rest % 60} min` : ''} left`
}

/** '12 of 48 MB, 1.2 MB/s, about 30 s left'. */
export function sendingText(sent: number, bytes: number, rate: number | undefined): string {
  const amount = format(texts.sentOfTotal, { sent: formatBytes(sent), bytes: formatBytes(bytes) })
  return rate ? `${amount}, ${formatBytes(rate)}/s, ${timeLeft((bytes - sent) / rate)}` : amount
}
