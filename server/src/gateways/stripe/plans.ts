import type Stripe from 'stripe'
import type { Sql } from '../../platform/db.ts'
import { amountOf } from '../amounts.ts'
import type { Interval, Terms } from '../gateway.ts'
import { refOf } from '../gateway-plan.ts'
import { periodEnd } from '../periods.ts'

/** `live`, or `test` when no money moves: objects created in one mode do not exist in the other. */
export type StripeMode = 'live' | 'test'

export type StripeCoupon = {
  amount_off: number
  duration: 'once' | 'repeating' | 'forever'
  /** Only for `repeating`. */
  months: number
}

/**
 * How terms are billed at Stripe, whose Checkout accepts only one coupon.
 *
 * - No discount, or one on the first payment only (a trial price, a coupon of one payment, or both): one coupon of the
 *   difference, `once`.
 * - A coupon of several payments without a trial price: one coupon of its amount, for that number of months, or
 *   `forever`.
 * - A trial price and such a coupon: the first period is a free trial at Stripe, with a separate line that is charged
 *   once with the amount of the first payment. The coupon applies to the plan's own product, so not to that line. Its
 *   months begin at the same time as the trial, so there is one period fewer than payments: the last payment it applies
 *   to falls before their end, the next one a period later.
 */
export type StripeBilling = {
  coupon: StripeCoupon | undefined
  /**
   * What is charged at once instead of the first period; undefined when the first period is billed like every other.
   */
  first_line_minor: number | undefined
}

const MONTHS: Record<Interval, number> = { month: 1, year: 12 }

export function billingOf(terms: Terms): StripeBilling {
  const first_minor = amountOf(terms, 1).amount_minor
  const laterDiscount = amountOf(terms, 2).discount_minor
  const firstDiscount = terms.price_minor - first_minor
  if (laterDiscount === 0) {
    const coupon = firstDiscount > 0 ? { amount_off: firstDiscount, duration: 'once' as const, months: 0 } : undefined
    return { coupon, first_line_minor: undefined }
  }
  const isSameDiscount = firstDiscount === laterDiscount
  const payments = terms.discounted_payments
  if (payments === null) return laterCoupon(laterDiscount, 'forever', 0, isSameDiscount ? undefined : first_minor)
  const months = MONTHS[terms.interval] * (isSameDiscount ? payments : payments - 1)
  return laterCoupon(laterDiscount, 'repeating', months, isSameDiscount ? undefined : first_minor)
}

const laterCoupon = (
  amount_off: number,
  duration: StripeCoupon['duration'],
  months: number,
  first_line_minor: number | undefined,
): StripeBilling => ({ coupon: { amount_off, duration, months }, first_line_minor })

/** The end of a first period that is billed as a trial at Stripe, which must be at least two days away. */
export const trialEnd = (terms: Terms, now: Date): Date => periodEnd(now, terms.interval, 1)

type StripeAccess = { sql: Sql; stripe: Stripe; mode: StripeMode }

/** The plan as a Stripe product, which is named on Stripe's pages and in its emails. */
const productOf = ({ sql, stripe, mode }: StripeAccess, { plan_id, title }: Terms): Promise<string> =>
  refOf(sql, 'stripe', { mode, kind: 'product', plan_id, title }, async (idempotencyKey) => {
    const created = await stripe.products.create(
      { name: title, metadata: { plan_id: `${plan_id}` } },
      { idempotencyKey },
    )
    return created.id
  })

/** Returns the Stripe price of the plan per period. */
export async function priceOf(at: StripeAccess, terms: Terms): Promise<string> {
  const product = await productOf(at, terms)
  const { currency, interval, price_minor } = terms
  const priceKey = { mode: at.mode, kind: 'price', product, currency, interval, price_minor }
  return refOf(at.sql, 'stripe', priceKey, async (idempotencyKey) => {
    const created = await at.stripe.prices.create(
      { product, currency: currency.toLowerCase(), unit_amount: price_minor, recurring: { interval } },
      { idempotencyKey },
    )
    return created.id
  })
}

export async function couponOf(at: StripeAccess, terms: Terms, coupon: StripeCoupon): Promise<string> {
  const product = await productOf(at, terms)
  const { currency } = terms
  return refOf(
    at.sql,
    'stripe',
    { mode: at.mode, kind: 'coupon', product, currency, ...coupon },
    async (idempotencyKey) => {
      const created = await at.stripe.coupons.create(
        {
          name: 'Discount',
          amount_off: coupon.amount_off,
          currency: currency.toLowerCase(),
          duration: coupon.duration,
          ...(coupon.duration === 'repeating' ? { duration_in_months: coupon.months } : {}),
          applies_to: { products: [product] },
        },
        { idempotencyKey },
      )
      return created.id
    },
  )
}
