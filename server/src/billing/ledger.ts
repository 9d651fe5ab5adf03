import { createHash } from 'node:crypto'
import type { Fact, GatewayEvent, GatewayName } from '../gateways/gateway.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { ChargeFact } from './agreed-price.ts'
import { type BillingContext, invoicing } from './billing-context.ts'
import { currentTimeFor } from './clock.ts'
import { issueCreditNote, issueInvoice } from './invoices.ts'
import {
  canApplyCharge,
  closeReviewByRefund,
  findOpenReviews,
  reviewUnlinked,
  unknownReviewError,
} from './payment-reviews.ts'
import { recomputeSubscription } from './recompute-subscription.ts'
import { lockSubscription, type Subscription } from './subscriptions.ts'

/**
 * Applies events of gateways: each event once, in one transaction that locks the subscription's row. The result is the
 * same in whatever order they arrive, how often, and how many at once.
 */
export async function applyEvents(
  billingCtx: BillingContext,
  gateway: GatewayName,
  events: readonly GatewayEvent[],
): Promise<void> {
  for (const event of events) {
    if (event.facts.length > 0)
      await withDeadlockRetry(billingCtx.sql, (sql) => applyEvent(sql, billingCtx, gateway, event))
  }
}

async function applyEvent(
  sql: Sql,
  billingCtx: BillingContext,
  gateway: GatewayName,
  event: GatewayEvent,
): Promise<void> {
  // An event that arrives before its subscription is known, and the one that makes it known, must not miss each other.
  if (event.gateway_ref) await sql`select pg_advisory_xact_lock(${lockKey(gateway, event.gateway_ref)})`
  const id = await subscriptionOf(sql, gateway, event)
  const isNew = await saveEvent(sql, gateway, { ...event, subscription_id: id ?? event.subscription_id })
  if (!isNew) return
  const subscription = id === undefined ? undefined : await lockSubscription(sql, id)
  if (!subscription || subscription.gateway !== gateway) {
    await reviewUnlinked(sql, billingCtx, gateway, event)
    billingCtx.log.info(
      { gateway, event_id: event.event_id },
      'Payment event matches no known subscription yet; kept for later',
    )
    return
  }
  await linkRef(sql, subscription, event.gateway_ref)
  const now = await currentTimeFor(sql, billingCtx, subscription.customer_id)
  await applyPendingEvents(sql, billingCtx, subscription, now)
  await recomputeSubscription(sql, billingCtx, subscription.subscription_id, now)
}

/** A key for an advisory lock: the first 63 bits of a hash. */
const lockKey = (gateway: string, ref: string): string =>
  (createHash('sha256').update(`${gateway}:${ref}`).digest().readBigUInt64BE() >> 1n).toString()

/** Returns false if this event was received before. */
async function saveEvent(sql: Sql, gateway: GatewayName, event: GatewayEvent): Promise<boolean> {
  const inserted = await sql`
    insert into payment_event (gateway, event_id, gateway_ref, subscription_id, at, facts)
    values (${gateway}, ${event.event_id}, ${event.gateway_ref}, ${event.subscription_id}, ${event.at},
      ${sql.json(event.facts as never)})
    on conflict (gateway, event_id) do nothing`
  return inserted.count > 0
}

async function subscriptionOf(sql: Sql, gateway: string, event: GatewayEvent): Promise<number | undefined> {
  const [found] = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where gateway = ${gateway} and (gateway_ref = ${event.gateway_ref}
      -- A checkout is linked to one subscription at the provider: later events that name it are not about its payment.
      or ((subscription_id = ${event.subscription_id} or checkout_key = ${event.checkout_key ?? null}::uuid)
        and (gateway_ref is null or ${event.gateway_ref}::text is null)))
    order by gateway_ref = ${event.gateway_ref} desc nulls last limit 1`
  return found?.subscription_id
}

/**
 * Stores the provider's reference of a subscription; earlier events with that reference are applied with the next
 * event.
 */
export async function linkRef(
  sql: Sql,
  { subscription_id, gateway_ref }: Pick<Subscription, 'subscription_id' | 'gateway_ref'>,
  ref: string | null,
): Promise<void> {
  if (!ref || gateway_ref === ref) return
  await sql`update subscription set gateway_ref = ${ref} where subscription_id = ${subscription_id}`
  await sql`
    delete from payment_review r using subscription s
    where s.subscription_id = ${subscription_id} and r.gateway = s.gateway and r.ref = ${ref} and r.reason = 'unlinked'
      and r.state = 'open'`
}

type PendingEvent = { event_id: string; at: Date; facts: Fact[] }

/** Applies all pending events of this subscription, oldest first; incomplete ones stay pending. */
export async function applyPendingEvents(
  sql: Sql,
  billingCtx: BillingContext,
  { subscription_id, gateway }: Subscription,
  now: Date,
) {
  for (let hasProgress = true; hasProgress; ) {
    hasProgress = false
    const pendingEvents = await sql<PendingEvent[]>`
      select e.event_id, e.at, e.facts from payment_event e join subscription s on s.subscription_id = ${subscription_id}
      where e.gateway = ${gateway} and e.applied_at is null
        and (e.gateway_ref = s.gateway_ref or (e.gateway_ref is null and e.subscription_id = s.subscription_id))
      order by e.at, e.event_id`
    for (const { event_id, at, facts } of pendingEvents) {
      const isComplete = await applyFacts(sql, billingCtx, { subscription_id, facts, at, now })
      if (!isComplete) continue
      await sql`
        update payment_event set applied_at = now() where gateway = ${gateway} and event_id = ${event_id}`
      hasProgress = true
    }
  }
  await recheckEvents(sql, billingCtx, subscription_id, now)
}

/**
 * A newer event may contain what an earlier payment is compared with: a change of plan, or the first of several
 * payments.
 */
async function recheckEvents(sql: Sql, billingCtx: BillingContext, subscriptionId: number, now: Date): Promise<void> {
  const locked = await lockSubscription(sql, subscriptionId)
  for (const { fact, at } of locked ? await findOpenReviews(sql, locked) : []) {
    const subscription = await lockSubscription(sql, subscriptionId)
    if (subscription) await applyCharge(sql, billingCtx, { subscription, fact, at, now })
  }
}

type ReceivedFacts = { subscription_id: number; facts: readonly Fact[]; at: Date; now: Date }

/** Returns false if a fact refers to something that is not known yet, such as a refund whose charge has not arrived. */
async function applyFacts(
  sql: Sql,
  billingCtx: BillingContext,
  { subscription_id, facts, at, now }: ReceivedFacts,
): Promise<boolean> {
  let isComplete = true
  for (const fact of facts) {
    const subscription = await lockSubscription(sql, subscription_id)
    if (!subscription) return false
    if (!(await applyFact(sql, billingCtx, { subscription, fact, at, now }))) isComplete = false
  }
  return isComplete
}

type FactContext = { subscription: Subscription; fact: Fact; at: Date; now: Date }

async function applyFact(
  sql: Sql,
  billingCtx: BillingContext,
  { subscription, fact, at, now }: FactContext,
): Promise<boolean> {
  const { subscription_id } = subscription
  switch (fact.kind) {
    case 'charge':
      await applyCharge(sql, billingCtx, { subscription, fact, at, now })
      return true
    case 'refund':
      return applyRefund(sql, billingCtx, { subscription, fact, at, now })
    case 'cancelled':
      await sql`
        update subscription set is_cancelled = ${fact.is_cancelled}, cancelled_as_of = ${at}
        where subscription_id = ${subscription_id} and (cancelled_as_of is null or cancelled_as_of < ${at}
          or (cancelled_as_of = ${at} and ${fact.is_cancelled}))`
      return true
    case 'terminated':
      await sql`update subscription set has_ended = true where subscription_id = ${subscription_id}`
      return true
    case 'ended':
      await sql`
        update subscription set has_ended = true, ended_at = coalesce(ended_at, ${at})
        where subscription_id = ${subscription_id}`
      return true
    case 'abandoned':
      await sql`
        update subscription set is_abandoned = true, failure_reason = ${fact.failure_reason} where subscription_id = ${subscription_id}`
      return true
    case 'method':
      await sql`
        update subscription set method = ${fact.paid_with.kind}, card_brand = ${fact.paid_with.brand},
          card_last_four = ${fact.paid_with.last_four}, card_expires_on = ${fact.paid_with.expires_on}, method_as_of = ${at}
        where subscription_id = ${subscription_id} and (method_as_of is null or method_as_of <= ${at})`
      return true
    case 'payer':
      await sql`
        update subscription set payer_ref = ${fact.payer_ref} where subscription_id = ${subscription_id}`
      return true
  }
}

type ChargeContext = Omit<FactContext, 'fact'> & { fact: Extract<Fact, { kind: 'charge' }> }

/** A paid charge stays paid; of failed attempts the newest one is kept. */
async function applyCharge(
  sql: Sql,
  billingCtx: BillingContext,
  { subscription, fact, at, now }: ChargeContext,
): Promise<void> {
  if (!(await canApplyCharge(sql, billingCtx, { subscription, fact, at }))) return
  const { subscription_id, customer_id, gateway, method, card_brand, card_last_four } = subscription
  const period_start = new Date(fact.period_start)
  const charge = {
    subscription_id,
    customer_id,
    plan_id:
      fact.plan_id ?? planOfCharge(subscription, { period_start, full_minor: fact.amount_minor + fact.discount_minor }),
    gateway,
    gateway_ref: fact.charge_ref,
    reason: fact.reason,
    status: fact.status,
    amount_minor: fact.amount_minor,
    discount_minor: fact.discount_minor,
    currency: fact.currency,
    is_trial: fact.is_trial,
    period_start,
    period_end: new Date(fact.period_end),
    method,
    paid_with: card_last_four ? `${card_brand} ${card_last_four}` : '',
    failure_reason: fact.failure_reason,
    at,
  }
  const [changed] = await sql<{ charge_id: number }[]>`
    insert into charge ${sql(charge)}
    on conflict (gateway, gateway_ref) do update set
      status = excluded.status, amount_minor = excluded.amount_minor, discount_minor = excluded.discount_minor,
      plan_id = excluded.plan_id, period_start = excluded.period_start, period_end = excluded.period_end,
      is_trial = excluded.is_trial, paid_with = excluded.paid_with, failure_reason = excluded.failure_reason, at = excluded.at
    where charge.subscription_id = excluded.subscription_id and charge.status <> 'paid' and (excluded.status = 'paid' or charge.status = 'started' or excluded.at >= charge.at)
    returning charge_id`
  if (!changed || fact.status !== 'paid') return
  await redeemCoupon(sql, subscription_id)
  await postLedgerEntry(sql, { charge_id: changed.charge_id, refund_id: null, amount_minor: fact.amount_minor, now })
  await issueInvoice(sql, invoicing(billingCtx), changed.charge_id, now)
}

/** A requested but unconfirmed change of plan takes effect when its price is paid. */
function planOfCharge(
  subscription: Subscription,
  { period_start, full_minor }: { period_start: Date; full_minor: number },
): number {
  const { plan_id, next_plan_id, next_from, next_price_minor, pending_change } = subscription
  if (!next_plan_id || !next_from || period_start < next_from) return plan_id
  return pending_change && full_minor !== next_price_minor ? plan_id : next_plan_id
}

/** An expired checkout released its coupon; when it is paid after all, the coupon has been used. */
const redeemCoupon = async (sql: Sql, subscriptionId: number): Promise<void> => {
  await sql`
    insert into coupon_use (coupon_id, customer_id, subscription_id)
    select coupon_id, customer_id, subscription_id from subscription
    where subscription_id = ${subscriptionId} and coupon_id is not null
    on conflict (coupon_id, customer_id) do nothing`
}

type RefundContext = Omit<FactContext, 'fact'> & { fact: Extract<Fact, { kind: 'refund' }> }

async function applyRefund(
  sql: Sql,
  billingCtx: BillingContext,
  { subscription, fact, at, now }: RefundContext,
): Promise<boolean> {
  const { gateway, subscription_id } = subscription
  const [charge] = await sql<{ charge_id: number }[]>`
    select charge_id from charge
    where gateway = ${gateway} and gateway_ref = ${fact.charge_ref} and subscription_id = ${subscription_id} and status = 'paid'`
  if (!charge) return closeReviewByRefund(sql, gateway, fact)
  const [added] = await sql<{ refund_id: number }[]>`
    insert into refund (charge_id, gateway, gateway_ref, amount_minor, at)
    values (${charge.charge_id}, ${gateway}, ${fact.refund_ref}, ${fact.amount_minor}, ${at})
    on conflict (gateway, gateway_ref) do nothing returning refund_id`
  if (!added) return true
  await postLedgerEntry(sql, { ...charge, refund_id: added.refund_id, amount_minor: -fact.amount_minor, now })
  await issueCreditNote(sql, invoicing(billingCtx), added.refund_id, now)
  return true
}

/** Adds a ledger entry for a movement of money. */
async function postLedgerEntry(
  sql: Sql,
  entry: { charge_id: number; refund_id: number | null; amount_minor: number; now: Date },
): Promise<void> {
  await sql`
    insert into ledger (customer_id, charge_id, refund_id, amount_minor, currency, at)
    select customer_id, charge_id, ${entry.refund_id}, ${entry.amount_minor}, currency, ${entry.now}
    from charge where charge_id = ${entry.charge_id}`
}

type ReviewDecision = { review_id: number; decision: 'accept' | 'handled'; staff_id: number }

/**
 * Applies the decision of staff about a payment that differs: if accepted, it pays for its period; if handled, it
 * changes nothing. Of two simultaneous decisions the first counts. Throws `unknown_payment`, and `conflict` if it
 * cannot be linked to a subscription.
 */
export async function decideReview(
  billingCtx: BillingContext,
  { review_id, decision, staff_id }: ReviewDecision,
): Promise<void> {
  await withDeadlockRetry(billingCtx.sql, async (sql) => {
    const [found] = await sql<{ subscription_id: number | null }[]>`
      select subscription_id from payment_review where review_id = ${review_id}`
    const id = found?.subscription_id
    // The subscription's row is locked first, as for every event.
    const subscription = id ? await lockSubscription(sql, id) : undefined
    const [decided] = await sql<{ gateway_ref: string | null; fact: ChargeFact | null; at: Date }[]>`
      update payment_review set state = ${decision === 'accept' ? 'accepted' : 'handled'}, decided_at = now(),
        decided_by = ${staff_id}
      where review_id = ${review_id} and state = 'open' returning gateway_ref, fact, at`
    if (!decided) throw unknownReviewError()
    if (decision === 'handled') return
    if (!subscription) throw cannotLinkError()
    const now = await currentTimeFor(sql, billingCtx, subscription.customer_id)
    const { fact, at, gateway_ref } = decided
    if (fact) await applyCharge(sql, billingCtx, { subscription, fact, at, now })
    else await linkReviewedCharge(sql, subscription, gateway_ref)
    await sql`update subscription set failure_reason = '' where subscription_id = ${subscription.subscription_id}`
    await applyPendingEvents(sql, billingCtx, subscription, now)
    await recomputeSubscription(sql, billingCtx, subscription.subscription_id, now)
  })
}

const cannotLinkError = () =>
  new ApiError(
    'conflict',
    'This checkout already has a payment. Refund this one at the provider, then mark it as handled.',
  )

async function linkReviewedCharge(sql: Sql, subscription: Subscription, ref: string | null): Promise<void> {
  if (subscription.gateway_ref) throw cannotLinkError()
  await linkRef(sql, subscription, ref)
}
