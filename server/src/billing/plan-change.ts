import { randomUUID } from 'node:crypto'
import { proration, termsOf } from '../gateways/amounts.ts'
import type { AtGateway, Gateway, GatewayEvent } from '../gateways/gateway.ts'
import { PaymentDeclinedError } from '../gateways/gateway.ts'
import { requireGateway } from '../gateways/gateways.ts'
import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { BillingContext } from './billing-context.ts'
import { chargesOf } from './charges.ts'
import { throwIfUnavailable } from './checkout.ts'
import { applyEvents } from './ledger.ts'
import { requireSubscription, rereadSubscription } from './member-changes.ts'
import { findPublishedPlan, type PlanRow } from './plans.ts'
import { lockSubscription, type PendingPlanChange, paidPeriods, type Subscription } from './subscriptions.ts'

export type Quote = { plan: PlanRow; due_now_minor: number; from: Date; isNow: boolean }

/**
 * The price of another plan: for a more expensive one, the rest of the period now; for a cheaper one, nothing until the
 * next period. Throws `no_active_subscription`, `unknown_plan` or `already_on_plan`.
 */
export async function quote(billingCtx: BillingContext, customerId: number, planId: number): Promise<Quote> {
  const { subscription, now } = await requireSubscription(billingCtx, customerId)
  return quoteFor(billingCtx.sql, requireGateway(billingCtx.gateways, subscription.gateway), {
    subscription,
    planId,
    now,
  })
}

type QuoteParams = { subscription: Subscription; planId: number; now: Date }

async function quoteFor(sql: Sql, gateway: Gateway, { subscription, planId, now }: QuoteParams): Promise<Quote> {
  const { status, paid_until } = subscription
  if ((status !== 'active' && status !== 'trialing') || !paid_until || now >= paid_until) {
    throw new ApiError('no_active_subscription', 'You can only change plans while your subscription is active.')
  }
  const plan = await findPublishedPlan(sql, planId)
  const same = plan.plan_id === subscription.plan_id && !subscription.next_plan_id
  if (same || plan.interval !== subscription.interval || plan.currency !== subscription.currency) {
    throw new ApiError(
      'already_on_plan',
      same
        ? 'You’re already on this plan.'
        : 'This plan has a different billing period. Cancel your current plan first, then subscribe to this one.',
    )
  }
  const isNow = gateway.upgrades === 'now' && plan.price_minor > subscription.price_minor
  if (!isNow) return { plan, due_now_minor: 0, from: paid_until, isNow }
  const charges = await chargesOf(sql, subscription.subscription_id)
  const period = paidPeriods(charges).at(-1)
  const due_now_minor = proration({
    from_minor: subscription.price_minor,
    to_minor: plan.price_minor,
    period_start: period?.period_start ?? now,
    period_end: paid_until,
    now,
  })
  return { plan, due_now_minor, from: now, isNow }
}

/** How much a quote may fall between being read and being accepted. */
const PRICE_TOLERANCE_MINOR = 100

/** How long a change with an unknown result prevents others. */
const IN_PROGRESS_MS = 10 * 60_000

type AcceptedQuote = { plan_id: number; due_now_minor: number }
type AgreedChange = {
  subscription: Subscription
  quoted: Quote
  change: PendingPlanChange
  at: AtGateway
  gateway: Gateway
}

/**
 * Changes the plan as quoted. Simultaneous requests, or a retry after an unknown result, are the same change and are
 * paid once. Throws the errors of `quote`, `quote_changed`, `payment_in_progress`, `payment_declined` or
 * `provider_unavailable`.
 */
export async function changePlan(
  billingCtx: BillingContext,
  customerId: number,
  accepted: AcceptedQuote,
): Promise<{ subscription: Subscription; url: string | null }> {
  const found = await requireSubscription(billingCtx, customerId)
  const agreed = await withDeadlockRetry(billingCtx.sql, (sql) => startChange(sql, billingCtx, found, accepted))
  const { subscription, gateway } = agreed
  try {
    const { url, events } = await throwIfUnavailable(executeChange(billingCtx, agreed))
    await applyEvents(billingCtx, gateway.name, events)
    // A change to be approved at the provider takes effect when the provider confirms it.
    if (!url) await finishChange(billingCtx.sql, subscription)
    return { subscription: await rereadSubscription(billingCtx, subscription), url }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'provider_unavailable')
      await discardChange(billingCtx.sql, subscription)
    throw error
  }
}

/** Records the change before it is made, while the subscription is locked. */
async function startChange(
  sql: Sql,
  billingCtx: BillingContext,
  found: Awaited<ReturnType<typeof requireSubscription>>,
  accepted: AcceptedQuote,
): Promise<AgreedChange> {
  const subscription = await lockSubscription(sql, found.subscription.subscription_id)
  if (!subscription) throw new Error('Subscription not found')
  const { at, now } = found
  const gateway = requireGateway(billingCtx.gateways, subscription.gateway)
  const quoted = await quoteFor(sql, gateway, { subscription, planId: accepted.plan_id, now })
  const open = activeChange(subscription, billingCtx.now())
  if (open && subscription.next_plan_id !== accepted.plan_id) {
    throw new ApiError('payment_in_progress', 'Another plan change is in progress. Check again in a few minutes.')
  }
  if (open) return { subscription, quoted: { ...quoted, due_now_minor: open.due_now_minor }, change: open, at, gateway }
  const { due_now_minor } = quoted
  if (due_now_minor > accepted.due_now_minor || due_now_minor < accepted.due_now_minor - PRICE_TOLERANCE_MINOR) {
    throw new ApiError(
      'quote_changed',
      `The price has changed: ${toDecimal(due_now_minor)} is due now. Review the change before you confirm.`,
    )
  }
  const change = { key: `change-${randomUUID()}`, due_now_minor, at: billingCtx.now().toISOString() }
  await sql`
    update subscription set next_plan_id = ${quoted.plan.plan_id}, next_price_minor = ${quoted.plan.price_minor},
      next_from = ${quoted.from}, next_keeps_coupon = ${await keepsCoupon(sql, subscription, quoted.plan.plan_id)},
      pending_change = ${sql.json(change)}
    where subscription_id = ${subscription.subscription_id}`
  return { subscription, quoted, change, at, gateway }
}

const activeChange = ({ pending_change }: Subscription, now: Date): PendingPlanChange | undefined =>
  pending_change && now.getTime() - new Date(pending_change.at).getTime() < IN_PROGRESS_MS ? pending_change : undefined

/** A coupon for every payment is kept if it is valid for the other plan; one for some payments ends with the change. */
async function keepsCoupon(sql: Sql, { subscription_id }: Subscription, planId: number): Promise<boolean> {
  const [kept] = await sql`
    select 1 from subscription s join coupon c using (coupon_id)
    where s.subscription_id = ${subscription_id} and s.coupon_terms->>'payments' is null
      and (c.plan_ids is null or ${planId} = any(c.plan_ids))`
  return kept !== undefined
}

async function executeChange(
  billingCtx: BillingContext,
  { subscription, quoted, change, at, gateway }: AgreedChange,
): Promise<{ url: string | null; events: GatewayEvent[] }> {
  const isKept = await keepsCoupon(billingCtx.sql, subscription, quoted.plan.plan_id)
  const manage = `${billingCtx.config.publicUrl}/account/manage-subscription`
  if (gateway.changePlan) {
    return gateway.changePlan(at, {
      key: change.key,
      terms: termsOf(
        { ...quoted.plan, trial_price_minor: 0 },
        { isNew: false, coupon: isKept ? (subscription.coupon_terms ?? undefined) : undefined },
      ),
      from: quoted.isNow ? 'now' : 'next_period',
      due_now_minor: change.due_now_minor,
      return_url: manage,
      cancel_url: manage,
    })
  }
  if (!quoted.isNow || !gateway.charge || !subscription.paid_until) return { url: null, events: [] }
  const events = await gateway.charge(at, {
    key: change.key,
    charge_ref: change.key,
    reason: 'upgrade',
    plan_id: quoted.plan.plan_id,
    amount_minor: change.due_now_minor,
    discount_minor: 0,
    period_start: quoted.from,
    period_end: subscription.paid_until,
  })
  const facts = events.flatMap(({ facts }) => facts)
  const failed = facts.find((fact) => fact.kind === 'charge' && fact.status === 'failed')
  if (failed?.kind !== 'charge') return { url: null, events }
  await applyEvents(billingCtx, gateway.name, events)
  throw new PaymentDeclinedError(failed.failure_reason || 'The payment didn’t go through.')
}

const finishChange = async (sql: Sql, { subscription_id }: Subscription): Promise<void> => {
  await sql`update subscription set pending_change = null where subscription_id = ${subscription_id}`
}

/** Restores what was agreed before the change. */
const discardChange = async (sql: Sql, before: Subscription): Promise<void> => {
  const { subscription_id, next_plan_id, next_price_minor, next_from, next_keeps_coupon } = before
  await sql`
    update subscription set pending_change = null, next_plan_id = ${next_plan_id},
      next_price_minor = ${next_price_minor}, next_from = ${next_from}, next_keeps_coupon = ${next_keeps_coupon}
    where subscription_id = ${subscription_id}`
}
