import * as z from 'zod/mini'
import { PAYMENT_METHODS } from './billing.ts'
import { endpoint, forBilling, id, optionalId, page, pagination, person, search } from './endpoint.ts'
import { amount } from './money.ts'
import { interval } from './plans.ts'

/** Subscriptions, and what staff can do with them. */

export const SUBSCRIPTIONS_PER_PAGE = 50
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
  /** Null if no payment is due. */
  next_payment_at: z.nullable(z.string()),
  next_amount: z.nullable(z.string()),
  access_until: z.nullable(z.string()),
  created_at: z.string(),
  /** '' without a coupon. */
  coupon_code: z.string(),
  /** Why the last payment failed; '' if it did not. */
  failure_reason: z.string(),
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
    /** Part of a DJ name or email address; a whole transfer reference or provider id. */
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
  /** A value of subscription_event, or `paid`, `failed`, `started`, `refunded`. */
  kind: z.string(),
  detail: z.string(),
  /** For a payment or refund. */
  amount: z.nullable(z.string()),
  charge_id: z.nullable(z.number()),
  invoice_id: z.nullable(z.number()),
  invoice_number: z.nullable(z.string()),
  /** The staff member who did it. */
  by: z.nullable(person),
})
export type SubscriptionEvent = z.output<typeof subscriptionEvent>

const subscriptionDetails = z.extend(subscriptionListItem, {
  gateway_ref: z.string(),
  paid_until: z.nullable(z.string()),
  /** The plan it changes to with the next period; '' if it does not change. */
  next_plan_name: z.string(),
  /** What can still be refunded of the current period, and the value of its remaining days. */
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

/** For every action: the subscription, its version when it was read, and the reason. */
const subscriptionAction = {
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
  input: z.object(subscriptionAction),
  reply: z.object({ subscription: subscriptionDetails }),
  errors: [...SUBSCRIPTION_ACTION_ERRORS, 'payment_in_progress', 'no_active_subscription'],
})

export const resumeSubscription = endpoint({
  ...forBilling,
  path: 'staff/resume-subscription.json',
  summary: 'Resume a member’s cancelled subscription.',
  input: z.object(subscriptionAction),
  reply: z.object({ subscription: subscriptionDetails }),
  errors: [...SUBSCRIPTION_ACTION_ERRORS, 'cannot_resume', 'no_active_subscription'],
})

export const endSubscription = endpoint({
  ...forBilling,
  path: 'staff/end-subscription.json',
  summary: 'End a subscription immediately, optionally with a refund. The member is notified by email.',
  input: z.object({ ...subscriptionAction, refund: z.optional(amount()) }),
  reply: z.object({
    subscription: subscriptionDetails,
    /** Why a requested refund failed; '' if it did not. The subscription ends in both cases. */
    refund_error: z.string(),
  }),
  /** `confirm_identity`: required with a refund, as for a refund alone. */
  errors: [...SUBSCRIPTION_ACTION_ERRORS, 'refund_exceeds_charge', 'confirm_identity'],
})
