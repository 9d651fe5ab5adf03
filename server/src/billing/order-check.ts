import { billing, checkout } from '@dubplate/contract'
import { checkCard } from '../gateways/cards.ts'
import { cardsOf } from '../gateways/gateways.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { atField, refuseTogether } from '../platform/refusal.ts'
import { timeOf } from './clock.ts'
import { findCoupon } from './coupons.ts'
import type { Paying } from './paying.ts'
import { findPlan, type PlanRow } from './plans.ts'

/** What is wrong with an order, at its fields and all at once. */

type Order = {
  plan_id: number | undefined
  /** '' and undefined: none. */
  coupon: string | undefined
  card?: Parameters<typeof checkCard>[0] | undefined
}

/** How the call names these fields. */
type Names = { plan: string; coupon: string }
const NAMES: Names = { plan: 'subscription', coupon: 'coupon' }

/** Refuses what a plan, a coupon and, where cards are typed into the pool's own form, a card refuse. */
export async function checkOrder(
  sql: Sql,
  paying: Paying,
  customer_id: number,
  { plan_id, coupon, card }: Order,
  names = NAMES,
): Promise<void> {
  const now = await timeOf(sql, paying, customer_id)
  let plan: PlanRow | undefined
  await refuseTogether([
    async () => {
      if (plan_id !== undefined) plan = await atField(names.plan, () => findPlan(sql, plan_id))
    },
    () => coupon && atField(names.coupon, () => findCoupon(sql, { code: coupon, plan, customer_id, now })),
    () => card && cardsOf(paying.gateways) === 'form' && checkCard(card, now),
  ])
}

type Given = { subscription?: unknown; coupon?: unknown; formData?: unknown }

/** The same of a payment while other fields of it are blank or wrong. */
export const checkGivenOrder = (paying: Paying, customerId: number, given: Given): Promise<void> =>
  checkOrder(paying.sql, paying, customerId, {
    plan_id: parsed(checkout.payByCard.input.shape.subscription, given.subscription),
    coupon: parsed(checkout.payByCard.input.shape.coupon, given.coupon),
    card: given.formData === undefined ? undefined : readTyped(given.formData),
  })

/** The same of a coupon that is only looked at. */
export const checkGivenCoupon = (
  paying: Paying,
  customerId: number,
  given: { coupon_code?: unknown; subscription_id?: unknown },
): Promise<void> => {
  const { coupon_code, subscription_id } = checkout.validateCoupon.input.shape
  const order = {
    plan_id: parsed(subscription_id, given.subscription_id),
    coupon: parsed(coupon_code, given.coupon_code),
  }
  return checkOrder(paying.sql, paying, customerId, order, { plan: 'subscription_id', coupon: 'coupon_code' })
}

/** The same of a card that takes the place of another one. */
export const checkGivenCard = (paying: Paying, customerId: number, given: { formData?: unknown }): Promise<void> =>
  checkGivenOrder(paying, customerId, { formData: given.formData })

/** The fields of a card that the contract accepts. */
function readTyped(given: unknown): Order['card'] {
  const typed = (given ?? {}) as Record<string, unknown>
  const { card_number, card_type, expire_date, ccv } = billing.paymentForm.shape
  return {
    card_number: parsed(card_number, typed.card_number),
    card_type: parsed(card_type, typed.card_type),
    expire_date: parsed(expire_date, typed.expire_date),
    ccv: parsed(ccv, typed.ccv),
  }
}
