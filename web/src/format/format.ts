/**
 * Every date is written as day, month, year and every time with 24 hours: the names of the months are those of the
 * language, which the browser's own formats of some regions shorten in other ways ('Sept').
 */
const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })

/** The parts of a date in the local time zone; undefined if it is not a date. */
function datePartsOf(iso: string | null) {
  const date = new Date(iso ?? '')
  if (Number.isNaN(date.getTime())) return undefined
  return { day: date.getDate(), month: monthFormat.format(Date.UTC(2000, date.getMonth())), year: date.getFullYear() }
}

/** '21 Dec 2026'; '' if it is not a date. */
export function formatDate(iso: string | null): string {
  const parts = datePartsOf(iso)
  return parts ? `${parts.day} ${parts.month} ${parts.year}` : ''
}

const number = new Intl.NumberFormat('en')

/** '20 Nov' for this year, 'Mar 2024' for earlier ones. */
export function formatShortDate(iso: string, now = new Date()): string {
  const parts = datePartsOf(iso)
  if (!parts) return ''
  const { day, month, year } = parts
  return year === now.getFullYear() ? `${day} ${month}` : `${month} ${year}`
}

/** '18:30', in local time. */
export function formatTime(iso: string): string {
  const date = new Date(iso)
  return [date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, '0')).join(':')
}

/** '20 Nov 2026, 18:30', in local time: also the tooltip of a short date. */
export function formatExactDate(iso: string): string {
  const day = formatDate(iso)
  return day && `${day}, ${formatTime(iso)}`
}

/** Seconds as m:ss, or h:mm:ss from one hour on. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const ss = String(s).padStart(2, '0')
  return h ? `${h}:${String(m).padStart(2, '0')}:${ss}` : `${m}:${ss}`
}

/** '124', or '98–124' for a song that changes tempo. */
export function formatBpmRange(min: number | null, max: number | null): string {
  const [low, high] = [min ?? max, max ?? min].map((bpm) => (bpm == null ? undefined : Math.round(bpm * 10) / 10))
  if (low === undefined) return '–'
  return low === high ? String(low) : `${low}–${high}`
}

/** Bytes in a readable unit: '4.3 kB', '128 MB'. Units are powers of 1000. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}

export const count = (n: number) => number.format(n)

export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`
