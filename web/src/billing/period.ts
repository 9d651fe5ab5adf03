import type { billing } from '@dubplate/contract'

type Interval = billing.Plan['interval']

/** The start plus one period; the 31st becomes the last day of a shorter month. */
export function addPeriod(start: Date, interval: Interval): Date {
  const months = start.getMonth() + (interval === 'year' ? 12 : 1)
  const lastDay = new Date(start.getFullYear(), months + 1, 0).getDate()
  return new Date(start.getFullYear(), months, Math.min(start.getDate(), lastDay))
}
