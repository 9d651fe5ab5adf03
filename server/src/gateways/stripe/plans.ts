import type Stripe from 'stripe'
import type { Sql } from '../../platform/db.ts'
import { amountOf } from '../amounts.ts'
import type { Interval, Terms } from '../gateway.ts'
import { periodEnd } from '../periods.ts'
import { refOf } from '../plan-at-gateway.ts'

/** `live`, or `test` where no money moves: what was made in one is unknown in the other. */
export type StripeMode = 'live' | 'test'

export type StripeCoupon = {
  amount_off: number
  duration: 'once' | 'repeating' | 'forever'
  /** Of `repeating`. */
  months: number
}

/**
 * How terms are told to Stripe, whose Checkout takes one coupon at most.
 *
 * - Nothing off, or off the first payment alone (a trial price, a coupon of one payment, or both): one coupon of the
 *   difference, `once`.
 * - A coupon of several payments without a trial price: one coupon of its amount, for so many months, or `forever`.
 * - A trial price and such a coupon: the first period is a trial of Stripe's that costs nothing, beside a line that
 *   is charged once with what the first payment costs. The coupon takes its amount off the plan's own product, so not
 * off that   line. Its months begin at the same moment as the trial, so they are one period fewer than its payments:
 * the last one   it holds for falls before their end, the next one a period after.
 */
export type StripeBilling = {
  coupon: StripeCoupon | undefined
  /** What is charged at once instead of the first period; undefined where that is billed as every other. */
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

/**
 * The end of a first period that is billed as a trial of Stripe's, which takes a moment that is at least two days off.
 */
export const trialEnd = (terms: Terms, now: Date): Date => periodEnd(now, terms.interval, 1)

type StripeAccess = { sql: Sql; stripe: Stripe; mode: StripeMode }

/** The plan as a product of Stripe's: what its pages and letters call it. */
const productOf = ({ sql, stripe, mode }: StripeAccess, { plan_id, title }: Terms): Promise<string> =>
  refOf(sql, 'stripe', { mode, kind: 'product', plan_id, title }, async (idempotencyKey) => {
    const made = await stripe.products.create({ name: title, metadata: { plan_id: `${plan_id}` } }, { idempotencyKey })
    return made.id
  })

/** What the plan costs each period. */
export async function priceOf(at: StripeAccess, terms: Terms): Promise<string> {
  const product = await productOf(at, terms)
  const { currency, interval, price_minor } = terms
  const priceKey = { mode: at.mode, kind: 'price', product, currency, interval, price_minor }
  return refOf(at.sql, 'stripe', priceKey, async (idempotencyKey) => {
    const made = await at.stripe.prices.create(
      { product, currency: currency.toLowerCase(), unit_amount: price_minor, recurring: { interval } },
      { idempotencyKey },
    )
    return made.id
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
      const made = await at.stripe.coupons.create(
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
      return made.id
    },
  )
}
