import type { billing } from '@dubplate/contract'
import { amountOf, type CouponTerms, termsOf } from '../gateways/amounts.ts'
import type { AtGateway, GatewayName, Interval, Terms } from '../gateways/gateway.ts'
import type { Sql } from '../platform/db.ts'
import type { PaidPeriod, Status } from './subscription-state.ts'

/** A requested change of plan whose result is not known yet. */
export type PendingPlanChange = { key: string; due_now_minor: number; at: string }

/** A subscription as stored. */
export type Subscription = {
  subscription_id: number
  checkout_key: string
  customer_id: number
  plan_id: number
  title: string
  gateway: GatewayName
  gateway_ref: string | null
  payer_ref: string | null
  method: billing.PaymentMethod
  card_brand: string
  card_last_four: string
  card_expires_on: Date | null
  method_as_of: Date | null
  price_minor: number
  first_price_minor: number
  currency: string
  interval: Interval
  is_trial: boolean
  coupon_terms: CouponTerms | null
  checkout_ends_at: Date
  confirmed_at: Date | null
  start_failed_at: Date | null
  cancelled_as_of: Date | null
  is_cancelled: boolean
  has_ended: boolean
  is_abandoned: boolean
  /** When staff ended it. */
  ended_at: Date | null
  next_plan_id: number | null
  next_price_minor: number | null
  next_from: Date | null
  next_keeps_coupon: boolean
  pending_change: PendingPlanChange | null
  failure_reason: string
  status: Status
  paid_until: Date | null
  access_until: Date | null
  next_check_at: Date | null
  created_at: Date
}

/** The columns of a subscription `s` and its plan `p`. */
export const columns = (sql: Sql) => sql`
  s.subscription_id, s.checkout_key, s.customer_id, s.plan_id, p.title, s.gateway, s.gateway_ref, s.payer_ref, s.method, s.card_brand,
  s.card_last_four, s.card_expires_on, s.method_as_of, s.price_minor, s.first_price_minor, s.currency, s.interval,
  s.is_trial, s.coupon_terms, s.checkout_ends_at, s.confirmed_at, s.start_failed_at, s.cancelled_as_of, s.is_cancelled, s.has_ended,
  s.is_abandoned, s.ended_at, s.next_plan_id, s.next_price_minor, s.next_from, s.next_keeps_coupon, s.pending_change, s.failure_reason, s.status, s.paid_until, s.access_until,
  s.next_check_at, s.created_at`

/** Reads a subscription and locks its row, so that changes are made one at a time. */
export async function lockSubscription(sql: Sql, subscriptionId: number): Promise<Subscription | undefined> {
  const [locked] = await sql<Subscription[]>`
    select ${columns(sql)} from subscription s join plan p using (plan_id)
    where s.subscription_id = ${subscriptionId} for update of s`
  return locked
}

export async function readSubscription(sql: Sql, subscriptionId: number): Promise<Subscription | undefined> {
  const [found] = await sql<Subscription[]>`
    select ${columns(sql)} from subscription s join plan p using (plan_id) where s.subscription_id = ${subscriptionId}`
  return found
}

/** The open subscription or checkout of a member. */
export async function findOpenSubscription(sql: Sql, customerId: number): Promise<Subscription | undefined> {
  const [open] = await sql<Subscription[]>`
    select ${columns(sql)} from subscription s join plan p using (plan_id)
    where s.customer_id = ${customerId} and s.status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')`
  return open
}

/** The open subscription, else the last that was ever paid, else the last. */
export async function findLastSubscription(sql: Sql, customerId: number): Promise<Subscription | undefined> {
  const [last] = await sql<Subscription[]>`
    select ${columns(sql)} from subscription s join plan p using (plan_id) where s.customer_id = ${customerId}
    order by s.status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled') desc,
      s.status = 'failed', s.subscription_id desc
    limit 1`
  return last
}

/** The current terms, or the terms of the next plan if its change has taken effect by `from`. */
export function termsOfSubscription(subscription: Subscription, from?: Date): Terms {
  const { next_plan_id, next_price_minor, next_from, next_keeps_coupon, pending_change } = subscription
  const isAgreed = next_plan_id && next_price_minor !== null && next_from && !pending_change
  const isNext = isAgreed && from && next_from <= from
  const { title, currency, interval } = subscription
  return {
    ...termsOf(
      {
        plan_id: isNext ? next_plan_id : subscription.plan_id,
        title,
        currency,
        interval,
        price_minor: isNext ? next_price_minor : subscription.price_minor,
        trial_price_minor: subscription.is_trial ? subscription.first_price_minor : 0,
      },
      { isNew: true, coupon: isNext && !next_keeps_coupon ? undefined : (subscription.coupon_terms ?? undefined) },
    ),
  }
}

/** The payments for periods, without upgrades, which pay for the rest of one. */
export const paidPeriods = <C extends Pick<PaidPeriod, 'status' | 'reason'>>(charges: readonly C[]): C[] =>
  charges.filter(({ status, reason }) => status === 'paid' && reason !== 'upgrade')

/** The amount of the next payment. */
export const nextAmount = (subscription: Subscription, charges: readonly Pick<PaidPeriod, 'status' | 'reason'>[]) =>
  amountOf(termsOfSubscription(subscription, subscription.paid_until ?? undefined), paidPeriods(charges).length + 1)

/** The data of a subscription that its gateway needs. */
export async function atGateway(sql: Sql, subscription: Subscription, now: Date): Promise<AtGateway> {
  const [customer] = await sql<AtGateway['customer'][]>`
    select customer_id, email, coalesce(nullif(trim(firstname || ' ' || lastname), ''), dj_name) as name
    from customer where customer_id = ${subscription.customer_id}`
  if (!customer) throw new Error(`Member ${subscription.customer_id} not found`)
  const { subscription_id, checkout_key, gateway_ref, payer_ref } = subscription
  return {
    subscription_id,
    checkout_key,
    gateway_ref,
    payer_ref,
    customer,
    terms: termsOfSubscription(subscription),
    now,
  }
}
