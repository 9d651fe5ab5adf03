import type { support } from '@dubplate/contract'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long something has waited: '12 min', '26 h', and from two days on '3 days'. */
export function waited(since: string, now: Date): string {
  const ms = Math.max(0, now.getTime() - new Date(since).getTime())
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} days`
}

/** Who has to write next and since when, from the side of staff. */
export function waitsInWords(
  { status, waits_for, waits_since }: Pick<support.QueuedTicket, 'status' | 'waits_for' | 'waits_since'>,
  now: Date,
): string {
  const time = waited(waits_since, now)
  if (status === 'close') return `Closed ${time} ago`
  return waits_for === 'staff' ? `Waiting ${time}` : `Replied ${time} ago`
}
