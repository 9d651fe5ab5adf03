import type { Interval } from './gateway.ts'

/**
 * Returns the end of period `n`; 1 is the first. Periods are counted from the anchor, so that the 31st returns after a
 * shorter month (as with Stripe's billing_cycle_anchor).
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
