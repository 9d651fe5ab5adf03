const dateFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The Monday of a week, '2026-11-16' as 'Nov 16'. */
export const weekName = (monday: string): string => dateFormat.format(new Date(`${monday}T00:00:00Z`))

/** The height of a bar: zero is a line, and a small number stays visible next to a large one. */
export const barHeight = (n: number, maxCount: number): number =>
  n === 0 ? 2 : Math.max(6, Math.round((n / maxCount) * 100))
