import type { Fact, GatewayEvent, PaidWith } from '../gateway.ts'
import {
  type StripeDispute,
  type StripeEvent,
  type StripeInvoice,
  type StripePaymentMethod,
  type StripeRefund,
  type StripeSession,
  type StripeSubscription,
  stripeCharge,
  stripeDispute,
  stripeInvoice,
  stripeRefund,
  stripeSession,
  stripeSubscription,
} from './objects.ts'

/** Looks up what Stripe's messages leave out. */
export type StripeLookups = {
  paymentMethod(id: string): Promise<StripePaymentMethod>
  /** Returns the invoice that was paid with this payment; null when it was not for an invoice. */
  invoicePaidWith(payment_intent: string): Promise<StripeInvoice | null>
  refundsOf(charge: string): Promise<StripeRefund[]>
}

type EventFacts = Pick<GatewayEvent, 'gateway_ref' | 'subscription_id' | 'checkout_key' | 'claimed_id' | 'facts'>
const NO_FACTS: EventFacts = { gateway_ref: null, subscription_id: null, facts: [] }

/** Reads an event from Stripe. Unknown events have no facts. */
export async function readEvent(event: StripeEvent, lookups: StripeLookups): Promise<GatewayEvent> {
  const reader = READERS[event.type]
  const eventFacts = reader ? await reader(event, lookups) : NO_FACTS
  return { event_id: event.id, at: toDate(event.created), ...eventFacts }
}

type EventReader = (event: StripeEvent, lookups: StripeLookups) => EventFacts | Promise<EventFacts>

const readRefund: EventReader = async (event, lookups) =>
  refundEventFacts(stripeRefund.parse(event.data.object), lookups)
const makeInvoiceReader =
  (status: 'paid' | 'failed'): EventReader =>
  (event) =>
    invoiceEventFacts(stripeInvoice.parse(event.data.object), status)

const READERS: Record<string, EventReader> = {
  'checkout.session.completed': (event) => sessionEventFacts(stripeSession.parse(event.data.object)),
  'checkout.session.expired': (event) => expiredEventFacts(stripeSession.parse(event.data.object)),
  'invoice.paid': makeInvoiceReader('paid'),
  'invoice.payment_succeeded': makeInvoiceReader('paid'),
  'invoice.payment_failed': makeInvoiceReader('failed'),
  'customer.subscription.created': readSubscription,
  'customer.subscription.updated': readSubscription,
  'customer.subscription.deleted': readSubscription,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'charge.refund.updated': readRefund,
  'charge.dispute.funds_withdrawn': (event, lookups) =>
    disputeEventFacts(stripeDispute.parse(event.data.object), lookups),
  'charge.refunded': async (event, lookups) => {
    const charge = stripeCharge.parse(event.data.object)
    const refunds = await Promise.all(
      (await lookups.refundsOf(charge.id)).map((refund) => refundEventFacts(refund, lookups)),
    )
    return { ...NO_FACTS, ...refunds[0], facts: refunds.flatMap(({ facts }) => facts) }
  },
}

const toDate = (seconds: number): Date => new Date(seconds * 1000)

/**
 * Returns which checkout an object belongs to. Only the server writes metadata, and only the random key proves that it
 * was this pool's. Anything else is a claim: a buyer can choose `client_reference_id`, and other pools count from 1 as
 * well.
 */
function linkOf(metadata: Record<string, string>, reference?: string | null) {
  const { checkout_key, subscription_id } = metadata
  if (checkout_key && UUID.test(checkout_key)) return { subscription_id: null, checkout_key }
  const claimed_id = toId(reference ?? subscription_id)
  return { subscription_id: null, ...(claimed_id ? { claimed_id } : {}) }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns a number that can be a row id; undefined for any other text. */
const toId = (text: string | undefined): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

export function sessionEventFacts(session: StripeSession): EventFacts {
  if (session.mode !== 'subscription') return NO_FACTS
  return {
    gateway_ref: session.subscription,
    ...linkOf(session.metadata, session.client_reference_id),
    facts: session.customer ? [{ kind: 'payer', payer_ref: session.customer }] : [],
  }
}

function expiredEventFacts(session: StripeSession): EventFacts {
  if (session.mode !== 'subscription') return NO_FACTS
  return { ...sessionEventFacts(session), facts: [{ kind: 'abandoned', failure_reason: ABANDONED_MESSAGE }] }
}

export const ABANDONED_MESSAGE = 'Checkout was abandoned before payment.'

async function readSubscription(event: StripeEvent, lookups: StripeLookups): Promise<EventFacts> {
  const subscription = stripeSubscription.parse(event.data.object)
  const eventFacts = subscriptionEventFacts(subscription)
  const method = subscription.default_payment_method
  const changed = (event.data.previous_attributes ?? {}) as Record<string, unknown>
  const isRelevant = event.type === 'customer.subscription.created' || 'default_payment_method' in changed
  if (typeof method !== 'string' || !isRelevant) return eventFacts
  return {
    ...eventFacts,
    facts: [...eventFacts.facts, { kind: 'method', paid_with: paidWith(await lookups.paymentMethod(method)) }],
  }
}

/** Subscription states at Stripe: docs.stripe.com/billing/subscriptions/overview. */
export function subscriptionEventFacts(subscription: StripeSubscription): EventFacts {
  const isOver = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  const is_cancelled =
    isOver || subscription.cancel_at_period_end === true || typeof subscription.cancel_at === 'number'
  const facts: Fact[] = [{ kind: 'cancelled', is_cancelled }]
  if (isOver) facts.push({ kind: 'terminated' })
  if (subscription.customer) facts.push({ kind: 'payer', payer_ref: subscription.customer })
  const method = subscription.default_payment_method
  if (method && typeof method !== 'string') facts.push({ kind: 'method', paid_with: paidWith(method) })
  return { gateway_ref: subscription.id, ...linkOf(subscription.metadata), facts }
}

/** Returns the metadata of the subscription at the time of the invoice, and of the invoice itself. */
const metadataOf = ({ parent, subscription_details, metadata }: StripeInvoice): Record<string, string> => ({
  ...(parent?.subscription_details?.metadata ?? subscription_details?.metadata),
  ...metadata,
})

/** Returns an invoice as a charge; without facts when it is not for a period of the pool's. */
export function invoiceEventFacts(invoice: StripeInvoice, status: 'paid' | 'failed'): EventFacts {
  const metadata = metadataOf(invoice)
  const gateway_ref =
    invoice.parent?.subscription_details?.subscription ?? invoice.subscription ?? metadata.gateway_ref ?? null
  const link = { gateway_ref, ...linkOf(metadata) }
  const reason = reasonOf(invoice)
  const period = periodOf(invoice, metadata, reason)
  if (!gateway_ref || !reason || !period) return { ...link, facts: [] }
  const amount_minor = status === 'paid' ? invoice.amount_paid : invoice.amount_due
  const billed_minor = billedOf(invoice)
  const discounts = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const fact: Fact = {
    kind: 'charge',
    charge_ref: invoice.id,
    status,
    reason,
    ...(metadata.plan_id ? { plan_id: Number(metadata.plan_id) } : {}),
    amount_minor,
    ...(billed_minor === undefined || billed_minor === amount_minor ? {} : { billed_minor }),
    // A trial price is also a discount at Stripe; only the coupon counts as one here.
    discount_minor:
      reason === 'first' && metadata.first_discount_minor ? Number(metadata.first_discount_minor) : discounts,
    currency: invoice.currency.toUpperCase(),
    is_trial: reason === 'first' && metadata.is_trial === 'yes',
    ...period,
    failure_reason: status === 'failed' ? 'The card was declined or the bank requires confirmation.' : '',
  }
  return { ...link, facts: [fact] }
}

/** Operators may add tax on top of the plan's price at Stripe, and give customers credit there. */
function billedOf({ total, total_taxes, total_tax_amounts }: StripeInvoice): number | undefined {
  if (typeof total !== 'number') return undefined
  const exclusiveTaxes = total_taxes
    ? total_taxes.filter(({ tax_behavior }) => tax_behavior === 'exclusive')
    : (total_tax_amounts ?? []).filter(({ inclusive }) => inclusive === false)
  return exclusiveTaxes.reduce((rest, { amount }) => rest - amount, total)
}

function reasonOf({ billing_reason, metadata, amount_due }: StripeInvoice): 'first' | 'renewal' | 'upgrade' | null {
  if (metadata.reason === 'upgrade') return 'upgrade'
  if (billing_reason === 'subscription_create') return 'first'
  if (billing_reason === 'subscription_cycle' || billing_reason === 'subscription') return 'renewal'
  // A change of plan without an amount due creates an empty invoice.
  if (billing_reason === 'subscription_update' && amount_due > 0) return 'upgrade'
  return null
}

/** Returns the paid period: the longest-lasting line, or the period in the metadata when no line contains it. */
function periodOf(invoice: StripeInvoice, metadata: Record<string, string>, reason: string | null) {
  const line = invoice.lines.data.reduce<{ start: number; end: number } | undefined>(
    (last, { period }) => (!last || period.end > last.end ? period : last),
    undefined,
  )
  const metadataEnd =
    reason === 'first' ? metadata.first_period_end : reason === 'upgrade' ? metadata.period_end : undefined
  const start = metadataEnd ? invoice.created : line?.start
  const end = metadataEnd ? Number(metadataEnd) : line?.end
  if (start === undefined || end === undefined || end <= start) return null
  return { period_start: toDate(start).toISOString(), period_end: toDate(end).toISOString() }
}

async function refundEventFacts(refund: StripeRefund, lookups: StripeLookups): Promise<EventFacts> {
  const known = refund.metadata.charge_ref
  if (known) {
    const link = { gateway_ref: refund.metadata.gateway_ref ?? null, ...linkOf(refund.metadata) }
    return { ...link, facts: refundFacts(refund, known) }
  }
  const invoice = refund.payment_intent ? await lookups.invoicePaidWith(refund.payment_intent) : null
  if (!invoice) return NO_FACTS
  return { ...invoiceEventFacts(invoice, 'paid'), facts: refundFacts(refund, invoice.id) }
}

/** Money reversed by a bank is a refund: the period it paid for ends, and nothing more is charged. */
async function disputeEventFacts(
  { id, amount, payment_intent }: StripeDispute,
  lookups: StripeLookups,
): Promise<EventFacts> {
  const invoice = payment_intent ? await lookups.invoicePaidWith(payment_intent) : null
  if (!invoice) return NO_FACTS
  const fact: Fact = { kind: 'refund', refund_ref: id, charge_ref: invoice.id, amount_minor: amount }
  return { ...invoiceEventFacts(invoice, 'paid'), facts: [fact] }
}

/** A pending refund counts: cards take days to process refunds, and hardly ever reject one. */
export function refundFacts({ id, amount, status }: StripeRefund, charge_ref: string): Fact[] {
  if (status !== 'succeeded' && status !== 'pending') return []
  return [{ kind: 'refund', refund_ref: id, charge_ref, amount_minor: amount }]
}

const BRANDS: Record<string, string> = {
  amex: 'Amex',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'MasterCard',
  unionpay: 'UnionPay',
  visa: 'Visa',
  link: 'Link',
}
const WALLETS = ['apple_pay', 'google_pay', 'samsung_pay']

export function paidWith({ type, card }: StripePaymentMethod): PaidWith {
  if (!card) return { kind: 'credit_card', brand: BRANDS[type] ?? type, last_four: '', expires_on: null }
  return {
    kind: WALLETS.includes(card.wallet?.type ?? '') ? 'mobile_wallet' : 'credit_card',
    brand: BRANDS[card.brand] ?? card.brand,
    last_four: card.last4 ?? '',
    // The last day of the month.
    expires_on: new Date(Date.UTC(card.exp_year, card.exp_month, 0)).toISOString().slice(0, 10),
  }
}
