import * as z from 'zod/mini'
import { paymentForm, profileStatus } from './billing.ts'
import { endpoint, id } from './endpoint.ts'

/** Buying a plan: coupons, payment methods, and the return from a payment provider. */

const couponCode = z
  .string('Please enter coupon code')
  .check(
    z.trim(),
    z.minLength(1, 'Please enter coupon code'),
    z.maxLength(40, 'This coupon doesn’t exist. Check the code and try again.'),
  )
/** A coupon code sent with a payment; '' for none. */
const coupon = z._default(
  z.string().check(z.trim(), z.maxLength(40, 'This coupon doesn’t exist. Check the code and try again.')),
  '',
)

export const validateCoupon = endpoint({
  path: 'subscription/validate-coupon.json',
  access: 'customer',
  summary: 'Check whether a coupon is valid for a plan and what it takes off today.',
  input: z.object({ coupon_code: couponCode, subscription_id: id('subscription_id') }),
  reply: z.object({ status: z.boolean(), discount_amount: z.string(), total: z.string(), description: z.string() }),
  errors: ['unknown_plan', 'unknown_coupon', 'coupon_expired', 'coupon_not_applicable', 'coupon_already_used'],
})

const startedCheckout = z.object({
  status: z.boolean(),
  /** Id of the subscription, for the success screen. */
  profile_id: z.nullable(z.number()),
  /** The provider's page to go to next; null if no further step is needed. */
  url: z.nullable(z.string()),
})
export type StartedCheckout = z.output<typeof startedCheckout>

const CHECKOUT_ERRORS = [
  'unknown_plan',
  'unknown_coupon',
  'coupon_expired',
  'coupon_not_applicable',
  'coupon_already_used',
  'downloads_not_allowed',
  'already_subscribed',
  'payment_in_progress',
  'payment_declined',
  'payment_method_unavailable',
  'provider_unavailable',
] as const

export const payByCard = endpoint({
  path: 'subscription/pay-by-card.json',
  access: 'customer',
  summary: 'Pay for a plan by card: with the form in test mode, otherwise on the provider’s page (url).',
  input: z.object({ formData: z.optional(paymentForm), coupon, subscription: id('subscription') }),
  reply: startedCheckout,
  errors: [...CHECKOUT_ERRORS, 'invalid_card_number', 'invalid_expiry_date', 'invalid_cvc'],
})

export const payByPaypal = endpoint({
  path: 'subscription/pay-by-paypal.json',
  access: 'customer',
  summary: 'Start a PayPal payment. The member approves it at url and returns to /subscription/confirm-payment.',
  input: z.object({ payment_method: z.optional(z.unknown()), subscription: id('subscription'), coupon }),
  reply: startedCheckout,
  errors: CHECKOUT_ERRORS,
})

export const payByWallet = endpoint({
  path: 'subscription/pay-by-wallet.json',
  access: 'customer',
  summary: 'Get the payment request for the wallet’s payment sheet.',
  input: z.object({ subscription: id('subscription'), coupon }),
  reply: z.object({
    status: z.boolean(),
    country: z.literal('US'),
    currency: z.string(),
    /** In the currency's smallest unit. */
    amount: z.number(),
    label: z.string(),
    /** The provider's page that offers the wallet; null if the pool shows its own sheet (the sandbox). */
    url: z.nullable(z.string()),
  }),
  errors: CHECKOUT_ERRORS,
})

export const completeWallet = endpoint({
  path: 'subscription/complete-wallet.json',
  access: 'customer',
  summary: 'Complete a payment with the wallet’s response.',
  input: z.object({
    applePay: z.string().check(z.minLength(1), z.maxLength(4000)),
    coupon,
    subscription: id('subscription'),
  }),
  reply: startedCheckout,
  errors: CHECKOUT_ERRORS,
})

export const payByTransfer = endpoint({
  path: 'subscription/pay-by-transfer.json',
  access: 'customer',
  summary: 'Order a plan paid by bank transfer or cash. Staff mark it as paid.',
  input: z.object({ subscription: id('subscription'), coupon }),
  reply: z.object({ status: z.boolean(), profile_id: z.number(), reference: z.string(), instructions: z.string() }),
  errors: CHECKOUT_ERRORS,
})

const token = z.string().check(z.minLength(1), z.maxLength(200))

const returned = {
  /** As in the URL the provider redirects to: /subscription/confirm-payment/{customer_plan_id}?token={token}. */
  customer_plan_id: token,
  service_id: z.optional(z.unknown()),
  payment_method: z.optional(z.unknown()),
}

export const getCustomerPlan = endpoint({
  path: 'subscription/get-customer-plan.json',
  access: 'customer',
  summary:
    'Get the payment a member is about to confirm after returning from PayPal, using the token from the return URL.',
  input: z.object({ ...returned, token }),
  reply: z.object({
    customer_plan_id: z.string(),
    plan_description: z.string(),
    plan_name: z.string(),
    /** The amount to pay, after the discount. */
    amount: z.string(),
    discount_amount: z.string(),
    currency: z.string(),
    payment_token: z.string(),
  }),
  errors: ['unknown_payment'],
})

export const confirmPaypal = endpoint({
  path: 'subscription/confirm-paypal.json',
  access: 'customer',
  summary: 'Complete a PayPal payment. The payment is verified with PayPal; the redirect alone doesn’t grant access.',
  input: z.object({ ...returned, payment_token: token }),
  reply: startedCheckout,
  errors: ['unknown_payment', 'payment_declined', 'provider_unavailable'],
})

export const getPayment = endpoint({
  path: 'subscription/get-payment.json',
  access: 'customer',
  summary:
    'Get the status of a payment. Polled after returning from a provider until the payment is completed or failed.',
  input: z.object({ profile_id: id('profile_id') }),
  reply: z.object({ profile_status: profileStatus, is_paid: z.boolean(), failure_reason: z.string() }),
  errors: ['unknown_payment'],
})

export const getCardFrame = endpoint({
  path: 'subscription/get-card-frame.json',
  access: 'customer',
  summary:
    'Get the data needed to show the provider’s embedded card fields. Returns already_subscribed once the payment is made.',
  input: z.object({ profile_id: id('profile_id') }),
  reply: z.object({
    /** The provider's publishable key; not secret. */
    publishable_key: z.string(),
    /** Allows this one payment to be made. */
    client_secret: z.string(),
    plan_name: z.string(),
    /** The amount to pay today, after the discount. */
    amount: z.string(),
    discount_amount: z.string(),
    currency: z.string(),
    /** Where the member is redirected after the payment. */
    return_url: z.string(),
  }),
  errors: ['unknown_payment', 'already_subscribed', 'payment_declined', 'provider_unavailable'],
})
