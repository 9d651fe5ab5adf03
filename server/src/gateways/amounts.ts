import type { Terms } from './gateway.ts'

export type CouponTerms = { percent: number | null; amount_minor: number | null; payments: number | null }

/**
 * Returns what a coupon takes off an amount, rounded to the smallest unit and never more than the amount. All discounts
 * are calculated here.
 */
export function discountOf(amount_minor: number, coupon: CouponTerms | undefined): number {
  if (!coupon) return 0
  const discount = coupon.amount_minor ?? Math.round((amount_minor * (coupon.percent ?? 0)) / 100)
  return Math.min(amount_minor, Math.max(0, discount))
}

export type PlanTerms = Pick<Terms, 'plan_id' | 'title' | 'currency' | 'interval' | 'price_minor'> & {
  trial_price_minor: number
}

/** Returns what a plan costs a customer: with the trial price if they are new, and with a coupon. */
export function termsOf(plan: PlanTerms, customer: { isNew: boolean; coupon?: CouponTerms | undefined }): Terms {
  const { trial_price_minor, ...agreed } = plan
  const first_price_minor = customer.isNew && trial_price_minor > 0 ? trial_price_minor : plan.price_minor
  return {
    plan_id: agreed.plan_id,
    title: agreed.title,
    currency: agreed.currency,
    interval: agreed.interval,
    price_minor: agreed.price_minor,
    first_price_minor,
    first_discount_minor: discountOf(first_price_minor, customer.coupon),
    later_discount_minor: discountOf(plan.price_minor, customer.coupon),
    discounted_payments: customer.coupon ? customer.coupon.payments : 0,
  }
}

/** Returns what payment `n` of a subscription costs; 1 is the first. */
export function amountOf(terms: Terms, n: number): { amount_minor: number; discount_minor: number } {
  const hasDiscount = terms.discounted_payments === null || n <= terms.discounted_payments
  const fullMinor = n === 1 ? terms.first_price_minor : terms.price_minor
  const discount = n === 1 ? terms.first_discount_minor : terms.later_discount_minor
  const discount_minor = hasDiscount ? Math.min(fullMinor, discount) : 0
  return { amount_minor: fullMinor - discount_minor, discount_minor }
}

/**
 * Returns the price difference of a more expensive plan for the rest of the period, by the time left; never below zero.
 */
export function proration(change: {
  from_minor: number
  to_minor: number
  period_start: Date
  period_end: Date
  now: Date
}): number {
  const periodMs = change.period_end.getTime() - change.period_start.getTime()
  const remainingMs = Math.min(periodMs, Math.max(0, change.period_end.getTime() - change.now.getTime()))
  return Math.max(0, Math.round(((change.to_minor - change.from_minor) * remainingMs) / periodMs))
}
