const two = (n: number) => String(n).padStart(2, '0')

/** A time as a local date-and-time field holds it: '2026-11-20T18:30'. '' for none. */
export function localOf(iso: string | null): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/**
 * The ISO time of such a field; null when it is empty or invalid. A time that daylight saving skips is moved to the
 * following hour.
 */
export function isoOf(local: string): string | null {
  const date = new Date(local)
  return local === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The browser's time zone and its current offset from UTC: 'Europe/Lisbon, UTC+1'. */
export function zoneInWords(now = new Date()): string {
  const minutes = -now.getTimezoneOffset()
  const [h, m] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${h}${m ? `:${two(m)}` : ''}`
  const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions()
  return timeZone === 'UTC' ? 'UTC' : `${timeZone}, ${offset}`
}
