import { useEffect, useState } from 'react'
import { formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago a time was: 'just now', '2 min ago', '3 h ago', and from one day on its date. */
export function formatTimeAgo(iso: string, now = new Date()): string {
  const passed_ms = now.getTime() - new Date(iso).getTime()
  if (passed_ms < MINUTE) return texts.justNow
  if (passed_ms < HOUR) return format(texts.minAgo, { minutes: Math.floor(passed_ms / MINUTE) })
  if (passed_ms < DAY) return format(texts.hAgo, { hours: Math.floor(passed_ms / HOUR) })
  return formatShortDate(iso, now)
}

/** The current time, updated every minute, for relative times. */
export function useCurrentMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const clock = setInterval(() => setNow(new Date()), MINUTE)
    return () => clearInterval(clock)
  }, [])
  return now
}
