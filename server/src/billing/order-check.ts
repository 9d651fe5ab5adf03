import { billing, checkout } from '@dubplate/contract'
import { checkCard } from '../gateways/cards.ts'
import { cardsOf } from '../gateways/gateways.ts'
import { atField, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import type { BillingContext } from './billing-context.ts'
import { currentTimeFor } from './clock.ts'
import { findCoupon } from './coupons.ts'
import { findPublishedPlan, type PlanRow } from './plans.ts'

/** Checks an order and reports all errors at once, by field. */

type OrderInput = {
  plan_id: number | undefined
  /** '' and undefined: none. */
  coupon: string | undefined
  card?: Parameters<typeof checkCard>[0] | undefined
}

/** How the API call names these fields. */
type FieldNames = { plan: string; coupon: string }
const DEFAULT_FIELD_NAMES: FieldNames = { plan: 'subscription', coupon: 'coupon' }

/** Throws the errors of a plan, a coupon and, if cards are entered in the pool's own form, a card. */
export async function checkOrder(
  sql: Sql,
  billingCtx: BillingContext,
  customer_id: number,
  { plan_id, coupon, card }: OrderInput,
  names = DEFAULT_FIELD_NAMES,
): Promise<void> {
  const now = await currentTimeFor(sql, billingCtx, customer_id)
  let plan: PlanRow | undefined
  await throwAllErrors([
    async () => {
      if (plan_id !== undefined) plan = await atField(names.plan, () => findPublishedPlan(sql, plan_id))
    },
    () => coupon && atField(names.coupon, () => findCoupon(sql, { code: coupon, plan, customer_id, now })),
    () => card && cardsOf(billingCtx.gateways) === 'form' && checkCard(card, now),
  ])
}

type RawOrder = { subscription?: unknown; coupon?: unknown; formData?: unknown }

/** Does the same for a payment while other fields are blank or invalid. */
export const checkRawOrder = (billingCtx: BillingContext, customerId: number, rawInput: RawOrder): Promise<void> =>
  checkOrder(billingCtx.sql, billingCtx, customerId, {
    plan_id: parsed(checkout.payByCard.input.shape.subscription, rawInput.subscription),
    coupon: parsed(checkout.payByCard.input.shape.coupon, rawInput.coupon),
    card: rawInput.formData === undefined ? undefined : parseCard(rawInput.formData),
  })

/** Does the same for a coupon that is only checked. */
export const checkRawCoupon = (
  billingCtx: BillingContext,
  customerId: number,
  rawInput: { coupon_code?: unknown; subscription_id?: unknown },
): Promise<void> => {
  const { coupon_code, subscription_id } = checkout.validateCoupon.input.shape
  const order = {
    plan_id: parsed(subscription_id, rawInput.subscription_id),
    coupon: parsed(coupon_code, rawInput.coupon_code),
  }
  return checkOrder(billingCtx.sql, billingCtx, customerId, order, { plan: 'subscription_id', coupon: 'coupon_code' })
}

/** Does the same for a card that replaces another one. */
export const checkRawCard = (
  billingCtx: BillingContext,
  customerId: number,
  rawInput: { formData?: unknown },
): Promise<void> => checkRawOrder(billingCtx, customerId, { formData: rawInput.formData })

/** The fields of a card that the contract accepts. */
function parseCard(rawInput: unknown): OrderInput['card'] {
  const fields = (rawInput ?? {}) as Record<string, unknown>
  const { card_number, card_type, expire_date, ccv } = billing.paymentForm.shape
  return {
    card_number: parsed(card_number, fields.card_number),
    card_type: parsed(card_type, fields.card_type),
    expire_date: parsed(expire_date, fields.expire_date),
    ccv: parsed(ccv, fields.ccv),
  }
}
