import { randomUUID } from 'node:crypto'
import type { billing } from '@dubplate/contract'
import { gatewayOf, requireGateway } from '../gateways/gateways.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { BillingContext } from './billing-context.ts'
import { abandonCheckout, isBeingConfirmed, throwIfUnavailable } from './checkout.ts'
import { currentTimeFor } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { payNow } from './renewals.ts'
import { atGateway, findOpenSubscription, readSubscription, type Subscription } from './subscriptions.ts'

/** Returns the open subscription of a member, and their current time. Throws `no_active_subscription`. */
export async function requireSubscription(billingCtx: BillingContext, customerId: number) {
  const subscription = await findOpenSubscription(billingCtx.sql, customerId)
  if (!subscription) throw new ApiError('no_active_subscription', 'You don’t have an active subscription.')
  const now = await currentTimeFor(billingCtx.sql, billingCtx, customerId)
  return { subscription, now, at: await atGateway(billingCtx.sql, subscription, now) }
}

/** Cancels a subscription: nothing more is charged, and the paid period remains. A pending checkout is abandoned. */
export async function cancel(billingCtx: BillingContext, customerId: number): Promise<Subscription> {
  const { subscription, now } = await requireSubscription(billingCtx, customerId)
  if (isBeingConfirmed(subscription, now)) {
    throw new ApiError('payment_in_progress', 'This payment is being processed. Try again in a minute.')
  }
  return cancelSubscription(billingCtx, subscription)
}

/** Also cancels a checkout that turns out to be paid. */
async function cancelSubscription(billingCtx: BillingContext, subscription: Subscription): Promise<Subscription> {
  if (subscription.status === 'pending') await abandonCheckout(billingCtx, subscription)
  const after = await rereadSubscription(billingCtx, subscription)
  if (after.status === 'failed' || after.is_cancelled || after.has_ended) return after
  const now = await currentTimeFor(billingCtx.sql, billingCtx, after.customer_id)
  const gateway = gatewayOf(billingCtx.gateways, after)
  await applyEvents(
    billingCtx,
    after.gateway,
    await throwIfUnavailable(gateway.cancel(await atGateway(billingCtx.sql, after, now))),
  )
  return rereadSubscription(billingCtx, after)
}

/**
 * Ends every subscription that could still be charged, because the member deletes their account. Throws
 * `provider_unavailable` if one cannot be ended now.
 */
export async function terminateSubscriptions(billingCtx: BillingContext, customerId: number): Promise<void> {
  for (const subscription_id of await findChargeable(billingCtx.sql, customerId)) {
    const subscription = await readSubscription(billingCtx.sql, subscription_id)
    if (!subscription) continue
    const after = await cancelSubscription(billingCtx, subscription)
    const now = await currentTimeFor(billingCtx.sql, billingCtx, customerId)
    await applyEvents(billingCtx, after.gateway, [ownEvent({ ...after, now }, [{ kind: 'terminated' }])])
  }
}

/** Includes subscriptions that have ended here but were never cancelled at their provider. */
async function findChargeable(sql: Sql, customerId: number): Promise<number[]> {
  const rows = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where customer_id = ${customerId} and not has_ended
      and (status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')
        or (status = 'ended' and not is_cancelled and gateway_ref is not null))
    order by subscription_id`
  return rows.map(({ subscription_id }) => subscription_id)
}

/**
 * Resumes a cancelled subscription. Throws `cannot_resume` if the provider cannot do that, or nothing was cancelled.
 */
export async function resume(billingCtx: BillingContext, customerId: number): Promise<Subscription> {
  const { subscription, at } = await requireSubscription(billingCtx, customerId)
  const gateway = requireGateway(billingCtx.gateways, subscription.gateway)
  if (subscription.status !== 'cancel_scheduled' || subscription.has_ended || !gateway.resume) {
    throw new ApiError(
      'cannot_resume',
      'This cancellation can’t be undone. You can subscribe again once the current period ends.',
    )
  }
  await applyEvents(billingCtx, gateway.name, await throwIfUnavailable(gateway.resume(at)))
  return rereadSubscription(billingCtx, subscription)
}

export async function rereadSubscription(
  billingCtx: BillingContext,
  { subscription_id }: Subscription,
): Promise<Subscription> {
  const after = await readSubscription(billingCtx.sql, subscription_id)
  if (!after) throw new Error(`Subscription ${subscription_id} not found`)
  return after
}

/**
 * Replaces the card. A failed payment is retried with it at once. Throws `no_active_subscription` or
 * `payment_declined`.
 */
export async function updateCard(
  billingCtx: BillingContext,
  customerId: number,
  card: billing.PaymentForm | undefined,
): Promise<{ subscription: Subscription; url: string | null }> {
  const { subscription, at, now } = await requireSubscription(billingCtx, customerId)
  const gateway = requireGateway(billingCtx.gateways, subscription.gateway)
  if (!gateway.updateMethod || subscription.method === 'paypal') {
    throw new ApiError(
      'payment_method_unavailable',
      'This payment method can only be changed with your payment provider.',
    )
  }
  const { url, events } = await throwIfUnavailable(
    gateway.updateMethod(at, {
      card,
      return_url: `${billingCtx.config.publicUrl}/account/manage-subscription`,
      key: `card-${randomUUID()}`,
    }),
  )
  await applyEvents(billingCtx, gateway.name, events)
  if (!url && subscription.status === 'past_due') await payNow(billingCtx, subscription.subscription_id, now)
  return { subscription: await rereadSubscription(billingCtx, subscription), url }
}
