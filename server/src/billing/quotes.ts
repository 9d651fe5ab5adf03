import { amountOf, termsOf } from '../gateways/amounts.ts'
import type { Terms } from '../gateways/gateway.ts'
import type { BillingContext } from './billing-context.ts'
import { currentTimeFor } from './clock.ts'
import { type Coupon, findCoupon } from './coupons.ts'
import { findPublishedPlan, isNew, type PlanRow } from './plans.ts'

type QuoteParams = { plan_id: number; code?: string }

/**
 * The price of a plan for this member or visitor, with their coupon if given. Throws the errors of the plan and the
 * coupon.
 */
export async function quotePlan(
  billingCtx: BillingContext,
  customerId: number | undefined,
  { plan_id, code }: QuoteParams,
): Promise<{ plan: PlanRow; coupon: Coupon | undefined; terms: Terms }> {
  const { sql } = billingCtx
  const plan = await findPublishedPlan(sql, plan_id)
  const coupon =
    code && customerId !== undefined
      ? await findCoupon(sql, {
          code,
          plan,
          customer_id: customerId,
          now: await currentTimeFor(sql, billingCtx, customerId),
        })
      : undefined
  return { plan, coupon, terms: termsOf(plan, { isNew: await isNew(sql, customerId), coupon }) }
}

/** The data to open a wallet's sheet; the amount is in the smallest currency unit. */
export async function walletSheetFor(billingCtx: BillingContext, customerId: number, params: QuoteParams) {
  const { plan, terms } = await quotePlan(billingCtx, customerId, params)
  return {
    status: true,
    country: 'US' as const,
    currency: plan.currency.toLowerCase(),
    amount: amountOf(terms, 1).amount_minor,
    label: plan.title,
  }
}
