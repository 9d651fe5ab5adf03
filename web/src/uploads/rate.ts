import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
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
  if (seconds < 10) return texts.aFewSecondsLeft
  if (seconds < 55) return format(texts.aboutSecondsLeft, { seconds: Math.ceil(seconds / 5) * 5 })
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return format(texts.aboutMinutesLeft, { minutes })
  const rest = Math.round(minutes / 5) * 5
  const hours = Math.floor(rest / 60)
  return rest % 60
    ? format(texts.aboutHoursMinutesLeft, { hours, minutes: rest % 60 })
    : format(texts.aboutHoursLeft, { hours })
}

/** '12 of 48 MB, 1.2 MB/s, about 30 s left'. */
export function sendingText(sent: number, bytes: number, rate: number | undefined): string {
  const amounts = { sent: formatBytes(sent), bytes: formatBytes(bytes) }
  if (!rate) return format(texts.sentOfTotal, amounts)
  return format(texts.sentOfTotalWithTime, {
    ...amounts,
    rate: formatBytes(rate),
    timeLeft: timeLeft((bytes - sent) / rate),
  })
}
