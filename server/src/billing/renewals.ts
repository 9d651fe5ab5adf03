import { amountOf } from '../gateways/amounts.ts'
import { type Gateway, PaymentDeclinedError, ProviderUnavailableError, type RenewalOrder } from '../gateways/gateway.ts'
import { periodEnd } from '../gateways/periods.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { BillingContext } from './billing-context.ts'
import { chargesOf } from './charges.ts'
import { abandonCheckout } from './checkout.ts'
import { currentTimeFor } from './clock.ts'
import { applyEvents, applyPendingEvents } from './ledger.ts'
import { countAttempts, nextAttemptAt, periodLabel } from './payment-schedule.ts'
import { isActiveAtProvider, recomputeSubscription } from './recompute-subscription.ts'
import { recordSubscriptionEvent } from './subscription-events.ts'
import {
  atGateway,
  lockSubscription,
  paidPeriods,
  readSubscription,
  type Subscription,
  termsOfSubscription,
} from './subscriptions.ts'

const BATCH_SIZE = 50

/** Processes the subscriptions that are due; returns whether there may be more. */
export async function processDueSubscriptions(billingCtx: BillingContext): Promise<boolean> {
  const { sql } = billingCtx
  // Only the sandbox has its own clocks; otherwise this is an index scan.
  const clockColumns = billingCtx.gateways.has('sandbox')
  const due = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription s ${clockColumns ? sql`left join sandbox_clock c using (customer_id)` : sql``}
    where next_check_at <= ${billingCtx.now()}::timestamptz
      ${clockColumns ? sql`+ make_interval(secs => coalesce(c.ahead_seconds, 0))` : sql``}
    order by next_check_at limit ${BATCH_SIZE}`
  for (const { subscription_id } of due) {
    await processSubscription(billingCtx, subscription_id).catch(async (error) => {
      // The outage itself is logged once, by gateway-health.ts.
      if (
        !(error instanceof ProviderUnavailableError) &&
        !(error instanceof ApiError && error.code === 'provider_unavailable')
      )
        billingCtx.log.error({ subscription_id, err: error }, 'Could not process a due subscription; will retry')
      await postpone(billingCtx, subscription_id)
    })
  }
  return due.length === BATCH_SIZE
}

/** A subscription that cannot be processed now is postponed, so that it does not delay others. */
const POSTPONE_MINUTES = 10

async function postpone({ sql, now }: BillingContext, subscriptionId: number): Promise<void> {
  await sql`
    update subscription set next_check_at = greatest(next_check_at, ${now()}::timestamptz) + make_interval(mins => ${POSTPONE_MINUTES})
    where subscription_id = ${subscriptionId}`
}

/** Does what is due for one subscription: a payment, an email, an end. Simultaneous calls do it once. */
export async function processSubscription(billingCtx: BillingContext, subscriptionId: number): Promise<void> {
  const { sql, gateways } = billingCtx
  const subscription = await readSubscription(sql, subscriptionId)
  if (!subscription) return
  const now = await currentTimeFor(sql, billingCtx, subscription.customer_id)
  const gateway = gateways.get(subscription.gateway)
  // Before a subscription ends by time, its provider is asked, because there may be a payment whose webhook never
  // arrived.
  if (gateway?.renews === 'gateway' && (subscription.gateway_ref || subscription.payer_ref)) {
    await fetchFromProvider(billingCtx, subscription, now)
  }
  if (await hasStartedCharge(sql, subscriptionId)) await fetchFromProvider(billingCtx, subscription, now)
  if (subscription.status === 'pending' && now >= subscription.checkout_ends_at)
    await abandonCheckout(billingCtx, subscription)
  const { settled: recomputed, order } = await withDeadlockRetry(sql, async (sql) => {
    const lockedSubscription = await lockSubscription(sql, subscriptionId)
    if (lockedSubscription) await applyPendingEvents(sql, billingCtx, lockedSubscription, now)
    const recomputed = await recomputeSubscription(sql, billingCtx, subscriptionId, now)
    const order = gateway?.charge ? await orderRenewal(sql, recomputed, { now, isManual: false }) : undefined
    return { settled: recomputed, order }
  })
  if (order) await chargeRenewal(billingCtx, subscriptionId, order, now)
  if (gateway) await cancelAtProvider(billingCtx, gateway, recomputed, now)
}

const hasStartedCharge = async (sql: Sql, subscriptionId: number): Promise<boolean> =>
  (await sql`select 1 from charge where subscription_id = ${subscriptionId} and status = 'started'`).length > 0

/** Cancels at the provider what has ended here, so that nothing is charged for it any more. */
async function cancelAtProvider(
  billingCtx: BillingContext,
  gateway: Gateway,
  subscription: Subscription,
  now: Date,
): Promise<void> {
  if (!isActiveAtProvider(gateway, subscription, subscription)) return
  await applyEvents(billingCtx, gateway.name, await gateway.cancel(await atGateway(billingCtx.sql, subscription, now)))
}

async function fetchFromProvider(billingCtx: BillingContext, subscription: Subscription, now: Date): Promise<void> {
  const gateway = billingCtx.gateways.get(subscription.gateway)
  if (!gateway) return
  try {
    await applyEvents(billingCtx, gateway.name, await gateway.fetch(await atGateway(billingCtx.sql, subscription, now)))
  } catch (error) {
    // Whatever the provider responds, time continues here, so that an error never gives access forever.
    const { subscription_id } = subscription
    if (error instanceof ProviderUnavailableError)
      billingCtx.log.debug({ subscription_id, detail: error.detail }, 'Payment provider is not responding')
    else billingCtx.log.error({ subscription_id, err: error }, 'Could not read data from the payment provider')
  }
}

/**
 * Attempts the payment that is due now, whatever the schedule says, because the member has just provided another card.
 */
export async function payNow(billingCtx: BillingContext, subscriptionId: number, now: Date): Promise<void> {
  const order = await withDeadlockRetry(billingCtx.sql, async (sql) => {
    const lockedSubscription = await lockSubscription(sql, subscriptionId)
    const isPoolBilled = lockedSubscription && billingCtx.gateways.get(lockedSubscription.gateway)?.charge !== undefined
    return isPoolBilled ? orderRenewal(sql, lockedSubscription, { now, isManual: true }) : undefined
  })
  if (order) await chargeRenewal(billingCtx, subscriptionId, order, now)
}

/**
 * Records a payment attempt before it is made: if the process ends in between, the next one finds it and asks with the
 * same key again. Returns undefined if none is due.
 */
async function orderRenewal(
  sql: Sql,
  subscription: Subscription,
  { now, isManual }: { now: Date; isManual: boolean },
): Promise<RenewalOrder | undefined> {
  const { subscription_id, paid_until, status } = subscription
  if (!paid_until || now < paid_until || (status !== 'past_due' && status !== 'active')) {
    await abandonStartedCharge(sql, subscription)
    return undefined
  }
  const charges = await chargesOf(sql, subscription_id)
  const paid = paidPeriods(charges)
  const anchor = paid[0]?.period_start
  if (!anchor) return undefined
  const charge_ref = `${subscription.gateway}-${subscription_id}-${paid.length + 1}`
  const started = charges.find((charge) => charge.gateway_ref === charge_ref && charge.status === 'started')
  const tries = await countAttempts(sql, subscription_id, paid_until)
  if (!started) {
    const due = await nextAttemptAt(sql, subscription, { status, paid_until })
    if (!isManual && (!due || now < due)) return undefined
    const reference = `${periodLabel(paid_until)} ${tries + 1}`
    const detail = isManual ? 'manual' : ''
    if (!(await recordSubscriptionEvent(sql, subscription_id, { kind: 'attempt', reference, detail, now })))
      return undefined
  }
  const terms = termsOfSubscription(subscription, paid_until)
  const order: RenewalOrder = {
    key: `${charge_ref}-${started ? tries : tries + 1}`,
    charge_ref,
    reason: 'renewal',
    plan_id: terms.plan_id,
    ...amountOf(terms, paid.length + 1),
    period_start: paid_until,
    period_end: endAfter(anchor, subscription.interval, paid_until),
  }
  await saveStartedCharge(sql, subscription, order, now)
  return order
}

/**
 * Ends an attempt with an unknown result for a period that is no longer wanted: a charge that the gateway made is
 * applied, and nothing more is requested.
 */
async function abandonStartedCharge(sql: Sql, { subscription_id }: Subscription): Promise<void> {
  await sql`
    update charge set status = 'failed', failure_reason = 'Cancelled before payment.'
    where subscription_id = ${subscription_id} and status = 'started'`
}

/** The first end of a period after this time, counted from the first day. */
function endAfter(anchor: Date, interval: 'month' | 'year', after: Date): Date {
  for (let n = 1; ; n += 1) {
    const end = periodEnd(anchor, interval, n)
    if (end > after) return end
  }
}

async function saveStartedCharge(sql: Sql, subscription: Subscription, order: RenewalOrder, now: Date): Promise<void> {
  const { subscription_id, customer_id, gateway, method, currency } = subscription
  const { plan_id, charge_ref, reason, amount_minor, discount_minor, period_start, period_end } = order
  const charge = {
    ...{ subscription_id, customer_id, plan_id, gateway, method, currency, reason, amount_minor, discount_minor },
    ...{ gateway_ref: charge_ref, status: 'started', period_start, period_end, at: now },
  }
  await sql`
    insert into charge ${sql(charge)}
    on conflict (gateway, gateway_ref) do update set status = 'started', at = excluded.at where charge.status = 'failed'`
  await sql`update subscription set next_check_at = ${now} where subscription_id = ${subscription_id}`
}

async function chargeRenewal(
  billingCtx: BillingContext,
  subscriptionId: number,
  order: RenewalOrder,
  now: Date,
): Promise<void> {
  const subscription = await readSubscription(billingCtx.sql, subscriptionId)
  const gateway = subscription && billingCtx.gateways.get(subscription.gateway)
  if (!subscription || !gateway?.charge) return
  try {
    const at = await atGateway(billingCtx.sql, subscription, now)
    await applyEvents(billingCtx, gateway.name, await gateway.charge(at, order))
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError) && !(error instanceof PaymentDeclinedError)) throw error
    billingCtx.log.warn({ subscription_id: subscriptionId, err: error }, 'Could not attempt a payment; will retry')
  }
}

/** Reads every open subscription from its provider once a day, and applies events that were missed. */
export async function reconcile(billingCtx: BillingContext): Promise<void> {
  const open = await billingCtx.sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where (gateway_ref is not null or payer_ref is not null)
      and (status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')
        or created_at > ${billingCtx.now()}::timestamptz - make_interval(days => ${RECONCILE_DAYS}))
    order by subscription_id`
  for (const { subscription_id } of open) {
    await reconcileOne(billingCtx, subscription_id).catch((error) =>
      billingCtx.log.error(
        { subscription_id, err: error },
        'Could not reconcile a subscription with the payment provider',
      ),
    )
  }
}

/** A checkout that failed here may have been paid there; it is read again for this long. */
const RECONCILE_DAYS = 7

async function reconcileOne(billingCtx: BillingContext, subscriptionId: number): Promise<void> {
  const subscription = await readSubscription(billingCtx.sql, subscriptionId)
  if (!subscription) return
  const now = await currentTimeFor(billingCtx.sql, billingCtx, subscription.customer_id)
  await fetchFromProvider(billingCtx, subscription, now)
  await processSubscription(billingCtx, subscriptionId)
}

/** Providers resend an event for a month at most; an older one that matches nothing is of no use. */
const EVENT_RETENTION_DAYS = 180

export const sweepPaymentEvents = async ({ sql }: BillingContext): Promise<void> => {
  await sql`delete from payment_event where received_at < now() - make_interval(days => ${EVENT_RETENTION_DAYS})`
}
