import type { AtGateway, Fact, GatewayEvent } from '../gateway.ts'
import { fetchedEvents } from '../gateway-plan.ts'
import type { StripeAccount } from './account.ts'
import {
  ABANDONED_MESSAGE,
  invoiceEventFacts,
  refundFacts,
  sessionEventFacts,
  subscriptionEventFacts,
} from './events.ts'
import {
  type StripeInvoice,
  type StripeSession,
  stripeCharge,
  stripeInvoice,
  stripeSession,
  stripeSubscription,
} from './objects.ts'

export function subscriptionOf({ gateway_ref, subscription_id }: AtGateway): string {
  if (!gateway_ref) throw new Error(`Subscription ${subscription_id} does not exist at Stripe yet`)
  return gateway_ref
}

type PayerRef = { customer: string } | Pick<AtGateway, 'payer_ref' | 'customer'>

/** Returns the checkout sessions of one of the pool's subscriptions. Stripe can only list them by payer. */
export async function findSessions(
  { stripe }: StripeAccount,
  checkout: Pick<AtGateway, 'subscription_id' | 'checkout_key'>,
  payer: PayerRef,
): Promise<StripeSession[]> {
  const sessions = await stripe.checkout.sessions
    .list({ ...payerOf(payer), limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  return sessions
    .map((session) => stripeSession.parse(session))
    .filter((session) => isOfCheckout(session, checkout, payer))
}

/**
 * Sessions created before checkouts had keys count when they belong to the Stripe customer the pool created for the
 * member.
 */
function isOfCheckout(
  { metadata, customer }: StripeSession,
  { subscription_id, checkout_key }: Pick<AtGateway, 'subscription_id' | 'checkout_key'>,
  payer: PayerRef,
): boolean {
  if (metadata.checkout_key) return metadata.checkout_key === checkout_key
  const known = payerOf(payer).customer
  return known !== undefined && customer === known && metadata.subscription_id === `${subscription_id}`
}

function payerOf(payer: PayerRef): { customer?: string; customer_details?: { email: string } } {
  if (typeof payer.customer === 'string') return { customer: payer.customer }
  const payer_ref = 'payer_ref' in payer ? payer.payer_ref : null
  return payer_ref ? { customer: payer_ref } : { customer_details: { email: payer.customer.email } }
}

/**
 * Returns everything Stripe knows about a subscription now; for one without an id there yet, the state of its checkout.
 */
export async function fetchFacts(account: StripeAccount, at: AtGateway): Promise<GatewayEvent[]> {
  const { subscription_id, now } = at
  if (at.gateway_ref) return fetchedEvents(await findFacts(account, at, at.gateway_ref))
  const sessions = await findSessions(account, at, at)
  const completedSession = sessions.find(({ subscription }) => subscription)
  if (completedSession?.subscription) return fetchedEvents(await findFacts(account, at, completedSession.subscription))
  const payers = sessions.slice(0, 1).flatMap((session) => sessionEventFacts(session).facts)
  const isAbandoned = sessions.length > 0 && sessions.every(({ status }) => status === 'expired')
  const facts: Fact[] = [
    ...payers,
    ...(isAbandoned ? [{ kind: 'abandoned' as const, failure_reason: ABANDONED_MESSAGE }] : []),
  ]
  return fetchedEvents({ at: now, gateway_ref: null, subscription_id, facts })
}

async function findFacts(account: StripeAccount, at: AtGateway, gateway_ref: string) {
  const { stripe } = account
  const [subscription, invoices] = await Promise.all([
    stripe.subscriptions.retrieve(gateway_ref, { expand: ['default_payment_method'] }),
    stripe.invoices
      .list({ subscription: gateway_ref, limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 1000 }),
  ])
  const read = stripeSubscription.parse(subscription)
  const charged = invoices.map((invoice) => stripeInvoice.parse(invoice))
  const charges = charged.flatMap((invoice) => {
    const status = statusOf(invoice)
    return status ? invoiceEventFacts(invoice, status).facts : []
  })
  const refunds = read.customer ? await refundEvents(account, read.customer, charged) : []
  const facts = [...charges, ...refunds, ...subscriptionEventFacts(read).facts]
  return { at: at.now, gateway_ref, subscription_id: at.subscription_id, facts }
}

/** docs.stripe.com/invoicing/overview: an invoice without a payment attempt is not a charge. */
function statusOf({ status, attempt_count }: StripeInvoice): 'paid' | 'failed' | null {
  if (status === 'paid') return 'paid'
  const wasAttempted = (attempt_count ?? 0) > 0
  return wasAttempted && (status === 'open' || status === 'uncollectible') ? 'failed' : null
}

/** The list of the payer's charges shows which were refunded; only their refunds are fetched. */
async function refundEvents(
  { stripe, lookups }: StripeAccount,
  customer: string,
  invoices: StripeInvoice[],
): Promise<Fact[]> {
  const charges = await stripe.charges.list({ customer, limit: 100 }).autoPagingToArray({ limit: 1000 })
  const facts: Fact[] = []
  for (const charge of charges.map((one) => stripeCharge.parse(one))) {
    const invoice = charge.amount_refunded > 0 && invoices.find((one) => isPaidBy(one, charge))
    if (!invoice) continue
    facts.push(...(await lookups.refundsOf(charge.id)).flatMap((refund) => refundFacts(refund, invoice.id)))
  }
  return facts
}

function isPaidBy(
  invoice: StripeInvoice,
  charge: { id: string; payment_intent: string | null; invoice: string | null },
) {
  if (charge.invoice) return charge.invoice === invoice.id
  const payments = invoice.payments?.data.map(({ payment }) => payment) ?? [invoice]
  return payments.some(
    (payment) =>
      payment.charge === charge.id ||
      (payment.payment_intent !== null && payment.payment_intent === charge.payment_intent),
  )
}
