const two = (n: number) => String(n).padStart(2, '0')

/** A moment as a field for date and time holds it, where the person is: '2026-11-20T18:30'. '' for none. */
export function localOf(iso: string | null): string {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return ''
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** What such a field holds as a moment; null where nothing, or no moment, is in it. An hour that summer time skips is the one after it. */
export function isoOf(local: string): string | null {
  const date = new Date(local)
  return local === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** '20 Nov 2026, 18:30', where the person is. */
export function momentInWords(iso: string): string {
  const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
  const parts = Object.fromEntries(day.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
  return `${parts.day} ${parts.month} ${parts.year}, ${localOf(iso).slice(-5)}`
}

/** The time zone of this browser, and how far it is from UTC at present: 'Europe/Lisbon, UTC+1'. */
export function zoneInWords(now = new Date()): string {
  const minutes = -now.getTimezoneOffset()
  const [h, m] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${h}${m ? `:${two(m)}` : ''}`
  const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions()
  return timeZone === 'UTC' ? 'UTC' : `${timeZone}, ${offset}`
}
