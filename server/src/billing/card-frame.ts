import type { checkout, ReplyOf } from '@dubplate/contract'
import { amountOf } from '../gateways/amounts.ts'
import type { AtGateway, Frame, Gateway } from '../gateways/gateway.ts'
import { requireGateway } from '../gateways/gateways.ts'
import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { BillingContext } from './billing-context.ts'
import { checkoutOutcome, throwIfUnavailable } from './checkout.ts'
import { currentTimeFor } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { atGateway, readSubscription, termsOfSubscription } from './subscriptions.ts'

/**
 * What the page of a card payment needs to show the provider's frames. Throws `unknown_payment` if the payment is not
 * this member's or is paid elsewhere, `already_subscribed` if it is paid, and `payment_declined` if it failed.
 */
export async function readCardFrame(
  billingCtx: BillingContext,
  customerId: number,
  subscriptionId: number,
): Promise<ReplyOf<typeof checkout.getCardFrame>> {
  const { sql, gateways, config } = billingCtx
  const subscription = await readSubscription(sql, subscriptionId)
  if (subscription?.customer_id !== customerId) {
    throw new ApiError('unknown_payment', 'Payment not found.')
  }
  await rejectDecided(billingCtx, subscriptionId)
  const gateway = requireGateway(gateways, subscription.gateway)
  const at = await atGateway(sql, subscription, await currentTimeFor(sql, billingCtx, customerId))
  const frame = await openFrame(billingCtx, gateway, at)
  const { amount_minor, discount_minor } = amountOf(termsOfSubscription(subscription), 1)
  return {
    ...frame,
    plan_name: subscription.title,
    amount: toDecimal(amount_minor),
    discount_amount: toDecimal(discount_minor),
    currency: subscription.currency,
    return_url: `${config.publicUrl}/subscription/success/${subscriptionId}`,
  }
}

async function rejectDecided({ sql }: BillingContext, subscriptionId: number): Promise<void> {
  await checkoutOutcome(sql, subscriptionId)
  const subscription = await readSubscription(sql, subscriptionId)
  if (subscription?.status === 'pending') return
  throw new ApiError('already_subscribed', 'This payment has already been made.')
}

async function openFrame(billingCtx: BillingContext, gateway: Gateway, at: AtGateway): Promise<Frame> {
  if (!gateway.frame) throw new ApiError('unknown_payment', 'This payment can’t be completed with a card on this page.')
  try {
    return await throwIfUnavailable(gateway.frame(at))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'payment_declined') throw error
    // Its state is read from the provider first, because it may be paid without a webhook having arrived.
    await applyEvents(billingCtx, gateway.name, await throwIfUnavailable(gateway.fetch(at)))
    await rejectDecided(billingCtx, at.subscription_id)
    throw error
  }
}
