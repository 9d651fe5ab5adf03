import type { billing } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'
import type { BillingContext } from './billing-context.ts'
import { chargesOf } from './charges.ts'
import { referenceOf } from './notifications.ts'
import type { Status } from './subscription-state.ts'
import { findLastSubscription, nextAmount, type Subscription } from './subscriptions.ts'

const PROFILE_STATUSES: Record<Status, billing.ProfileStatus> = {
  pending: 'CREATED',
  trialing: 'Active',
  active: 'Active',
  past_due: 'Past due',
  cancel_scheduled: 'Cancelled',
  ended: 'Ended',
  failed: 'Ended',
}

export const profileStatusOf = ({ status }: Pick<Subscription, 'status'>): billing.ProfileStatus =>
  PROFILE_STATUSES[status]

/** A member's subscription for display: the open one, else the last one that was paid; null when there is none. */
export async function readAgreement(billingCtx: BillingContext, customerId: number): Promise<billing.Agreement | null> {
  const last = await findLastSubscription(billingCtx.sql, customerId)
  if (!last || last.status === 'failed') return null
  return toAgreement(billingCtx.sql, billingCtx, last)
}

export async function toAgreement(
  sql: Sql,
  billingCtx: BillingContext,
  subscription: Subscription,
): Promise<billing.Agreement> {
  const charges = await chargesOf(sql, subscription.subscription_id)
  const { status, paid_until, access_until, card_expires_on } = subscription
  const renews = status === 'active' || status === 'trialing' || status === 'past_due'
  const next = nextAmount(subscription, charges)
  const gateway = billingCtx.gateways.get(subscription.gateway)
  return {
    subscription_id: subscription.subscription_id,
    subscription_title: subscription.title,
    plan_id: subscription.plan_id,
    plan_price: toDecimal(subscription.price_minor),
    currency: subscription.currency,
    created_at: subscription.created_at.toISOString(),
    profile_status: profileStatusOf(subscription),
    interval: subscription.interval,
    next_payment_date: renews && paid_until ? paid_until.toISOString() : null,
    next_amount: renews ? toDecimal(next.amount_minor) : null,
    payment_method: {
      kind: subscription.method,
      brand: subscription.card_brand,
      last_four: subscription.card_last_four,
      expires: card_expires_on ? monthOf(card_expires_on) : '',
    },
    access_until: access_until?.toISOString() ?? null,
    is_trial: status === 'trialing',
    next_plan_id: subscription.pending_change ? null : subscription.next_plan_id,
    failure_reason:
      status === 'past_due' ? (charges.findLast((charge) => charge.status === 'failed')?.failure_reason ?? '') : '',
    can_resume: status === 'cancel_scheduled' && !subscription.has_ended && gateway?.resume !== undefined,
    can_update_card: gateway?.updateMethod !== undefined && subscription.method === 'credit_card',
    transfer:
      subscription.gateway === 'manual' && status !== 'ended'
        ? transferOf(billingCtx, subscription, next.amount_minor)
        : null,
  }
}

/** `MM/YY` */
const monthOf = (date: Date): string => date.toISOString().slice(2, 7).split('-').reverse().join('/')

function transferOf(
  { config }: BillingContext,
  subscription: Subscription,
  amount_minor: number,
): billing.Agreement['transfer'] {
  if (subscription.status === 'cancel_scheduled') return null
  return {
    reference: referenceOf(subscription),
    amount: toDecimal(amount_minor),
    instructions: config.payments.transferInstructions,
  }
}
