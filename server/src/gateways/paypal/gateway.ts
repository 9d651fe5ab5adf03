import * as z from 'zod/mini'
import { ApiError } from '../../platform/api-error.ts'
import type { Sql } from '../../platform/db.ts'
import {
  type AtGateway,
  type Checkout,
  type Fact,
  type FindPaidSubscription,
  type Gateway,
  type GatewayEvent,
  PaymentDeclinedError,
  type PlanChange,
  ProviderUnavailableError,
  runBeforeCreating,
  UnreadableEventError,
} from '../gateway.ts'
import type { PaypalConfig } from '../gateway-config.ts'
import { fetchedEvent, fetchedEvents, keyOf, laterTerms } from '../gateway-plan.ts'
import { type PaypalCall, PaypalError, paypalApi } from './api.ts'
import { chargeFact, freePeriods, type PaypalLookups, readEvent, subscriptionEventFacts } from './events.ts'
import {
  findLink,
  type PaypalSubscription,
  paypalEvent,
  paypalRefund,
  paypalRevision,
  paypalSale,
  paypalSubscription,
  paypalTransactions,
} from './objects.ts'
import { type PaypalAccount, planOf, termsOfPlan, toMoney } from './plans.ts'
import { type PaypalCheck, paypalCheck } from './signature.ts'

type PaypalConnection = PaypalAccount & { lookups: PaypalLookups; check: PaypalCheck }

export type PaypalOptions = {
  sql: Sql
  config: PaypalConfig
  findPaidSubscription: FindPaidSubscription
  fetch?: typeof fetch
}

/**
 * PayPal: the member approves on PayPal's page and the pool activates the subscription after their return. PayPal
 * collects the payment of each period by itself.
 */
export function paypalGateway(options: PaypalOptions): Gateway {
  const account = connectPaypal(options)
  return {
    name: 'paypal',
    methods: ['paypal'],
    renews: 'gateway',
    cards: 'hosted',
    // A change of plan is approved at PayPal, which bills it from the next period on.
    upgrades: 'next_period',
    check: () => check(account),
    start: (checkout) => start(account, checkout),
    complete: (at) => complete(account, at),
    fetch: (at) => fetchFacts(account, at),
    cancel: (at) => cancel(account, at),
    abandon: (at) => abandon(account, at),
    changePlan: (at, change) => changePlan(account, at, change),
    refund: (at, order) => refund(account, at, order),
    readWebhook: async (raw, headers) => {
      await account.check(raw, headers)
      return [await readWebhook(account, raw)]
    },
  }
}

async function readWebhook(account: PaypalConnection, raw: Buffer): Promise<GatewayEvent> {
  const sent = paypalEvent.safeParse(parsedOf(raw))
  if (!sent.success) throw new ApiError('invalid_request', 'This version of Dubplate can’t read this PayPal event.')
  const { id: event_id, event_type: type, create_time } = sent.data
  try {
    return await readEvent(sent.data, account.lookups)
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error
    throw new UnreadableEventError({ event_id, type, at: new Date(create_time) }, error)
  }
}

function parsedOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}

function connectPaypal({
  sql,
  config,
  findPaidSubscription,
  fetch: fetchFrom = fetch,
}: PaypalOptions): PaypalConnection {
  const account = { sql, call: paypalApi(config, fetchFrom), api: config.api, clientId: config.clientId }
  const lookups: PaypalLookups = {
    subscription: (id) => subscriptionAt(account.call, id),
    termsOf: async ({ plan_id }) => (plan_id ? termsOfPlan(account, plan_id) : undefined),
    subscriptionPaidBy: async (sale) => {
      const known = await findPaidSubscription('paypal', sale)
      return known === undefined ? subscriptionPaidBy(account.call, sale) : known
    },
  }
  return { ...account, lookups, check: paypalCheck(config, fetchFrom) }
}

const subscriptionAt = async (call: PaypalCall, id: string): Promise<PaypalSubscription> =>
  paypalSubscription.parse(await call('GET', `/v1/billing/subscriptions/${encodeURIComponent(id)}`))

/** Returns the subscription a payment belongs to at PayPal. */
async function subscriptionPaidBy(call: PaypalCall, sale: string): Promise<string | null> {
  try {
    const reply = await call('GET', `/v1/payments/sale/${encodeURIComponent(sale)}`)
    return paypalSale.parse(reply).billing_agreement_id ?? null
  } catch (error) {
    if (error instanceof PaypalError) return null
    throw error
  }
}

function refOfSubscription({ gateway_ref, subscription_id }: AtGateway): string {
  if (!gateway_ref) throw new Error(`Subscription ${subscription_id} does not exist at PayPal yet`)
  return gateway_ref
}

/** Uses the cached token; a revoked one is requested again with the pool's keys. */
const check = ({ call }: PaypalConnection): Promise<void> =>
  mapPaypalErrors(async () => {
    await call('GET', '/v1/billing/plans?page_size=1')
  })

async function start(account: PaypalConnection, checkout: Checkout) {
  const plan_id = await runBeforeCreating(() => mapPaypalErrors(() => planOf(account, checkout.terms)))
  const body = {
    plan_id,
    custom_id: customIdOf(checkout),
    subscriber: { email_address: checkout.customer.email },
    // CONTINUE: nothing is paid until the pool activates the subscription, after the member's return.
    application_context: { user_action: 'CONTINUE', ...returnUrls(checkout) },
  }
  // Pools number their checkouts alike and may share an account, so the key includes what is paid for.
  const key = keyOf(`${checkout.key} ${JSON.stringify(body)}`)
  const created = paypalSubscription.parse(
    await mapPaypalErrors(() => account.call('POST', '/v1/billing/subscriptions', { key, body })),
  )
  return { gateway_ref: created.id, url: findLink(created.links, 'approve') ?? null, events: [] }
}

const customIdOf = ({ subscription_id, checkout_key }: Pick<AtGateway, 'subscription_id' | 'checkout_key'>): string =>
  `${subscription_id}:${checkout_key}`

const returnUrls = ({ return_url, cancel_url }: { return_url: string; cancel_url: string }) => ({
  shipping_preference: 'NO_SHIPPING',
  payment_method: { payer_selected: 'PAYPAL', payee_preferred: 'IMMEDIATE_PAYMENT_REQUIRED' },
  return_url,
  cancel_url,
})

/** The first payment is collected when an approved subscription is activated. */
async function complete(account: PaypalConnection, at: AtGateway): Promise<GatewayEvent[]> {
  const id = refOfSubscription(at)
  const { status, custom_id } = await account.lookups.subscription(id)
  // Subscriptions created before checkouts had keys only contain the number.
  const isOurs = custom_id === customIdOf(at) || custom_id === `${at.subscription_id}`
  if (!isOurs) throw new PaymentDeclinedError('This payment belongs to another account.')
  if (status === 'APPROVAL_PENDING') throw new PaymentDeclinedError('You haven’t approved this payment at PayPal yet.')
  if (status !== 'APPROVED' && status !== 'ACTIVE')
    throw new PaymentDeclinedError('This payment was cancelled at PayPal. Start again.')
  if (status === 'APPROVED')
    await mapPaypalErrors(() =>
      ignoreIfDone(() =>
        account.call('POST', `/v1/billing/subscriptions/${id}/activate`, {
          body: { reason: 'Confirmed by the member' },
        }),
      ),
    )
  return fetchFacts(account, at)
}

/**
 * Returns the subscription's state and all its payments. Refunds are not in PayPal's list: they are reported by events,
 * and by the response to the pool's own refunds.
 */
async function fetchFacts(account: PaypalConnection, at: AtGateway): Promise<GatewayEvent[]> {
  if (!at.gateway_ref) return []
  const subscription = await account.lookups.subscription(at.gateway_ref)
  const terms = (await account.lookups.termsOf(subscription)) ?? at.terms
  const { gateway_ref, subscription_id, now } = at
  const wasPaid = subscription.status !== 'APPROVAL_PENDING' && subscription.status !== 'APPROVED'
  const charges = wasPaid ? await chargesOf(account, subscription, terms, now) : []
  const facts = [
    ...charges,
    ...freePeriods(subscription, terms, now),
    ...subscriptionEventFacts(subscription, terms).facts,
  ]
  return fetchedEvents({ at: now, gateway_ref, subscription_id, facts })
}

const DAY_MS = 86_400_000
const PAID_STATUSES = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

async function chargesOf(
  { call }: PaypalConnection,
  subscription: PaypalSubscription,
  terms: Parameters<typeof chargeFact>[1],
  now: Date,
): Promise<Fact[]> {
  const began = new Date(subscription.create_time ?? subscription.start_time ?? 0)
  const query = new URLSearchParams({
    start_time: new Date(began.getTime() - DAY_MS).toISOString(),
    end_time: new Date(now.getTime() + DAY_MS).toISOString(),
  })
  const reply = await call('GET', `/v1/billing/subscriptions/${subscription.id}/transactions?${query}`)
  const { transactions } = paypalTransactions.parse(reply)
  return (transactions ?? [])
    .filter(({ status }) => PAID_STATUSES.includes(status ?? ''))
    .map(({ id, time, amount_with_breakdown }) => {
      const amount = amount_with_breakdown.gross_amount
      return chargeFact(subscription, terms, { charge_ref: id, status: 'paid', amount, time, failure_reason: '' })
    })
}

async function cancel(account: PaypalConnection, at: AtGateway): Promise<GatewayEvent[]> {
  const gateway_ref = refOfSubscription(at)
  await ignoreIfDone(() => cancelAtPaypal(account, gateway_ref))
  const { subscription_id, now } = at
  const facts: Fact[] = [{ kind: 'cancelled', is_cancelled: true }, { kind: 'terminated' }]
  return [fetchedEvent({ at: now, gateway_ref, subscription_id, facts })]
}

const cancelAtPaypal = ({ call }: PaypalConnection, id: string) =>
  call('POST', `/v1/billing/subscriptions/${id}/cancel`, {
    body: { reason: 'Cancelled by the member' },
  })

/** A subscription that was not activated costs nothing; it is also cancelled if PayPal allows it. */
async function abandon(account: PaypalConnection, at: AtGateway): Promise<GatewayEvent[]> {
  const { gateway_ref, subscription_id, now } = at
  if (gateway_ref) {
    const { status } = await account.lookups.subscription(gateway_ref)
    if (status !== 'APPROVAL_PENDING' && status !== 'APPROVED') return fetchFacts(account, at)
    await ignoreIfDone(() => cancelAtPaypal(account, gateway_ref))
  }
  const failure_reason = 'The payment was not approved at PayPal.'
  return [fetchedEvent({ at: now, gateway_ref, subscription_id, facts: [{ kind: 'abandoned', failure_reason }] })]
}

async function changePlan(account: PaypalConnection, at: AtGateway, change: PlanChange) {
  if (change.due_now_minor > 0)
    throw new Error('PayPal applies the plan change from the next period: nothing is due now')
  const plan_id = await planOf(account, laterTerms(change.terms))
  const reply = await mapPaypalErrors(() =>
    account.call('POST', `/v1/billing/subscriptions/${refOfSubscription(at)}/revise`, {
      key: keyOf(`${change.key} revise`),
      body: { plan_id, application_context: returnUrls(change) },
    }),
  )
  return { url: findLink(paypalRevision.parse(reply).links, 'approve') ?? null, events: [] }
}

/** Refunds a payment as a capture; its id is the same in the older and the newer API. */
async function refund(
  { call }: PaypalConnection,
  at: AtGateway,
  order: Parameters<Gateway['refund']>[1],
): Promise<GatewayEvent[]> {
  const body = {
    amount: toMoney(order.currency, order.amount_minor),
    ...(order.reason ? { note_to_payer: order.reason.replace(/\s+/g, ' ').slice(0, 255) } : {}),
  }
  const path = `/v2/payments/captures/${encodeURIComponent(order.charge_ref)}/refund`
  const created = paypalRefund.parse(
    await mapPaypalErrors(() => call('POST', path, { key: keyOf(`${order.key} refund`), body })),
  )
  if (created.status && created.status !== 'COMPLETED' && created.status !== 'PENDING')
    throw new PaymentDeclinedError('PayPal couldn’t refund this payment. See your PayPal dashboard for details.')
  const { gateway_ref, subscription_id, now } = at
  const { charge_ref, amount_minor } = order
  const facts: Fact[] = [{ kind: 'refund', refund_ref: created.id, charge_ref, amount_minor }]
  return [fetchedEvent({ at: now, gateway_ref, subscription_id, facts })]
}

/** Ignores the error of an action that was already done or that the subscription's state no longer allows. */
async function ignoreIfDone(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof PaypalError) || error.issue !== 'SUBSCRIPTION_STATUS_INVALID') throw error
  }
}

const DECLINE_MESSAGES: Record<string, string> = {
  CAPTURE_FULLY_REFUNDED: 'This payment has already been refunded.',
  REFUND_AMOUNT_EXCEEDED: 'The amount is higher than what can still be refunded.',
  INSTRUMENT_DECLINED: 'PayPal couldn’t process this payment. Check your PayPal account.',
}

/**
 * Errors of PayPal concerning the payment are shown to the member; a request PayPal does not understand is a bug of the
 * pool.
 */
async function mapPaypalErrors<T>(callPaypal: () => Promise<T>): Promise<T> {
  try {
    return await callPaypal()
  } catch (error) {
    if (!(error instanceof PaypalError)) throw error
    if (error.status !== 422)
      throw new ProviderUnavailableError(`PayPal rejected a request: ${error.issue}: ${error.message}`, {
        ...{ reason: 'request_rejected', isCertain: true, cause: error },
      })
    throw new PaymentDeclinedError(DECLINE_MESSAGES[error.issue] ?? `PayPal rejected the request: ${error.message}`, {
      cause: error,
    })
  }
}
