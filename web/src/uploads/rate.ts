import { byteSize } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

/** How much had gone out by a moment. */
export type Sample = { at_ms: number; bytes: number }

/** What happened longer ago says little about how long the rest will take. */
const WINDOW_MS = 10_000
/** Before so much time has passed nothing can be said. */
const LEAST_MS = 1_000

/** Adds a sample, and drops those too old to count. Bytes that have to be sent again begin a new measurement. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && next.bytes < last.bytes) return [next]
  return [...samples.filter(({ at_ms }) => next.at_ms - at_ms <= WINDOW_MS), next]
}

/** Bytes a second over the last ten seconds; undefined until there is enough to go by. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at_ms - first.at_ms < LEAST_MS || last.bytes <= first.bytes) return undefined
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
export function sendingWords(sent: number, bytes: number, rate: number | undefined): string {
  const amount = format(texts.of2, { sent: byteSize(sent), bytes: byteSize(bytes) })
  return rate ? `${amount}, ${byteSize(rate)}/s, ${timeLeft((bytes - sent) / rate)}` : amount
}
