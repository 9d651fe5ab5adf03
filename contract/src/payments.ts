import * as z from 'zod/mini'
import { agreement } from './billing.ts'
import { endpoint, forBilling, id, integerBetween, nothing, optionalId, page, pagination, search } from './endpoint.ts'
import { amount, range } from './money.ts'

/** Payments that were made or are pending, and refunds. */

const staffPayment = z.object({
  charge_id: z.nullable(z.number()),
  subscription_id: z.number(),
  customer_id: z.number(),
  dj_name: z.string(),
  email: z.string(),
  plan_name: z.string(),
  gateway: z.string(),
  payment_method: z.string(),
  amount: z.string(),
  /** Amount refunded. */
  refunded: z.string(),
  currency: z.string(),
  /** The payment reference of a bank transfer; '' for all other payments. */
  reference: z.string(),
  /** `waiting`: ordered by bank transfer and not marked as paid yet. */
  status: z.enum(['waiting', 'paid', 'failed', 'refunded', 'partly_refunded']),
  failure_reason: z.string(),
  at: z.string(),
  invoice_number: z.nullable(z.string()),
})
export type StaffPayment = z.output<typeof staffPayment>

export const STAFF_PAYMENT_STATES = ['waiting', 'paid', 'failed', 'refunded'] as const

export const getPayments = endpoint({
  ...forBilling,
  path: 'staff/payments.json',
  summary: 'List payments by state: pending bank transfers oldest first, all others newest first.',
  input: z.object({
    state: z._default(z.enum(STAFF_PAYMENT_STATES), 'paid'),
    /** Part of a DJ name, email address or invoice number; a whole transfer reference. */
    search,
    customer_id: optionalId('customer_id'),
    subscription_id: optionalId('subscription_id'),
    gateway: z._default(z.string().check(z.maxLength(20)), ''),
    /** Exact amount, in any currency. Does not filter pending transfers. */
    amount: z.optional(z.nullable(amount())),
    ...range,
    page,
  }),
  reply: z.object({
    payments: z.array(staffPayment),
    /** `review`: payments that differ from what was agreed (getPaymentReviews). */
    counts: z.object({ waiting: z.number(), failed: z.number(), review: z.number() }),
    gateways: z.array(z.string()),
    /** True if members have test clocks that staff can advance (the sandbox). */
    has_test_clocks: z.boolean(),
    pagination,
  }),
})

export const markPaid = endpoint({
  ...forBilling,
  path: 'staff/mark-paid.json',
  summary: 'Mark a bank transfer or cash payment as paid, for the first or the next period of a subscription.',
  input: z.object({ subscription_id: id('subscription_id') }),
  reply: z.object({ payment: staffPayment }),
  errors: ['unknown_payment', 'no_payment_due'],
})

export const refundPayment = endpoint({
  ...forBilling,
  confirmed: true,
  path: 'staff/refund.json',
  summary: 'Refund a payment in full or in part. A full refund ends the paid period immediately.',
  input: z.object({
    charge_id: id('charge_id'),
    /** Decimal; everything that can still be refunded if missing. */
    amount: z.optional(amount('Enter an amount with up to two decimals.')),
    reason: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  }),
  reply: z.object({ payment: staffPayment }),
  errors: ['unknown_payment', 'refund_exceeds_charge', 'provider_unavailable', 'payment_declined', 'confirm_identity'],
})

export const moveClock = endpoint({
  ...forBilling,
  path: 'staff/move-clock.json',
  summary: 'Advance a member’s test clock (test mode only), so that renewals and expiries happen now.',
  input: z.object({
    customer_id: id('customer_id'),
    days: integerBetween(1, 400, 'Enter a whole number from 1 to 400.'),
  }),
  reply: z.object({ agreement: z.nullable(agreement) }),
  errors: ['test_clock_unavailable', 'unknown_member'],
})

const gatewayState = z.object({
  gateway: z.string(),
  /** `unchecked`: the pool has just started. */
  state: z.enum(['up', 'down', 'unchecked']),
  reason: z.enum(['', 'keys_rejected', 'unreachable', 'timeout', 'rate_limited', 'provider_error', 'request_rejected']),
  /** Why it is down, as a sentence without secrets. */
  detail: z.string(),
  /** When the outage began or ended. */
  since: z.nullable(z.string()),
  checked_at: z.nullable(z.string()),
})
export type GatewayState = z.output<typeof gatewayState>

export const getGatewayStates = endpoint({
  ...forBilling,
  path: 'staff/gateway-states.json',
  summary: 'Get the state of each payment provider: whether it responds and accepts the configured keys.',
  input: nothing,
  reply: z.object({ gateways: z.array(gatewayState) }),
})

export const checkGateways = endpoint({
  ...forBilling,
  path: 'staff/check-gateways.json',
  summary: 'Check each payment provider now.',
  input: nothing,
  method: 'POST',
  reply: z.object({ gateways: z.array(gatewayState) }),
})

const paymentReview = z.object({
  review_id: z.number(),
  gateway: z.string(),
  /** The provider's id of the payment, subscription or event. */
  ref: z.string(),
  gateway_ref: z.nullable(z.string()),
  subscription_id: z.nullable(z.number()),
  customer_id: z.nullable(z.number()),
  dj_name: z.nullable(z.string()),
  plan_name: z.nullable(z.string()),
  reason: z.enum(['amount', 'currency', 'period', 'plan', 'mode', 'unlinked', 'unreadable']),
  /** What was agreed, as a sentence. */
  detail: z.string(),
  /** Null if the provider has not reported an amount. */
  amount: z.nullable(z.string()),
  currency: z.string(),
  period_start: z.nullable(z.string()),
  period_end: z.nullable(z.string()),
  /** False for an event that could not be read: it can only be marked as handled. */
  can_accept: z.boolean(),
  at: z.string(),
})
export type PaymentReview = z.output<typeof paymentReview>

export const getPaymentReviews = endpoint({
  ...forBilling,
  path: 'staff/payment-reviews.json',
  summary:
    'List payments that differ from what was agreed or match no checkout, oldest first. They have no effect until they are accepted.',
  input: z.object({ page }),
  reply: z.object({ reviews: z.array(paymentReview), pagination }),
})

export const decidePaymentReview = endpoint({
  ...forBilling,
  path: 'staff/decide-payment-review.json',
  summary: 'Accept a payment that needs review, which pays for its period, or mark it as handled, which has no effect.',
  input: z.object({ review_id: id('review_id'), decision: z.enum(['accept', 'handled']) }),
  reply: nothing,
  errors: ['unknown_payment', 'conflict'],
})
