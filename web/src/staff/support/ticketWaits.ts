import type { support } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long something has been waiting: '12 min', '26 h', and from two days '3 days'. */
export function waited(since: string, now: Date): string {
  const ms = Math.max(0, now.getTime() - new Date(since).getTime())
  if (ms < HOUR) return format(texts.min, { minutes: Math.floor(ms / MINUTE) })
  return ms < 2 * DAY
    ? format(texts.hours, { hours: Math.floor(ms / HOUR) })
    : format(texts.days, { days: Math.floor(ms / DAY) })
}

/** Who has to reply next and since when, from the staff's point of view. */
export function waitsInWords(
  {
    status,
    awaiting_reply_from,
    waiting_since,
  }: Pick<support.QueuedTicket, 'status' | 'awaiting_reply_from' | 'waiting_since'>,
  now: Date,
): string {
  const time = waited(waiting_since, now)
  if (status === 'close') return format(texts.closedAgo, { time })
  return awaiting_reply_from === 'staff' ? format(texts.waiting, { time }) : format(texts.repliedAgo, { time })
}
