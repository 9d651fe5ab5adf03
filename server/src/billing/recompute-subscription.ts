import type { Gateway } from '../gateways/gateway.ts'
import { lockPayer, setPaymentStatus } from '../membership/payment-status.ts'
import type { Sql } from '../platform/db.ts'
import type { BillingContext } from './billing-context.ts'
import { type Charged, chargesOf } from './charges.ts'
import { notifyAboutChange } from './notifications.ts'
import { nextAttemptAt, noticeDueAt } from './payment-schedule.ts'
import { recordSubscriptionEvent } from './subscription-events.ts'
import { deriveState, firstPaidAt, hasAccess, type SubscriptionState } from './subscription-state.ts'
import { lockSubscription, type Subscription } from './subscriptions.ts'

/**
 * Recomputes the state of a subscription from its facts and the time, and whether its member may download, in the
 * transaction that changed a fact. The caller must not have locked another subscription of the member.
 */
export async function recomputeSubscription(
  sql: Sql,
  billingCtx: BillingContext,
  subscriptionId: number,
  now: Date,
): Promise<Subscription> {
  const before = await lockSubscription(sql, subscriptionId)
  if (!before) throw new Error(`Subscription ${subscriptionId} not found`)
  // All subscriptions of a member are recomputed one after the other, because the member's access depends on all of
  // them.
  const payer = await lockPayer(sql, before.customer_id)
  const charges = await chargesOf(sql, subscriptionId)
  const derived = deriveState({ ...before, charges }, now)
  const state = await resolveDuplicate(sql, before, derived, now)
  await applyNextPlan(sql, before, charges)
  await write(sql, billingCtx, { before, state, charges, now })
  if (state.status === 'failed') await releaseCoupon(sql, subscriptionId)
  await updateAccess(sql, before.customer_id, now)
  const after = await lockSubscription(sql, subscriptionId)
  if (!after) throw new Error(`Subscription ${subscriptionId} not found`)
  await notifyAboutChange(sql, billingCtx, { payer, before, after, charges, now })
  return after
}

const LIVE_STATUSES = ['trialing', 'active', 'past_due', 'cancel_scheduled']

/**
 * A member has one open subscription. An abandoned checkout that is paid after all, while another subscription runs,
 * ends at once and is refunded (see refunds.ts). A checkout that is still open is replaced by one that is paid.
 */
async function resolveDuplicate(
  sql: Sql,
  subscription: Subscription,
  derived: SubscriptionState,
  now: Date,
): Promise<SubscriptionState> {
  if (!LIVE_STATUSES.includes(derived.status)) return derived
  const [other] = await sql<{ subscription_id: number; status: string }[]>`
    select subscription_id, status from subscription
    where customer_id = ${subscription.customer_id} and subscription_id <> ${subscription.subscription_id}
      and status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')`
  if (!other) return derived
  if (other.status === 'pending') {
    await sql`
      update subscription set status = 'failed', is_abandoned = true, next_check_at = null
      where subscription_id = ${other.subscription_id}`
    await releaseCoupon(sql, other.subscription_id)
    return derived
  }
  await recordSubscriptionEvent(sql, subscription.subscription_id, { kind: 'paid_double', now })
  return { ...derived, status: 'ended', access_until: null, next_check_at: null }
}

/** Sets the plan to the one that was last paid for. */
async function applyNextPlan(
  sql: Sql,
  { subscription_id, plan_id, next_plan_id }: Subscription,
  charges: readonly Charged[],
) {
  const last = charges.filter(({ status, is_void }) => status === 'paid' && !is_void).at(-1)
  const isReverted = charges.some(({ reason, is_void }) => reason === 'upgrade' && is_void)
  if (last && isReverted && last.plan_id !== plan_id && !next_plan_id) await revertPlan(sql, subscription_id, last)
  if (!last || !next_plan_id || last.plan_id !== next_plan_id) return
  await sql`
    update subscription set plan_id = next_plan_id, price_minor = next_price_minor,
      agreed_prices = agreed_prices || jsonb_build_object(plan_id::text, price_minor),
      coupon_terms = case when next_keeps_coupon then coupon_terms end,
      next_plan_id = null, next_price_minor = null, next_from = null, pending_change = null
    where subscription_id = ${subscription_id}`
}

/** An upgrade was refunded: the previous plan continues on its agreed terms. */
async function revertPlan(sql: Sql, subscriptionId: number, { plan_id, is_trial, charge_id }: Charged): Promise<void> {
  // For changes from before the price was recorded: what was paid then, or the current price if that was a trial.
  const fallbackPlan = is_trial
    ? sql`p.price_minor`
    : sql`(select amount_minor + discount_minor from charge where charge_id = ${charge_id})`
  await sql`
    update subscription s set plan_id = p.plan_id,
      price_minor = coalesce((s.agreed_prices->>p.plan_id::text)::int, ${fallbackPlan})
    from plan p where s.subscription_id = ${subscriptionId} and p.plan_id = ${plan_id}`
}

type RecomputeResult = { before: Subscription; state: SubscriptionState; charges: readonly Charged[]; now: Date }

async function write(
  sql: Sql,
  { gateways }: BillingContext,
  { before, state, charges, now }: RecomputeResult,
): Promise<void> {
  const { subscription_id, gateway } = before
  const provider = gateways.get(gateway)
  const renews = provider?.charge !== undefined
  const times = [
    state.next_check_at,
    // An attempt with an unknown result is asked for again.
    charges.some(({ status }) => status === 'started') ? now : null,
    provider && isActiveAtProvider(provider, before, state) ? now : null,
    await noticeDueAt(sql, before, state, now),
    renews && state.paid_until ? await nextAttemptAt(sql, before, { ...state, paid_until: state.paid_until }) : null,
  ].filter((time) => time !== null)
  const nextCheckAt = times.length > 0 ? new Date(Math.min(...times.map((time) => time.getTime()))) : null
  await sql`
    update subscription set status = ${state.status}, paid_since = ${firstPaidAt(charges)},
      paid_until = ${state.paid_until}, access_until = ${state.access_until},
      next_check_at = ${nextCheckAt}
    where subscription_id = ${subscription_id}`
}

/**
 * The subscription has ended here, but its provider would continue charging: it is cancelled there too (renewals.ts).
 */
export const isActiveAtProvider = (
  { renews }: Pick<Gateway, 'renews'>,
  { gateway_ref, is_cancelled, has_ended }: Subscription,
  { status }: Pick<SubscriptionState, 'status'>,
): boolean => renews === 'gateway' && status === 'ended' && gateway_ref !== null && !is_cancelled && !has_ended

const releaseCoupon = async (sql: Sql, subscriptionId: number): Promise<void> => {
  await sql`delete from coupon_use where subscription_id = ${subscriptionId}`
}

/** The operator may have given access to a member who never paid; that access is left as it is. */
async function updateAccess(sql: Sql, customerId: number, now: Date): Promise<void> {
  const [paid] = await sql`select 1 from charge where customer_id = ${customerId} and status = 'paid' limit 1`
  if (!paid) return
  const all = await sql<{ access_until: Date | null }[]>`
    select access_until from subscription where customer_id = ${customerId}`
  await setPaymentStatus(sql, customerId, all.some((each) => hasAccess(each, now)) ? 'paid' : 'unpaid')
}
