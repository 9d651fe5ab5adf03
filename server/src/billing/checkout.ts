import { createHash, randomBytes } from 'node:crypto'
import type { billing } from '@dubplate/contract'
import { termsOf } from '../gateways/amounts.ts'
import { Declined, type Gateway, ProviderAway, type Terms } from '../gateways/gateway.ts'
import { gatewayFor, gatewayNamed, gatewayOf } from '../gateways/gateways.ts'
import { ownEvent } from '../gateways/own-event.ts'
import { DOWNLOADING_GROUP } from '../membership/asker.ts'
import { holdPayer, type Payer } from '../membership/payment-status.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { untangled } from '../platform/untangled.ts'
import { timeOf } from './clock.ts'
import { type Coupon, holdCoupon } from './coupons.ts'
import { applyEvents, linkRef } from './ledger.ts'
import { tellOfOrder } from './notices.ts'
import { checkOrder } from './order-check.ts'
import type { Paying } from './paying.ts'
import { findPlan, isNew } from './plans.ts'
import { settle } from './settle.ts'
import { CHECKOUT_MINUTES, daysAfter, TRANSFER_DAYS } from './standing.ts'
import { atGateway, openSubscription, readSubscription, type Subscription } from './subscriptions.ts'

export type Wish = {
  customer_id: number
  plan_id: number
  coupon: string
  method: billing.PaymentMethod
  /** In the sandbox alone. */
  card?: billing.PaymentForm
  wallet_token?: string
}

export type Opened = { subscription_id: number; is_paid: boolean; url: string | null }

/**
 * Begins to pay for a plan: one checkout for each member. Refuses what a plan, a coupon or a way of paying refuses,
 * `already_subscribed`, `payment_in_progress`, `payment_declined` and `provider_unavailable`.
 */
export async function startCheckout(paying: Paying, wish: Wish): Promise<Opened> {
  const gateway = gatewayFor(paying.gateways, wish.method)
  await clearTheWay(paying, wish.customer_id)
  const opened = await untangled(paying.sql, (sql) => openCheckout(sql, paying, gateway, wish))
  const { subscription_id, checkout_key, terms, payer, token, now } = opened
  const { publicUrl } = paying.config
  const returnsTo = wish.method === 'paypal' ? `confirm-payment/${token}` : `success/${subscription_id}`
  const at = { subscription_id, gateway_ref: null, now }
  const whenAway = (error: ProviderAway) => releaseStart(paying, gateway, at, error, wish.method)
  const started = await heedingTrouble(paying, gateway, { at, whenAway }, () =>
    gateway.start({
      subscription_id,
      checkout_key,
      key: `checkout-${subscription_id}`,
      customer: { customer_id: payer.customer_id, email: payer.email, name: payer.name },
      terms,
      method: wish.method,
      ...(wish.card ? { card: wish.card } : {}),
      ...(wish.wallet_token ? { wallet_token: wish.wallet_token } : {}),
      return_url: `${publicUrl}/subscription/${returnsTo}`,
      cancel_url: `${publicUrl}/subscription/failed`,
      now,
    }),
  )
  await linkRef(paying.sql, { subscription_id, gateway_ref: null }, started.gateway_ref)
  await applyEvents(paying, gateway.name, started.events)
  return { ...(await outcomeOf(paying.sql, subscription_id)), url: started.url }
}

/** How a checkout stands. Refuses `payment_declined` where it came to nothing. */
export async function outcomeOf(
  sql: Sql,
  subscriptionId: number,
): Promise<{ subscription_id: number; is_paid: boolean }> {
  const subscription = await readSubscription(sql, subscriptionId)
  if (!subscription || subscription.status === 'failed') throw declined(subscription?.trouble)
  return { subscription_id: subscriptionId, is_paid: subscription.paid_until !== null }
}

const declined = (trouble = ''): Refusal =>
  new Refusal('payment_declined', trouble || 'The payment didn’t go through. Try again or use another payment method.')

type At = { subscription_id: number; gateway_ref: string | null; now: Date }

const METHOD_NAMES: Record<billing.PaymentMethod, string> = {
  credit_card: 'Card payments are',
  paypal: 'PayPal is',
  mobile_wallet: 'Wallet payments are',
  bank_transfer: 'Bank transfers are',
}

/** Where the provider certainly did nothing the checkout is over at once; otherwise it stays until another one is started. */
async function releaseStart(
  paying: Paying,
  gateway: Gateway,
  at: At,
  { isCertain }: ProviderAway,
  method: billing.PaymentMethod,
): Promise<Refusal> {
  if (!isCertain) {
    await paying.sql`update subscription set start_failed_at = ${at.now} where subscription_id = ${at.subscription_id}`
    return providerAway()
  }
  await applyEvents(paying, gateway.name, [ownEvent(at, [{ kind: 'given_up', trouble: '' }])])
  return new Refusal(
    'provider_unavailable',
    `${METHOD_NAMES[method]} unavailable at the moment. You have not been charged. Choose another way to pay, or try again later.`,
  )
}

/** Runs what speaks with a provider; a no ends the checkout, silence leaves everything as it is. */
async function heedingTrouble<T>(
  paying: Paying,
  gateway: Gateway,
  { at, whenAway }: { at: At; whenAway: (error: ProviderAway) => Promise<Refusal> },
  speak: () => Promise<T>,
): Promise<T> {
  try {
    return await speak()
  } catch (error) {
    if (error instanceof ProviderAway) throw await whenAway(error)
    // Whatever else it was, the provider may have done it: nothing is given up for that.
    if (!(error instanceof Declined) && !(error instanceof Refusal)) throw error
    const trouble = error.message
    await applyEvents(paying, gateway.name, [ownEvent(at, [{ kind: 'given_up', trouble }])])
    throw error instanceof Declined ? declined(trouble) : error
  }
}

export const providerAway = (): Refusal =>
  new Refusal(
    'provider_unavailable',
    'The payment provider isn’t responding. You haven’t been charged twice. Try again in a minute, or choose another payment method.',
  )

/**
 * A checkout that was left open makes room for a new one, once its provider takes no money for it any more. Refuses
 * `already_subscribed`, and `payment_in_progress` where the member has said go.
 */
async function clearTheWay(paying: Paying, customerId: number): Promise<void> {
  const open = await openSubscription(paying.sql, customerId)
  if (!open) return
  if (open.status !== 'pending') throw alreadySubscribed()
  if (isBeingConfirmed(open, await timeOf(paying.sql, paying, customerId)) || isBeingStarted(open, paying.now())) {
    throw underWay()
  }
  await abandon(paying, open).catch((error) => leaveOpen(paying, open, error))
  const after = await readSubscription(paying.sql, open.subscription_id)
  if (after?.status === 'pending') throw underWay()
  if (after && after.status !== 'failed') throw alreadySubscribed()
}

/**
 * A page that cannot be closed because its provider is away does not keep its member from paying another way: it ends by
 * itself within the hour, and what is paid twice is given back.
 */
async function leaveOpen(paying: Paying, open: Subscription, error: unknown): Promise<void> {
  const isHosted = paying.gateways.get(open.gateway)?.renews === 'gateway'
  if (!isHosted || !(error instanceof Refusal) || error.code !== 'provider_unavailable') throw error
  const now = await timeOf(paying.sql, paying, open.customer_id)
  await applyEvents(paying, open.gateway, [ownEvent({ ...open, now }, [{ kind: 'given_up', trouble: '' }])])
}

/** The member has just said go; a provider that has not answered by now is asked, not waited for. */
export const isBeingConfirmed = ({ confirmed_at }: Subscription, now: Date): boolean =>
  confirmed_at !== null && now.getTime() - confirmed_at.getTime() < STARTED_WITHIN_MS

/** Longer than a provider is waited for. */
const STARTED_WITHIN_MS = 60_000

/** Another request speaks with the provider right now; one that ended in the middle is no hindrance for long. */
const isBeingStarted = (
  { gateway, gateway_ref, payer_ref, created_at, start_failed_at }: Subscription,
  now: Date,
): boolean =>
  gateway !== 'manual' &&
  !start_failed_at &&
  !gateway_ref &&
  !payer_ref &&
  now.getTime() - created_at.getTime() < STARTED_WITHIN_MS

const alreadySubscribed = (): Refusal =>
  new Refusal('already_subscribed', 'You already have a subscription. Change your plan in your subscription settings.')
const underWay = (): Refusal =>
  new Refusal('payment_in_progress', 'Your payment is being processed. This usually takes a few seconds.')

/** Makes a checkout one that nobody can pay for any more. What was paid meanwhile is taken in instead. */
export async function abandon(paying: Paying, subscription: Subscription): Promise<void> {
  const gateway = gatewayOf(paying.gateways, subscription)
  const now = await timeOf(paying.sql, paying, subscription.customer_id)
  const at = await atGateway(paying.sql, subscription, now)
  // Without a name at its provider nobody was ever led there; the pool's own gateways look for themselves.
  const isKnown = gateway.renews === 'pool' || subscription.gateway_ref !== null || subscription.payer_ref !== null
  const events = isKnown ? await orAway(gateway.abandon(at)) : [ownEvent(at, [{ kind: 'given_up', trouble: '' }])]
  await applyEvents(paying, gateway.name, events)
}

/** What a provider answers, or the refusal `provider_unavailable`. */
export async function orAway<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProviderAway) throw providerAway()
    if (error instanceof Declined) throw declined(error.message)
    throw error
  }
}

type OpenedRow = { subscription_id: number; checkout_key: string; terms: Terms; payer: Payer; token: string; now: Date }

async function openCheckout(sql: Sql, paying: Paying, gateway: Gateway, wish: Wish): Promise<OpenedRow> {
  const payer = await holdPayer(sql, wish.customer_id)
  const now = await timeOf(sql, paying, wish.customer_id)
  if (payer.status !== 'active') throw new Refusal('session_expired', 'This account no longer exists.')
  if (payer.group_id !== DOWNLOADING_GROUP) {
    throw new Refusal(
      'downloads_not_allowed',
      'This account type doesn’t include downloads, so it doesn’t need a plan.',
    )
  }
  if (await openSubscription(sql, wish.customer_id)) throw underWay()
  await checkOrder(sql, paying, wish.customer_id, wish)
  const plan = await findPlan(sql, wish.plan_id)
  const coupon = wish.coupon
    ? await holdCoupon(sql, { code: wish.coupon, plan, customer_id: wish.customer_id, now })
    : undefined
  const terms = termsOf(plan, { isNew: await isNew(sql, wish.customer_id), coupon })
  const token = randomBytes(24).toString('base64url')
  const subscription = {
    customer_id: wish.customer_id,
    plan_id: plan.plan_id,
    gateway: gateway.name,
    method: wish.method,
    price_minor: terms.price_minor,
    first_price_minor: terms.first_price_minor,
    currency: terms.currency,
    interval: terms.interval,
    is_trial: terms.first_price_minor < terms.price_minor,
    coupon_id: coupon?.coupon_id ?? null,
    coupon_terms: coupon ? sql.json(termsOfCoupon(coupon)) : null,
    return_hash: hashOf(token),
    checkout_ends_at: endOfCheckout(gateway, now),
  }
  const [added] = await sql<{ subscription_id: number; checkout_key: string }[]>`
    insert into subscription ${sql(subscription)} returning subscription_id, checkout_key`
  if (!added) throw new Error('Checkout insert returned no id')
  if (coupon) {
    await sql`
      insert into coupon_use (coupon_id, customer_id, subscription_id)
      values (${coupon.coupon_id}, ${wish.customer_id}, ${added.subscription_id})`
  }
  const opened = await settle(sql, paying, added.subscription_id, now)
  if (wish.method === 'bank_transfer') await tellOfOrder(sql, paying, { payer, subscription: opened })
  return { ...added, terms, payer, token, now }
}

const termsOfCoupon = ({ percent, amount_minor, payments }: Coupon) => ({ percent, amount_minor, payments })

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const endOfCheckout = ({ name }: Gateway, now: Date): Date =>
  name === 'manual' ? daysAfter(now, TRANSFER_DAYS) : new Date(now.getTime() + CHECKOUT_MINUTES * 60_000)

/** How long a provider may take to say that what was approved is paid. */
const CONFIRMED_DAYS = 5

/** The checkout a member came back from their provider with. Refuses `unknown_payment`. */
export async function returnedCheckout(sql: Sql, customerId: number, customerPlan: string): Promise<Subscription> {
  const [found] = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where return_hash = ${hashOf(customerPlan)} and customer_id = ${customerId}`
  const subscription = found && (await readSubscription(sql, found.subscription_id))
  if (!subscription) throw new Refusal('unknown_payment', 'Payment not found. Choose a plan again.')
  return subscription
}

/** Ends what the member approved at the provider: asks there, and grants nothing by itself. Twice is as once. */
export async function confirmCheckout(
  paying: Paying,
  customerId: number,
  { customer_plan_id, payment_token }: { customer_plan_id: string; payment_token: string },
): Promise<{ subscription_id: number; is_paid: boolean }> {
  const { sql } = paying
  const subscription = await returnedCheckout(sql, customerId, customer_plan_id)
  const { subscription_id, status } = subscription
  if (status !== 'pending') return outcomeOf(sql, subscription_id)
  const gateway = gatewayNamed(paying.gateways, subscription.gateway)
  const now = await timeOf(sql, paying, customerId)
  const at = await atGateway(sql, subscription, now)
  const complete = gateway.complete
  if (!complete) throw new Refusal('unknown_payment', 'This payment doesn’t need to be confirmed.')
  await sql`
    update subscription set confirmed_at = ${now}, checkout_ends_at = ${daysAfter(now, CONFIRMED_DAYS)}
    where subscription_id = ${subscription_id} and status = 'pending'`
  const whenAway = async ({ isCertain }: ProviderAway) => {
    // What was approved stays approved: its member can confirm it again, or pay another way.
    if (isCertain) await sql`update subscription set confirmed_at = null where subscription_id = ${subscription_id}`
    return providerAway()
  }
  const events = await heedingTrouble(paying, gateway, { at, whenAway }, () => complete(at, payment_token))
  await applyEvents(paying, gateway.name, events)
  return outcomeOf(sql, subscription_id)
}
