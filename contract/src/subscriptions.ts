import * as z from 'zod/mini'
import { PAYMENT_METHODS } from './billing.ts'
import { endpoint, forBilling, id, optionalId, page, pagination, person, search } from './endpoint.ts'
import { amount } from './money.ts'
import { interval } from './plans.ts'

/** Who subscribes to what, and what staff do about it. */

export const SUBSCRIPTIONS_PER_PAGE = 25
export const SUBSCRIPTION_STATES = [
  'pending',
  'trialing',
  'active',
  'past_due',
  'cancel_scheduled',
  'ended',
  'failed',
] as const
const subscriptionState = z.enum(SUBSCRIPTION_STATES)
export type SubscriptionState = z.output<typeof subscriptionState>

const subscriptionListItem = z.object({
  subscription_id: z.number(),
  customer_id: z.number(),
  dj_name: z.string(),
  email: z.string(),
  plan_id: z.number(),
  plan_name: z.string(),
  price: z.string(),
  currency: z.string(),
  interval,
  status: subscriptionState,
  gateway: z.string(),
  method: z.object({
    kind: z.enum(PAYMENT_METHODS),
    brand: z.string(),
    last_four: z.string(),
    expires: z.string(),
  }),
  /** Null where no payment is to come. */
  next_payment_at: z.nullable(z.string()),
  next_amount: z.nullable(z.string()),
  access_until: z.nullable(z.string()),
  created_at: z.string(),
  /** '' without one. */
  coupon_code: z.string(),
  /** Why the last payment failed; '' when it did not. */
  trouble: z.string(),
})
export type ListedSubscription = z.output<typeof subscriptionListItem>

export const getSubscriptions = endpoint({
  ...forBilling,
  path: 'staff/subscriptions.json',
  summary: 'List subscriptions, newest first. Failed checkouts are only included on request.',
  input: z.object({
    state: z.optional(subscriptionState),
    plan_id: optionalId('plan_id'),
    gateway: z._default(z.string().check(z.maxLength(20)), ''),
    customer_id: optionalId('customer_id'),
    /** Part of a DJ name or an address; a reference of a transfer, or what the provider calls it, as a whole. */
    search,
    page,
  }),
  reply: z.object({
    subscriptions: z.array(subscriptionListItem),
    counts: z.record(subscriptionState, z.number()),
    plans: z.array(z.object({ plan_id: z.number(), title: z.string() })),
    gateways: z.array(z.string()),
    pagination,
  }),
})

const subscriptionEvent = z.object({
  at: z.string(),
  /** A word of subscription_event, or `paid`, `payment_failed_once`, `refunded`. */
  what: z.string(),
  detail: z.string(),
  /** Of a payment or refund. */
  amount: z.nullable(z.string()),
  charge_id: z.nullable(z.number()),
  invoice_id: z.nullable(z.number()),
  invoice_number: z.nullable(z.string()),
  /** Who of staff did it. */
  by: z.nullable(person),
})
export type SubscriptionEvent = z.output<typeof subscriptionEvent>

const subscriptionDetails = z.extend(subscriptionListItem, {
  gateway_ref: z.string(),
  paid_until: z.nullable(z.string()),
  /** The plan it changes to with the next period; '' where it stays. */
  next_plan_name: z.string(),
  /** What of the running period can still be given back, and what the days that are left of it come to. */
  refundable: z.string(),
  unused: z.string(),
  can_cancel: z.boolean(),
  can_resume: z.boolean(),
  can_end: z.boolean(),
  /** Oldest first. */
  history: z.array(subscriptionEvent),
})
export type SubscriptionDetails = z.output<typeof subscriptionDetails>

export const getSubscription = endpoint({
  ...forBilling,
  path: 'staff/subscription.json',
  summary: 'Get a subscription with its history.',
  input: z.object({ subscription_id: id('subscription_id') }),
  reply: z.object({ subscription: subscriptionDetails }),
  errors: ['unknown_subscription'],
})

/** Of each deed: which subscription, how it stood when it was looked at, and why it is done. */
const auditEntry = {
  subscription_id: id('subscription_id'),
  seen: subscriptionState,
  reason: z
    .string('Enter a reason. Your colleagues will see it.')
    .check(
      z.trim(),
      z.minLength(1, 'Enter a reason. Your colleagues will see it.'),
      z.maxLength(500, 'Use at most 500 characters.'),
    ),
}
const SUBSCRIPTION_ACTION_ERRORS = ['unknown_subscription', 'conflict', 'provider_unavailable'] as const

export const cancelSubscription = endpoint({
  ...forBilling,
  path: 'staff/cancel-subscription.json',
  summary: 'Cancel a member’s subscription at the end of the paid period. The member is notified by email.',
  input: z.object(auditEntry),
  reply: z.object({ subscription: subscriptionDetails }),
  errors: [...SUBSCRIPTION_ACTION_ERRORS, 'payment_in_progress', 'no_active_subscription'],
})

export const resumeSubscription = endpoint({
  ...forBilling,
  path: 'staff/resume-subscription.json',
  summary: 'Resume a member’s cancelled subscription.',
  input: z.object(auditEntry),
  reply: z.object({ subscription: subscriptionDetails }),
  errors: [...SUBSCRIPTION_ACTION_ERRORS, 'cannot_resume', 'no_active_subscription'],
})

export const endSubscription = endpoint({
  ...forBilling,
  path: 'staff/end-subscription.json',
  summary: 'End a subscription immediately, optionally with a refund. The member is notified by email.',
  input: z.object({ ...auditEntry, refund: z.optional(amount()) }),
  reply: z.object({
    subscription: subscriptionDetails,
    /** Why nothing was given back, though it was asked for; '' where it was. It is ended all the same. */
    refund_trouble: z.string(),
  }),
  /** `confirm_identity`: with a refund, like a refund alone. */
  errors: [...SUBSCRIPTION_ACTION_ERRORS, 'refund_exceeds_charge', 'confirm_identity'],
})
