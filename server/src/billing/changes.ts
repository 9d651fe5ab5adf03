import { randomUUID } from 'node:crypto'
import type { billing } from '@dubplate/contract'
import { gatewayNamed, gatewayOf } from '../gateways/gateways.ts'
import { ownEvent } from '../gateways/own-event.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { abandon, isBeingConfirmed, orAway } from './checkout.ts'
import { timeOf } from './clock.ts'
import { applyEvents } from './ledger.ts'
import type { Paying } from './paying.ts'
import { payNow } from './renewals.ts'
import { atGateway, openSubscription, readSubscription, type Subscription } from './subscriptions.ts'

/** The open subscription of a member, and the time it has. Refuses `no_active_subscription`. */
export async function mine(paying: Paying, customerId: number) {
  const subscription = await openSubscription(paying.sql, customerId)
  if (!subscription) throw new Refusal('no_active_subscription', 'You don’t have an active subscription.')
  const now = await timeOf(paying.sql, paying, customerId)
  return { subscription, now, at: await atGateway(paying.sql, subscription, now) }
}

/** Cancels: nothing more is charged, and what is paid stays. A checkout that waits is given up. */
export async function cancel(paying: Paying, customerId: number): Promise<Subscription> {
  const { subscription, now } = await mine(paying, customerId)
  if (isBeingConfirmed(subscription, now)) {
    throw new Refusal('payment_in_progress', 'This payment is being processed. Try again in a minute.')
  }
  return end(paying, subscription)
}

/** Also a checkout that turns out to be paid. */
async function end(paying: Paying, subscription: Subscription): Promise<Subscription> {
  if (subscription.status === 'pending') await abandon(paying, subscription)
  const after = await reread(paying, subscription)
  if (after.status === 'failed' || after.is_cancelled || after.is_over) return after
  const now = await timeOf(paying.sql, paying, after.customer_id)
  const gateway = gatewayOf(paying.gateways, after)
  await applyEvents(paying, after.gateway, await orAway(gateway.cancel(await atGateway(paying.sql, after, now))))
  return reread(paying, after)
}

/**
 * Ends whatever runs, or might be charged on, because its member leaves for good. Refuses `provider_unavailable` where one cannot
 * be ended now.
 */
export async function endForGood(paying: Paying, customerId: number): Promise<void> {
  for (const subscription_id of await chargeable(paying.sql, customerId)) {
    const subscription = await readSubscription(paying.sql, subscription_id)
    if (!subscription) continue
    const after = await end(paying, subscription)
    const now = await timeOf(paying.sql, paying, customerId)
    await applyEvents(paying, after.gateway, [ownEvent({ ...after, now }, [{ kind: 'over' }])])
  }
}

/** Also such as have ended here, and never were cancelled at their provider. */
async function chargeable(sql: Sql, customerId: number): Promise<number[]> {
  const rows = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where customer_id = ${customerId} and not is_over
      and (status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')
        or (status = 'ended' and not is_cancelled and gateway_ref is not null))
    order by subscription_id`
  return rows.map(({ subscription_id }) => subscription_id)
}

/** Takes a cancellation back. Refuses `cannot_resume` where the provider cannot, or nothing was cancelled. */
export async function resume(paying: Paying, customerId: number): Promise<Subscription> {
  const { subscription, at } = await mine(paying, customerId)
  const gateway = gatewayNamed(paying.gateways, subscription.gateway)
  if (subscription.status !== 'cancel_scheduled' || subscription.is_over || !gateway.resume) {
    throw new Refusal(
      'cannot_resume',
      'This cancellation can’t be undone. You can subscribe again once the current period ends.',
    )
  }
  await applyEvents(paying, gateway.name, await orAway(gateway.resume(at)))
  return reread(paying, subscription)
}

export async function reread(paying: Paying, { subscription_id }: Subscription): Promise<Subscription> {
  const after = await readSubscription(paying.sql, subscription_id)
  if (!after) throw new Error(`Subscription ${subscription_id} not found`)
  return after
}

/** Another card. A payment that failed is tried again with it at once. Refuses `no_active_subscription`, `payment_declined`. */
export async function updateCard(
  paying: Paying,
  customerId: number,
  card: billing.PaymentForm | undefined,
): Promise<{ subscription: Subscription; url: string | null }> {
  const { subscription, at, now } = await mine(paying, customerId)
  const gateway = gatewayNamed(paying.gateways, subscription.gateway)
  if (!gateway.updateMethod || subscription.method === 'paypal') {
    throw new Refusal(
      'payment_method_unavailable',
      'This payment method can only be changed with your payment provider.',
    )
  }
  const { url, events } = await orAway(
    gateway.updateMethod(at, {
      card,
      return_url: `${paying.config.publicUrl}/account/manage-subscription`,
      key: `card-${randomUUID()}`,
    }),
  )
  await applyEvents(paying, gateway.name, events)
  if (!url && subscription.status === 'past_due') await payNow(paying, subscription.subscription_id, now)
  return { subscription: await reread(paying, subscription), url }
}
