import { amountOf } from '../amounts.ts'
import type { Fact, GatewayEvent, Terms } from '../gateway.ts'
import { toMinor } from '../money.ts'
import { periodEnd } from '../periods.ts'
import {
  findLink,
  type PaypalEvent,
  type PaypalSubscription,
  paypalRefund,
  paypalSale,
  paypalSaleRefund,
  paypalSubscription,
} from './objects.ts'

/** Looks up what PayPal's messages leave out. */
export type PaypalLookups = {
  subscription(id: string): Promise<PaypalSubscription>
  termsOf(subscription: PaypalSubscription): Promise<Terms | undefined>
  /** Returns the subscription a payment belongs to; null when it belongs to none. */
  subscriptionPaidBy(sale: string): Promise<string | null>
}

type EventFacts = Pick<GatewayEvent, 'gateway_ref' | 'subscription_id' | 'claimed_id' | 'facts'>
const NO_FACTS: EventFacts = { gateway_ref: null, subscription_id: null, facts: [] }

/** Reads an event from PayPal. Unknown events have no facts. */
export async function readEvent(event: PaypalEvent, lookups: PaypalLookups): Promise<GatewayEvent> {
  const reader = READERS[event.event_type]
  const eventFacts = reader ? await reader(event, lookups) : NO_FACTS
  return { event_id: event.id, at: new Date(event.create_time), ...eventFacts }
}

type EventReader = (event: PaypalEvent, lookups: PaypalLookups) => EventFacts | Promise<EventFacts>

const readState: EventReader = async ({ resource }, lookups) => {
  const subscription = paypalSubscription.parse(resource)
  return subscriptionEventFacts(subscription, await lookups.termsOf(subscription))
}
const readSaleRefund: EventReader = async ({ resource }, lookups) =>
  refundEventFacts(saleRefundFacts(resource), lookups)

/** developer.paypal.com/docs/subscriptions/webhooks */
const READERS: Record<string, EventReader> = {
  'PAYMENT.SALE.COMPLETED': readSale,
  'PAYMENT.SALE.REFUNDED': readSaleRefund,
  'PAYMENT.SALE.REVERSED': readSaleRefund,
  'PAYMENT.CAPTURE.REFUNDED': async ({ resource }, lookups) => refundEventFacts(captureRefundFacts(resource), lookups),
  'BILLING.SUBSCRIPTION.ACTIVATED': readState,
  'BILLING.SUBSCRIPTION.CANCELLED': readState,
  'BILLING.SUBSCRIPTION.SUSPENDED': readState,
  'BILLING.SUBSCRIPTION.EXPIRED': readState,
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': readState,
}

async function readSale({ resource }: PaypalEvent, lookups: PaypalLookups): Promise<EventFacts> {
  const sale = paypalSale.parse(resource)
  if (!sale.billing_agreement_id) return NO_FACTS
  const subscription = await lookups.subscription(sale.billing_agreement_id)
  const terms = await lookups.termsOf(subscription)
  const eventFacts = ownerOf(subscription)
  if (!terms) return eventFacts
  const amount = { value: sale.amount.total, currency_code: sale.amount.currency }
  const paid = { charge_ref: sale.id, status: 'paid' as const, amount, time: sale.create_time, failure_reason: '' }
  return { ...eventFacts, facts: [chargeFact(subscription, terms, paid)] }
}

/**
 * A buyer can choose `custom_id`, so it is only a claim: the pool identifies its subscriptions by the ids PayPal gave
 * them.
 */
function ownerOf({ id, custom_id }: PaypalSubscription): EventFacts {
  const claimedId = /^([1-9]\d{0,14})$/.exec(custom_id ?? '')?.[1]
  return { gateway_ref: id, subscription_id: null, ...(claimedId ? { claimed_id: Number(claimedId) } : {}), facts: [] }
}

/** PayPal bills in the morning (10:00 GMT) of the day, which may be hours before the period starts. */
const EARLY_MS = 86_400_000

/** Returns which period a payment at `time` belongs to, counted from the start of the subscription; 1 is the first. */
export function periodAt(start: Date, interval: Terms['interval'], time: Date): number {
  let n = 1
  while (periodEnd(start, interval, n).getTime() - EARLY_MS <= time.getTime()) n++
  return n
}

const startOf = ({ start_time, create_time }: PaypalSubscription): Date => new Date(start_time ?? create_time ?? 0)

type SalePayment = {
  charge_ref: string
  status: 'paid' | 'failed'
  amount: { value: string; currency_code: string }
  time: string
  failure_reason: string
}

/**
 * Returns a payment as a charge of the period it falls into: a late payment is for the period it was due in, not for a
 * new one.
 */
export function chargeFact(subscription: PaypalSubscription, terms: Terms, payment: SalePayment): Fact {
  const start = startOf(subscription)
  return chargeOfPeriod(start, terms, periodAt(start, terms.interval, new Date(payment.time)), {
    charge_ref: payment.charge_ref,
    status: payment.status,
    amount_minor: toMinor(payment.amount.value),
    currency: payment.amount.currency_code,
    failure_reason: payment.failure_reason,
  })
}

type ChargeDetails = {
  charge_ref: string
  status: 'paid' | 'failed'
  amount_minor: number
  currency: string
  failure_reason: string
}

const chargeOfPeriod = (start: Date, terms: Terms, n: number, charged: ChargeDetails): Fact => ({
  kind: 'charge',
  reason: n === 1 ? 'first' : 'renewal',
  plan_id: terms.plan_id,
  ...charged,
  discount_minor: amountOf(terms, n).discount_minor,
  is_trial: n === 1 && terms.first_price_minor < terms.price_minor,
  period_start: (n === 1 ? start : periodEnd(start, terms.interval, n - 1)).toISOString(),
  period_end: periodEnd(start, terms.interval, n).toISOString(),
})

const ENDED_STATUSES = ['CANCELLED', 'SUSPENDED', 'EXPIRED']

/**
 * Returns the facts of a subscription's state. Suspended also means ended: PayPal suspends unpaid subscriptions and no
 * longer charges them. A subscription that waits for approval has no facts.
 */
export function subscriptionEventFacts(subscription: PaypalSubscription, terms: Terms | undefined): EventFacts {
  const facts: Fact[] = []
  if (subscription.status === 'CANCELLED') facts.push({ kind: 'cancelled', is_cancelled: true })
  if (ENDED_STATUSES.includes(subscription.status)) facts.push({ kind: 'terminated' })
  const payer = subscription.subscriber?.payer_id
  if (payer) facts.push({ kind: 'payer', payer_ref: payer })
  const failed = subscription.billing_info?.last_failed_payment
  if (terms && failed) facts.push(failedFact(subscription, terms, failed))
  return { ...ownerOf(subscription), facts }
}

/** PayPal gives a failed payment no id, so it is named after its period. */
function failedFact(
  subscription: PaypalSubscription,
  terms: Terms,
  { amount, time }: { amount: SalePayment['amount']; time: string },
): Fact {
  const n = periodAt(startOf(subscription), terms.interval, new Date(time))
  const failure_reason = 'PayPal couldn’t process this payment. Check your PayPal account.'
  return chargeFact(subscription, terms, {
    charge_ref: `${subscription.id}/${n}`,
    status: 'failed',
    amount,
    time,
    failure_reason,
  })
}

/** Returns charges for the free periods, which PayPal records no payment for: from the first one to the current one. */
export function freePeriods(subscription: PaypalSubscription, terms: Terms, now: Date): Fact[] {
  if (subscription.status !== 'ACTIVE') return []
  const start = startOf(subscription)
  const periods = Array.from({ length: periodAt(start, terms.interval, now) }, (_, index) => index + 1)
  return periods
    .filter((n) => amountOf(terms, n).amount_minor === 0)
    .map((n) => {
      const charge_ref = `${subscription.id}/${n}`
      return chargeOfPeriod(start, terms, n, {
        charge_ref,
        status: 'paid',
        amount_minor: 0,
        currency: terms.currency,
        failure_reason: '',
      })
    })
}

const lastPart = (address: string | undefined): string | undefined => address?.split('/').at(-1)

type RefundFact = Extract<Fact, { kind: 'refund' }>

/** PayPal does not say which subscription a refund belongs to. */
async function refundEventFacts(fact: RefundFact | undefined, lookups: PaypalLookups): Promise<EventFacts> {
  if (!fact) return NO_FACTS
  const gateway_ref = await lookups.subscriptionPaidBy(fact.charge_ref)
  return gateway_ref ? { gateway_ref, subscription_id: null, facts: [fact] } : NO_FACTS
}

/** Reads a refund in the older format (of a sale): refunded at PayPal, or reversed by the bank. */
function saleRefundFacts(resource: unknown): RefundFact | undefined {
  const { id, sale_id, amount, links } = paypalSaleRefund.parse(resource)
  const charge_ref = sale_id ?? lastPart(findLink(links, 'sale'))
  if (!charge_ref) return undefined
  return { kind: 'refund', refund_ref: id, charge_ref, amount_minor: toMinor(amount.total.replace('-', '')) }
}

/** Reads a refund in the newer format (of a capture), which the pool's own refunds also have. */
function captureRefundFacts(resource: unknown): RefundFact | undefined {
  const { id, amount, links } = paypalRefund.parse(resource)
  const charge_ref = lastPart(findLink(links, 'up'))
  if (!charge_ref || !amount) return undefined
  return { kind: 'refund', refund_ref: id, charge_ref, amount_minor: toMinor(amount.value) }
}
