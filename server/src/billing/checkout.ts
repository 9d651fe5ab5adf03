import { createHash, randomBytes } from 'node:crypto'
import type { billing } from '@dubplate/contract'
import { termsOf } from '../gateways/amounts.ts'
import { type Gateway, PaymentDeclinedError, ProviderUnavailableError, type Terms } from '../gateways/gateway.ts'
import { gatewayFor, gatewayOf, requireGateway } from '../gateways/gateways.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { DOWNLOAD_GROUP_ID } from '../membership/caller.ts'
import { lockPayer, type Payer } from '../membership/payment-status.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { BillingContext } from './billing-context.ts'
import { currentTimeFor } from './clock.ts'
import { type Coupon, lockCoupon } from './coupons.ts'
import { applyEvents, linkRef } from './ledger.ts'
import { notifyTransferOrder } from './notifications.ts'
import { checkOrder } from './order-check.ts'
import { findPublishedPlan, isNew } from './plans.ts'
import { recomputeSubscription } from './recompute-subscription.ts'
import { CHECKOUT_MINUTES, daysAfter, TRANSFER_DAYS } from './subscription-state.ts'
import { atGateway, findOpenSubscription, readSubscription, type Subscription } from './subscriptions.ts'

export type StartCheckoutParams = {
  customer_id: number
  plan_id: number
  coupon: string
  method: billing.PaymentMethod
  /** Only in the sandbox. */
  card?: billing.PaymentForm
  wallet_token?: string
}

export type StartedCheckout = { subscription_id: number; is_paid: boolean; url: string | null }

/**
 * Starts the payment of a plan, with one checkout per member. Throws the errors of the plan, the coupon and the payment
 * method, `already_subscribed`, `payment_in_progress`, `payment_declined` and `provider_unavailable`.
 */
export async function startCheckout(billingCtx: BillingContext, params: StartCheckoutParams): Promise<StartedCheckout> {
  const gateway = gatewayFor(billingCtx.gateways, params.method)
  await clearOpenCheckout(billingCtx, params.customer_id)
  const opened = await withDeadlockRetry(billingCtx.sql, (sql) => openCheckout(sql, billingCtx, gateway, params))
  const { subscription_id, checkout_key, terms, payer, token, now } = opened
  const { publicUrl } = billingCtx.config
  const returnPath = params.method === 'paypal' ? `confirm-payment/${token}` : `success/${subscription_id}`
  const at = { subscription_id, gateway_ref: null, now }
  const onUnavailable = (error: ProviderUnavailableError) =>
    releaseStartedCheckout(billingCtx, gateway, at, error, params.method)
  const started = await mapProviderErrors(billingCtx, gateway, { at, onUnavailable }, () =>
    gateway.start({
      subscription_id,
      checkout_key,
      key: `checkout-${subscription_id}`,
      customer: { customer_id: payer.customer_id, email: payer.email, name: payer.name },
      terms,
      method: params.method,
      ...(params.card ? { card: params.card } : {}),
      ...(params.wallet_token ? { wallet_token: params.wallet_token } : {}),
      return_url: `${publicUrl}/subscription/${returnPath}`,
      cancel_url: `${publicUrl}/subscription/failed`,
      now,
    }),
  )
  await linkRef(billingCtx.sql, { subscription_id, gateway_ref: null }, started.gateway_ref)
  await applyEvents(billingCtx, gateway.name, started.events)
  return { ...(await checkoutOutcome(billingCtx.sql, subscription_id)), url: started.url }
}

/** Returns the state of a checkout. Throws `payment_declined` if it failed. */
export async function checkoutOutcome(
  sql: Sql,
  subscriptionId: number,
): Promise<{ subscription_id: number; is_paid: boolean }> {
  const subscription = await readSubscription(sql, subscriptionId)
  if (!subscription || subscription.status === 'failed') throw declinedError(subscription?.failure_reason)
  return { subscription_id: subscriptionId, is_paid: subscription.paid_until !== null }
}

const declinedError = (failure_reason = ''): ApiError =>
  new ApiError(
    'payment_declined',
    failure_reason || 'The payment didn’t go through. Try again or use another payment method.',
  )

type CheckoutRef = { subscription_id: number; gateway_ref: string | null; now: Date }

const METHOD_NAMES: Record<billing.PaymentMethod, string> = {
  credit_card: 'Card payments are',
  paypal: 'PayPal is',
  mobile_wallet: 'Wallet payments are',
  bank_transfer: 'Bank transfers are',
}

/**
 * Ends the checkout at once if the provider certainly did nothing; otherwise it stays open until another one is
 * started.
 */
async function releaseStartedCheckout(
  billingCtx: BillingContext,
  gateway: Gateway,
  at: CheckoutRef,
  { isCertain }: ProviderUnavailableError,
  method: billing.PaymentMethod,
): Promise<ApiError> {
  if (!isCertain) {
    await billingCtx.sql`update subscription set start_failed_at = ${at.now} where subscription_id = ${at.subscription_id}`
    return providerUnavailable()
  }
  await applyEvents(billingCtx, gateway.name, [ownEvent(at, [{ kind: 'abandoned', failure_reason: '' }])])
  return new ApiError(
    'provider_unavailable',
    `${METHOD_NAMES[method]} unavailable at the moment. You haven’t been charged. Choose another payment method or try again later.`,
  )
}

/** Runs a call to a provider. A decline ends the checkout; no response leaves everything unchanged. */
async function mapProviderErrors<T>(
  billingCtx: BillingContext,
  gateway: Gateway,
  { at, onUnavailable }: { at: CheckoutRef; onUnavailable: (error: ProviderUnavailableError) => Promise<ApiError> },
  callProvider: () => Promise<T>,
): Promise<T> {
  try {
    return await callProvider()
  } catch (error) {
    if (error instanceof ProviderUnavailableError) throw await onUnavailable(error)
    // After any other error the provider may have done it, so nothing is abandoned.
    if (!(error instanceof PaymentDeclinedError) && !(error instanceof ApiError)) throw error
    const failure_reason = error.message
    await applyEvents(billingCtx, gateway.name, [ownEvent(at, [{ kind: 'abandoned', failure_reason }])])
    throw error instanceof PaymentDeclinedError ? declinedError(failure_reason) : error
  }
}

const providerUnavailable = (): ApiError =>
  new ApiError(
    'provider_unavailable',
    'The payment provider isn’t responding. You haven’t been charged twice. Try again in a minute, or choose another payment method.',
  )

/**
 * Replaces a checkout that was left open, once its provider can take no money for it any more. Throws
 * `already_subscribed`, and `payment_in_progress` if the member has confirmed the payment.
 */
async function clearOpenCheckout(billingCtx: BillingContext, customerId: number): Promise<void> {
  const open = await findOpenSubscription(billingCtx.sql, customerId)
  if (!open) return
  if (open.status !== 'pending') throw alreadySubscribedError()
  if (
    isBeingConfirmed(open, await currentTimeFor(billingCtx.sql, billingCtx, customerId)) ||
    isBeingStarted(open, billingCtx.now())
  ) {
    throw inProgressError()
  }
  await abandonCheckout(billingCtx, open).catch((error) => throwIfStillOpen(billingCtx, open, error))
  const after = await readSubscription(billingCtx.sql, open.subscription_id)
  if (after?.status === 'pending') throw inProgressError()
  if (after && after.status !== 'failed') throw alreadySubscribedError()
}

/**
 * When the provider's payment page cannot be closed because the provider is unavailable, the member can still pay
 * another way: the page expires within an hour, and a double payment is refunded.
 */
async function throwIfStillOpen(billingCtx: BillingContext, open: Subscription, error: unknown): Promise<void> {
  const isHosted = billingCtx.gateways.get(open.gateway)?.renews === 'gateway'
  if (!isHosted || !(error instanceof ApiError) || error.code !== 'provider_unavailable') throw error
  const now = await currentTimeFor(billingCtx.sql, billingCtx, open.customer_id)
  await applyEvents(billingCtx, open.gateway, [ownEvent({ ...open, now }, [{ kind: 'abandoned', failure_reason: '' }])])
}

/**
 * Whether the member has just confirmed the payment; a provider that has not responded by then is asked again instead
 * of waited for.
 */
export const isBeingConfirmed = ({ confirmed_at }: Subscription, now: Date): boolean =>
  confirmed_at !== null && now.getTime() - confirmed_at.getTime() < STARTED_WITHIN_MS

/** Longer than any provider's time limit. */
const STARTED_WITHIN_MS = 60_000

/** Another request is calling the provider right now; one that was interrupted blocks others only for a short time. */
const isBeingStarted = (
  { gateway, gateway_ref, payer_ref, created_at, start_failed_at }: Subscription,
  now: Date,
): boolean =>
  gateway !== 'manual' &&
  !start_failed_at &&
  !gateway_ref &&
  !payer_ref &&
  now.getTime() - created_at.getTime() < STARTED_WITHIN_MS

const alreadySubscribedError = (): ApiError =>
  new ApiError('already_subscribed', 'You already have a subscription. Change your plan under Manage subscription.')
const inProgressError = (): ApiError =>
  new ApiError('payment_in_progress', 'Your payment is being processed. This usually takes a few seconds.')

/**
 * Makes sure that nobody can pay for a checkout any more. If it was paid in the meantime, applies the payment instead.
 */
export async function abandonCheckout(billingCtx: BillingContext, subscription: Subscription): Promise<void> {
  const gateway = gatewayOf(billingCtx.gateways, subscription)
  const now = await currentTimeFor(billingCtx.sql, billingCtx, subscription.customer_id)
  const at = await atGateway(billingCtx.sql, subscription, now)
  // Without a reference at its provider, nobody was led there; the pool's own gateways check this themselves.
  const isKnown = gateway.renews === 'pool' || subscription.gateway_ref !== null || subscription.payer_ref !== null
  const events = isKnown
    ? await throwIfUnavailable(gateway.abandon(at))
    : [ownEvent(at, [{ kind: 'abandoned', failure_reason: '' }])]
  await applyEvents(billingCtx, gateway.name, events)
}

/** Returns the provider's response. Throws `provider_unavailable` when the provider does not respond. */
export async function throwIfUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProviderUnavailableError) throw providerUnavailable()
    if (error instanceof PaymentDeclinedError) throw declinedError(error.message)
    throw error
  }
}

type OpenedCheckout = {
  subscription_id: number
  checkout_key: string
  terms: Terms
  payer: Payer
  token: string
  now: Date
}

async function openCheckout(
  sql: Sql,
  billingCtx: BillingContext,
  gateway: Gateway,
  params: StartCheckoutParams,
): Promise<OpenedCheckout> {
  const payer = await lockPayer(sql, params.customer_id)
  const now = await currentTimeFor(sql, billingCtx, params.customer_id)
  if (payer.status !== 'active') throw new ApiError('session_expired', 'This account no longer exists.')
  if (payer.group_id !== DOWNLOAD_GROUP_ID) {
    throw new ApiError(
      'downloads_not_allowed',
      'This account type doesn’t include downloads, so it doesn’t need a plan.',
    )
  }
  if (await findOpenSubscription(sql, params.customer_id)) throw inProgressError()
  await checkOrder(sql, billingCtx, params.customer_id, params)
  const plan = await findPublishedPlan(sql, params.plan_id)
  const coupon = params.coupon
    ? await lockCoupon(sql, { code: params.coupon, plan, customer_id: params.customer_id, now })
    : undefined
  const terms = termsOf(plan, { isNew: await isNew(sql, params.customer_id), coupon })
  const token = randomBytes(24).toString('base64url')
  const subscription = {
    customer_id: params.customer_id,
    plan_id: plan.plan_id,
    gateway: gateway.name,
    method: params.method,
    price_minor: terms.price_minor,
    first_price_minor: terms.first_price_minor,
    currency: terms.currency,
    interval: terms.interval,
    is_trial: terms.first_price_minor < terms.price_minor,
    coupon_id: coupon?.coupon_id ?? null,
    coupon_terms: coupon ? sql.json(termsOfCoupon(coupon)) : null,
    return_hash: hashOf(token),
    checkout_ends_at: checkoutExpiry(gateway, now),
  }
  const [added] = await sql<{ subscription_id: number; checkout_key: string }[]>`
    insert into subscription ${sql(subscription)} returning subscription_id, checkout_key`
  if (!added) throw new Error('Checkout insert returned no id')
  if (coupon) {
    await sql`
      insert into coupon_use (coupon_id, customer_id, subscription_id)
      values (${coupon.coupon_id}, ${params.customer_id}, ${added.subscription_id})`
  }
  const opened = await recomputeSubscription(sql, billingCtx, added.subscription_id, now)
  if (params.method === 'bank_transfer') await notifyTransferOrder(sql, billingCtx, { payer, subscription: opened })
  return { ...added, terms, payer, token, now }
}

const termsOfCoupon = ({ percent, amount_minor, payments }: Coupon) => ({ percent, amount_minor, payments })

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const checkoutExpiry = ({ name }: Gateway, now: Date): Date =>
  name === 'manual' ? daysAfter(now, TRANSFER_DAYS) : new Date(now.getTime() + CHECKOUT_MINUTES * 60_000)

/** How long a provider may take to confirm that an approved payment is paid. */
const CONFIRMATION_DAYS = 5

/** The checkout that a member returns to from their provider. Throws `unknown_payment`. */
export async function returnedCheckout(sql: Sql, customerId: number, customerPlan: string): Promise<Subscription> {
  const [found] = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where return_hash = ${hashOf(customerPlan)} and customer_id = ${customerId}`
  const subscription = found && (await readSubscription(sql, found.subscription_id))
  if (!subscription) throw new ApiError('unknown_payment', 'Payment not found. Choose a plan again.')
  return subscription
}

/**
 * Completes a payment that the member approved at the provider: asks the provider, and grants nothing by itself.
 * Idempotent.
 */
export async function confirmCheckout(
  billingCtx: BillingContext,
  customerId: number,
  { customer_plan_id, payment_token }: { customer_plan_id: string; payment_token: string },
): Promise<{ subscription_id: number; is_paid: boolean }> {
  const { sql } = billingCtx
  const subscription = await returnedCheckout(sql, customerId, customer_plan_id)
  const { subscription_id, status } = subscription
  if (status !== 'pending') return checkoutOutcome(sql, subscription_id)
  const gateway = requireGateway(billingCtx.gateways, subscription.gateway)
  const now = await currentTimeFor(sql, billingCtx, customerId)
  const at = await atGateway(sql, subscription, now)
  const complete = gateway.complete
  if (!complete) throw new ApiError('unknown_payment', 'This payment doesn’t need to be confirmed.')
  await sql`
    update subscription set confirmed_at = ${now}, checkout_ends_at = ${daysAfter(now, CONFIRMATION_DAYS)}
    where subscription_id = ${subscription_id} and status = 'pending'`
  const onUnavailable = async ({ isCertain }: ProviderUnavailableError) => {
    // The approval remains: the member can confirm it again, or pay another way.
    if (isCertain) await sql`update subscription set confirmed_at = null where subscription_id = ${subscription_id}`
    return providerUnavailable()
  }
  const events = await mapProviderErrors(billingCtx, gateway, { at, onUnavailable }, () => complete(at, payment_token))
  await applyEvents(billingCtx, gateway.name, events)
  return checkoutOutcome(sql, subscription_id)
}
