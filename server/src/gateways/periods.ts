import type { Interval } from './gateway.ts'

/**
 * One period on, counted from the day it all began so that the 31st comes back after a shorter month (as Stripe's
 * billing_cycle_anchor does): the end of period `n`, 1 being the first.
 */
export function periodEnd(anchor: Date, interval: Interval, n: number): Date {
  const months = interval === 'year' ? 12 * n : n
  const end = new Date(anchor)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const daysInMonth = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth))
  return end
}
