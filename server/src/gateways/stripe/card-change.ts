import Stripe from 'stripe'
import type { AtGateway, GatewayEvent } from '../gateway.ts'
import type { StripeAccount } from './account.ts'
import { paidWith } from './events.ts'
import { subscriptionOf } from './fetched-facts.ts'
import { type StripeEvent, type StripeSession, stripeInvoice, stripeSubscription } from './objects.ts'

/** Starts a page at Stripe that takes another card and charges nothing. */
export async function startCardChange(
  { stripe }: StripeAccount,
  at: AtGateway,
  { return_url, key }: { return_url: string; key: string },
): Promise<{ url: string | null; events: GatewayEvent[] }> {
  const gateway_ref = subscriptionOf(at)
  const { customer } = stripeSubscription.parse(await stripe.subscriptions.retrieve(gateway_ref))
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'setup',
      customer: customer ?? '',
      allowed_payment_method_types: ['card'],
      success_url: return_url,
      cancel_url: return_url,
      metadata: { subscription_id: `${at.subscription_id}`, gateway_ref },
    },
    { idempotencyKey: `${key}-card` },
  )
  return { url: session.url, events: [] }
}

/**
 * Uses the card entered on such a page for the subscription from now on, and retries an open payment at once.
 * Idempotent.
 */
export async function cardChanged(
  account: StripeAccount,
  event: StripeEvent,
  session: StripeSession,
): Promise<GatewayEvent[]> {
  const { stripe, lookups } = account
  const eventFields = { event_id: event.id, at: new Date(event.created * 1000) }
  const gateway_ref = session.metadata.gateway_ref
  if (!gateway_ref || !session.setup_intent)
    return [{ ...eventFields, gateway_ref: null, subscription_id: null, facts: [] }]
  const { payment_method } = await stripe.setupIntents.retrieve(session.setup_intent)
  const method = await lookups.paymentMethod(
    typeof payment_method === 'string' ? payment_method : (payment_method?.id ?? ''),
  )
  const changed = await stripe.subscriptions.update(gateway_ref, { default_payment_method: method.id })
  const { latest_invoice } = stripeSubscription.parse(changed)
  if (latest_invoice) await retryPayment(stripe, latest_invoice)
  return [
    { ...eventFields, gateway_ref, subscription_id: null, facts: [{ kind: 'method', paid_with: paidWith(method) }] },
  ]
}

/** The result is reported by separate events. */
async function retryPayment(stripe: Stripe, id: string): Promise<void> {
  const { status } = stripeInvoice.parse(await stripe.invoices.retrieve(id))
  if (status !== 'open') return
  try {
    await stripe.invoices.pay(id)
  } catch (error) {
    const isDeclined =
      error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError
    if (!isDeclined) throw error
  }
}
