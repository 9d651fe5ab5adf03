import * as z from 'zod/mini'
import { ApiError } from '../../platform/api-error.ts'
import type { Sql } from '../../platform/db.ts'
import type { Terms } from '../gateway.ts'
import { refOf, splitDiscountRuns, termsOfRef } from '../gateway-plan.ts'
import { toDecimal } from '../money.ts'
import type { PaypalCall } from './api.ts'

export type PaypalAccount = { sql: Sql; call: PaypalCall; api: string; clientId: string }

const created = z.object({ id: z.string() })

export const toMoney = (currency_code: string, minor: number) => ({ currency_code, value: toDecimal(minor) })

/** All plans have one product, because a subscription can only change to a plan of the same product. */
const productOf = ({ sql, call, api, clientId }: PaypalAccount): Promise<string> =>
  refOf(sql, 'paypal', { api, clientId, kind: 'product' }, async (key) => {
    const body = { name: 'Record pool membership', type: 'DIGITAL' }
    return created.parse(await call('POST', '/v1/catalogs/products', { key, body })).id
  })

/**
 * Returns the terms as billing cycles. PayPal has no coupons: lower first payments are up to two trial cycles (the
 * first payment, and those a coupon still applies to), followed by regular cycles without an end. Throws
 * `payment_method_unavailable` for a plan that is always free, which PayPal cannot bill.
 */
export function cyclesOf(terms: Terms) {
  const { runs: discountRuns, then_minor } = splitDiscountRuns(terms)
  if (then_minor === 0)
    throw new ApiError(
      'payment_method_unavailable',
      'PayPal doesn’t support free plans. Choose another payment method.',
    )
  const frequency = { interval_unit: terms.interval === 'year' ? 'YEAR' : 'MONTH', interval_count: 1 }
  const billingCycle = (
    tenure_type: 'TRIAL' | 'REGULAR',
    amount_minor: number,
    total_cycles: number,
    sequence: number,
  ) => ({
    frequency,
    tenure_type,
    sequence,
    total_cycles,
    pricing_scheme: { fixed_price: toMoney(terms.currency, amount_minor) },
  })
  const trials = discountRuns.map(({ amount_minor, payments }, index) =>
    billingCycle('TRIAL', amount_minor, payments, index + 1),
  )
  return [...trials, billingCycle('REGULAR', then_minor, 0, discountRuns.length + 1)]
}

/** Returns the PayPal plan with these terms. */
export async function planOf(account: PaypalAccount, terms: Terms): Promise<string> {
  const billing_cycles = cyclesOf(terms)
  const { sql, call, api, clientId } = account
  const product_id = await productOf(account)
  return refOf(
    sql,
    'paypal',
    { api, clientId, kind: 'plan', product_id, terms: normalizeTerms(terms) },
    async (key) => {
      const body = {
        product_id,
        name: terms.title.slice(0, 127),
        status: 'ACTIVE',
        billing_cycles,
        payment_preferences: {
          // The unpaid amount of a failed payment is not added to the next one: that would charge two periods at once.
          auto_bill_outstanding: false,
          setup_fee_failure_action: 'CANCEL',
          // A failed payment is retried after five and ten days; then the subscription is suspended and ends. See
          // developer.paypal.com/platforms/subscriptions/customize/payment-failure-retry; with 0 it would stay active
          // without payment.
          payment_failure_threshold: 1,
        },
      }
      return created.parse(await call('POST', '/v1/billing/plans', { key, body })).id
    },
  )
}

/** Equal terms have the same JSON text. */
const normalizeTerms = (terms: Terms): Terms => ({
  plan_id: terms.plan_id,
  title: terms.title,
  currency: terms.currency,
  interval: terms.interval,
  price_minor: terms.price_minor,
  first_price_minor: terms.first_price_minor,
  first_discount_minor: terms.first_discount_minor,
  later_discount_minor: terms.later_discount_minor,
  discounted_payments: terms.discounted_payments,
})

/** Returns the terms a PayPal plan was created for; undefined when it is not one of the pool's plans. */
export async function termsOfPlan({ sql }: PaypalAccount, plan: string): Promise<Terms | undefined> {
  const known = (await termsOfRef(sql, 'paypal', plan)) as { terms: Terms } | undefined
  return known?.terms
}
