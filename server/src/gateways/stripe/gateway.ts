import Stripe from 'stripe'
import * as z from 'zod/mini'
import { ApiError } from '../../platform/api-error.ts'
import type { Sql } from '../../platform/db.ts'
import { amountOf } from '../amounts.ts'
import {
  type AtGateway,
  type Checkout,
  type Gateway,
  type GatewayEvent,
  PaymentDeclinedError,
  runBeforeCreating,
  type Started,
  UnreadableEventError,
} from '../gateway.ts'
import type { StripeConfig } from '../gateway-config.ts'
import { fetchedEvent, keyOf } from '../gateway-plan.ts'
import { mapStripeErrors, type StripeAccount, stripeAccount } from './account.ts'
import { cardChanged, startCardChange } from './card-change.ts'
import { changePlan } from './change-plan.ts'
import { ABANDONED_MESSAGE, readEvent, refundFacts } from './events.ts'
import { fetchFacts, findSessions, subscriptionOf } from './fetched-facts.ts'
import { cardFrame, framePageOf } from './frame.ts'
import {
  type StripeEvent,
  type StripeSession,
  stripeEvent,
  stripeInvoice,
  stripeRefund,
  stripeSession,
} from './objects.ts'
import { billingOf, couponOf, priceOf, trialEnd } from './plans.ts'

/**
 * Stripe: cards and wallets, entered on Stripe's own page or in Stripe's frames. Stripe collects the payment of each
 * period by itself.
 */
export function stripeGateway({ sql, config }: { sql: Sql; config: StripeConfig }): Gateway {
  const account = stripeAccount(sql, config)
  const mapErrors = mapStripeErrors
  return {
    name: 'stripe',
    methods: ['credit_card', 'mobile_wallet'],
    renews: 'gateway',
    cards: 'hosted',
    upgrades: 'now',
    check: () => mapErrors(() => check(account)),
    start: (checkout) => mapErrors(() => start(account, config, checkout)),
    ...(config.checkout === 'embedded' ? { frame: (at) => mapErrors(() => cardFrame(account, config, at)) } : {}),
    fetch: (at) => mapErrors(() => fetchFacts(account, at)),
    cancel: (at) => mapErrors(() => cancel(account, at)),
    resume: (at) => mapErrors(() => setRenewal(account, at, { is_cancelled: false })),
    abandon: (at) => mapErrors(() => abandon(account, at)),
    changePlan: (at, change) => mapErrors(() => changePlan(account, at, change)),
    updateMethod: (at, options) => mapErrors(() => startCardChange(account, at, options)),
    refund: (at, order) => mapErrors(() => refund(account, at, order)),
    readWebhook: (raw, headers) => mapErrors(() => readWebhook(account, config, raw, headers)),
  }
}

type CheckoutMode = StripeConfig['checkout']

/** A restricted key needs no more permissions for this than for checkouts. */
async function check({ stripe }: StripeAccount): Promise<void> {
  await stripe.checkout.sessions.list({ limit: 1 })
}

async function start(
  account: StripeAccount,
  { checkout: checkoutMode }: StripeConfig,
  checkout: Checkout,
): Promise<Started> {
  const { customer, params } = await runBeforeCreating(() =>
    mapStripeErrors(async () => {
      const customer = await customerOf(account, checkout.customer)
      return { customer, params: await sessionOf(account, checkoutMode, checkout, customer) }
    }),
  )
  const session = await createSession(account, checkoutMode, checkout, { customer, params })
  const payer = fetchedEvent({
    at: checkout.now,
    gateway_ref: null,
    subscription_id: checkout.subscription_id,
    facts: [{ kind: 'payer', payer_ref: customer }],
  })
  const url = checkoutMode === 'embedded' ? framePageOf(checkout) : (session.url ?? null)
  return { gateway_ref: null, url, events: [payer] }
}

/** Reuses the Stripe customer of a member who paid before. */
async function customerOf({ stripe }: StripeAccount, checkoutCustomer: Checkout['customer']): Promise<string> {
  const customer_id = `${checkoutCustomer.customer_id}`
  const { data } = await stripe.customers.list({ email: checkoutCustomer.email, limit: 20 })
  const known = data.find(({ metadata }) => metadata?.customer_id === customer_id)
  if (known) return known.id
  const customer = { email: checkoutCustomer.email, name: checkoutCustomer.name, metadata: { customer_id } }
  return (await stripe.customers.create(customer, { idempotencyKey: keyOf(JSON.stringify(customer)) })).id
}

async function createSession(
  account: StripeAccount,
  checkoutMode: CheckoutMode,
  checkout: Checkout,
  { customer, params }: { customer: string; params: Stripe.Checkout.SessionCreateParams },
): Promise<StripeSession> {
  const create = async (idempotencyKey: string) =>
    stripeSession.parse(await account.stripe.checkout.sessions.create(params, { idempotencyKey }))
  // Pools number their checkouts alike and may share an account, so the key includes what is paid for.
  const key = keyOf(
    JSON.stringify([
      checkout.key,
      checkout.checkout_key,
      checkoutMode,
      checkout.return_url,
      checkout.customer,
      checkout.terms,
    ]),
  )
  try {
    return await create(key)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
    // The same checkout was started again later, with another expiry time: the first page is reused, unless it was
    // closed.
    const sessions = await findSessions(account, checkout, { customer })
    return sessions.find(({ status }) => status === 'open') ?? create(keyOf(`${key} ${checkout.now.toISOString()}`))
  }
}

/** Stripe accepts an expiry time of 30 minutes to 24 hours. */
const CHECKOUT_SECONDS = 60 * 60

async function sessionOf(
  account: StripeAccount,
  checkoutMode: CheckoutMode,
  checkout: Checkout,
  customer: string,
): Promise<Stripe.Checkout.SessionCreateParams> {
  const { terms, subscription_id, checkout_key, now } = checkout
  const billing = billingOf(terms)
  const price = await priceOf(account, terms)
  const coupon = billing.coupon && (await couponOf(account, terms, billing.coupon))
  const isSplit = billing.first_line_minor !== undefined
  const trial_end = Math.floor(trialEnd(terms, now).getTime() / 1000)
  const firstItem = billing.first_line_minor ? [firstLine(terms.title, terms.currency, billing.first_line_minor)] : []
  return {
    mode: 'subscription',
    customer,
    client_reference_id: `${subscription_id}`,
    // Cards, and the wallets that use one: paid or declined at once.
    allowed_payment_method_types: ['card'],
    line_items: [{ price, quantity: 1 }, ...firstItem],
    ...(coupon ? { discounts: [{ coupon }] } : {}),
    ...(checkoutMode === 'embedded' ? embeddedParams(checkout) : hostedParams(checkout)),
    expires_at: Math.floor(now.getTime() / 1000) + CHECKOUT_SECONDS,
    metadata: { subscription_id: `${subscription_id}`, checkout_key },
    subscription_data: {
      ...(isSplit ? { trial_end } : {}),
      metadata: {
        subscription_id: `${subscription_id}`,
        checkout_key,
        plan_id: `${terms.plan_id}`,
        is_trial: terms.first_price_minor < terms.price_minor ? 'yes' : 'no',
        first_discount_minor: `${amountOf(terms, 1).discount_minor}`,
        ...(isSplit ? { first_period_end: `${trial_end}` } : {}),
      },
    },
  }
}

const embeddedParams = ({ return_url }: Checkout) => ({ ui_mode: 'elements' as const, return_url })
const hostedParams = ({ return_url, cancel_url }: Checkout) => ({ success_url: return_url, cancel_url })

const firstLine = (title: string, currency: string, unit_amount: number) => ({
  price_data: { currency: currency.toLowerCase(), unit_amount, product_data: { name: `${title}: first period` } },
  quantity: 1,
})

/** Cancels, and stops retries of failed payments. */
async function cancel(account: StripeAccount, at: AtGateway): Promise<GatewayEvent[]> {
  const events = await setRenewal(account, at, { is_cancelled: true })
  const { data } = await account.stripe.invoices.list({ subscription: subscriptionOf(at), status: 'open', limit: 100 })
  for (const { id } of data) if (id) await account.stripe.invoices.voidInvoice(id)
  return events
}

async function setRenewal(
  account: StripeAccount,
  at: AtGateway,
  { is_cancelled }: { is_cancelled: boolean },
): Promise<GatewayEvent[]> {
  const { gateway_ref, subscription_id, now } = at
  try {
    await account.stripe.subscriptions.update(subscriptionOf(at), { cancel_at_period_end: is_cancelled })
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    // It may have ended at Stripe without the pool having been notified yet.
    const events = await fetchFacts(account, at)
    if (events.some(({ facts }) => facts.some(({ kind }) => kind === 'terminated'))) return events
    throw error
  }
  const facts = [{ kind: 'cancelled' as const, is_cancelled }]
  return [fetchedEvent({ at: now, gateway_ref, subscription_id, facts }, now.toISOString())]
}

/** Closes the page. If it was just paid, returns the payment instead. */
async function abandon(account: StripeAccount, at: AtGateway): Promise<GatewayEvent[]> {
  if (at.gateway_ref) return fetchFacts(account, at)
  const sessions = await findSessions(account, at, at)
  for (const { id } of sessions.filter(({ status }) => status === 'open')) {
    try {
      await account.stripe.checkout.sessions.expire(id)
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      return fetchFacts(account, at)
    }
  }
  if (sessions.some(({ subscription }) => subscription)) return fetchFacts(account, at)
  const { subscription_id, now } = at
  return [
    fetchedEvent({
      at: now,
      gateway_ref: null,
      subscription_id,
      facts: [{ kind: 'abandoned', failure_reason: ABANDONED_MESSAGE }],
    }),
  ]
}

async function refund(
  { stripe }: StripeAccount,
  at: AtGateway,
  order: Parameters<Gateway['refund']>[1],
): Promise<GatewayEvent[]> {
  const invoice = stripeInvoice.parse(await stripe.invoices.retrieve(order.charge_ref, { expand: ['payments'] }))
  const paid = invoice.payments?.data.find(({ payment }) => payment.payment_intent ?? payment.charge)?.payment
  const payment_intent = paid?.payment_intent ?? invoice.payment_intent
  const charge = paid?.charge ?? invoice.charge
  if (!payment_intent && !charge)
    throw new PaymentDeclinedError('Nothing was charged for this payment, so there is nothing to refund.')
  const created = stripeRefund.parse(
    await stripe.refunds.create(
      {
        ...(payment_intent ? { payment_intent } : { charge: charge ?? '' }),
        amount: order.amount_minor,
        reason: 'requested_by_customer',
        metadata: {
          charge_ref: order.charge_ref,
          subscription_id: `${at.subscription_id}`,
          ...(at.gateway_ref ? { gateway_ref: at.gateway_ref } : {}),
          reason: order.reason.slice(0, 400),
        },
      },
      { idempotencyKey: `${order.key}-refund` },
    ),
  )
  const facts = refundFacts(created, order.charge_ref)
  if (facts.length === 0)
    throw new PaymentDeclinedError('Stripe couldn’t refund this payment. See your Stripe dashboard for details.')
  const { gateway_ref, subscription_id, now } = at
  return [fetchedEvent({ at: now, gateway_ref, subscription_id, facts })]
}

async function readWebhook(
  account: StripeAccount,
  { webhookSecret }: StripeConfig,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<GatewayEvent[]> {
  const sent = verifyEvent(account, webhookSecret, raw, headers['stripe-signature'])
  const read = stripeEvent.safeParse(sent)
  if (!read.success) throw new ApiError('invalid_request', 'This version of Dubplate can’t read this Stripe event.')
  const event = read.data
  try {
    const isOtherMode = typeof event.livemode === 'boolean' && event.livemode !== (account.mode === 'live')
    return isOtherMode ? [await readOtherMode(event, account)] : await readSameMode(event, account)
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error
    throw new UnreadableEventError({ event_id: event.id, type: event.type, at: new Date(event.created * 1000) }, error)
  }
}

async function readSameMode(event: StripeEvent, account: StripeAccount): Promise<GatewayEvent[]> {
  if (event.type === 'checkout.session.completed') {
    const session = stripeSession.parse(event.data.object)
    if (session.mode === 'setup') return cardChanged(account, event, session)
  }
  return [await readEvent(event, account.lookups)]
}

/**
 * Nothing of the other mode can be fetched with this key; only its payments are recorded, so that staff can see them.
 */
async function readOtherMode(event: StripeEvent, account: StripeAccount): Promise<GatewayEvent> {
  const isPayment = event.type === 'invoice.paid' || event.type === 'invoice.payment_succeeded'
  if (!isPayment)
    return {
      event_id: event.id,
      at: new Date(event.created * 1000),
      gateway_ref: null,
      subscription_id: null,
      facts: [],
    }
  const read = await readEvent(event, account.lookups)
  return {
    ...read,
    facts: read.facts.map((fact) => (fact.kind === 'charge' ? { ...fact, is_other_mode: true } : fact)),
  }
}

/** docs.stripe.com/webhooks/signature: HMAC-SHA256 of timestamp and raw body, at most five minutes old. */
function verifyEvent({ stripe }: StripeAccount, secret: string, raw: Buffer, signature: string | string[] | undefined) {
  try {
    return stripe.webhooks.constructEvent(raw, typeof signature === 'string' ? signature : '', secret)
  } catch {
    throw new ApiError('invalid_signature', 'Invalid Stripe webhook signature.')
  }
}
