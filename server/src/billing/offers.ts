import { amountOf, termsOf } from '../gateways/amounts.ts'
import type { Terms } from '../gateways/gateway.ts'
import { timeOf } from './clock.ts'
import { type Coupon, findCoupon } from './coupons.ts'
import type { Paying } from './paying.ts'
import { findPlan, isNew, type PlanRow } from './plans.ts'

type Wish = { plan_id: number; code?: string }

/** What a plan costs whoever asks, with a coupon where they have one. Refuses what plan and coupon refuse. */
export async function offerTo(
  paying: Paying,
  customerId: number | undefined,
  { plan_id, code }: Wish,
): Promise<{ plan: PlanRow; coupon: Coupon | undefined; terms: Terms }> {
  const { sql } = paying
  const plan = await findPlan(sql, plan_id)
  const coupon =
    code && customerId !== undefined
      ? await findCoupon(sql, { code, plan, customer_id: customerId, now: await timeOf(sql, paying, customerId) })
      : undefined
  return { plan, coupon, terms: termsOf(plan, { isNew: await isNew(sql, customerId), coupon }) }
}

/** What a wallet's sheet is opened with; the amount is in the smallest unit. */
export async function sheetFor(paying: Paying, customerId: number, wish: Wish) {
  const { plan, terms } = await offerTo(paying, customerId, wish)
  return {
    status: true,
    country: 'US' as const,
    currency: plan.currency.toLowerCase(),
    amount: amountOf(terms, 1).amount_minor,
    label: plan.title,
  }
}
