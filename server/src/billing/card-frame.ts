import type { checkout, ReplyOf } from '@dubplate/contract'
import { amountOf } from '../gateways/amounts.ts'
import type { AtGateway, Frame, Gateway } from '../gateways/gateway.ts'
import { gatewayNamed } from '../gateways/gateways.ts'
import { asDecimal } from '../gateways/money.ts'
import { Refusal } from '../platform/refusal.ts'
import { orAway, outcomeOf } from './checkout.ts'
import { timeOf } from './clock.ts'
import { applyEvents } from './ledger.ts'
import type { Paying } from './paying.ts'
import { atGateway, readSubscription, termsOfSubscription } from './subscriptions.ts'

/**
 * What the page of a card payment shows the provider's frames with. Refuses `unknown_payment` where it is not this
 * member's or is paid elsewhere, `already_subscribed` where it is paid, `payment_declined` where it came to nothing.
 */
export async function readCardFrame(
  paying: Paying,
  customerId: number,
  subscriptionId: number,
): Promise<ReplyOf<typeof checkout.getCardFrame>> {
  const { sql, gateways, config } = paying
  const subscription = await readSubscription(sql, subscriptionId)
  if (subscription?.customer_id !== customerId) {
    throw new Refusal('unknown_payment', 'Payment not found.')
  }
  await refuseDecided(paying, subscriptionId)
  const gateway = gatewayNamed(gateways, subscription.gateway)
  const at = await atGateway(sql, subscription, await timeOf(sql, paying, customerId))
  const frame = await openFrame(paying, gateway, at)
  const { amount_minor, discount_minor } = amountOf(termsOfSubscription(subscription), 1)
  return {
    ...frame,
    plan_name: subscription.title,
    amount: asDecimal(amount_minor),
    discount_amount: asDecimal(discount_minor),
    currency: subscription.currency,
    return_url: `${config.publicUrl}/subscription/success/${subscriptionId}`,
  }
}

async function refuseDecided({ sql }: Paying, subscriptionId: number): Promise<void> {
  await outcomeOf(sql, subscriptionId)
  const subscription = await readSubscription(sql, subscriptionId)
  if (subscription?.status === 'pending') return
  throw new Refusal('already_subscribed', 'This payment has already been made.')
}

async function openFrame(paying: Paying, gateway: Gateway, at: AtGateway): Promise<Frame> {
  if (!gateway.frame) throw new Refusal('unknown_payment', 'This payment can’t be completed with a card on this page.')
  try {
    return await orAway(gateway.frame(at))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'payment_declined') throw error
    // What became of it is asked at once: it may be paid, and nobody told yet.
    await applyEvents(paying, gateway.name, await orAway(gateway.fetch(at)))
    await refuseDecided(paying, at.subscription_id)
    throw error
  }
}
