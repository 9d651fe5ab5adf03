import * as z from 'zod/mini'
import { paymentForm, profileStatus } from './billing.ts'
import { endpoint, id } from './endpoint.ts'

/** Buying a plan: coupons, the ways to pay, and the way back from a provider. */

const couponCode = z
  .string('Please enter coupon code')
  .check(z.trim(), z.minLength(1, 'Please enter coupon code'), z.maxLength(40, 'There is no such coupon.'))
/** A coupon that came along with a payment; '' for none. */
const coupon = z._default(z.string().check(z.trim(), z.maxLength(40, 'There is no such coupon.')), '')

export const validateCoupon = endpoint({
  path: 'subscription/validate-coupon.json',
  access: 'customer',
  summary: 'Whether a coupon holds for a plan, and what it takes off today.',
  input: z.object({ coupon_code: couponCode, subscription_id: id('subscription_id') }),
  reply: z.object({ status: z.boolean(), discount_amount: z.string(), total: z.string(), description: z.string() }),
  refusals: ['unknown_plan', 'unknown_coupon', 'coupon_over', 'coupon_not_for_plan', 'coupon_used'],
})

const started = z.object({
  status: z.boolean(),
  /** Of the subscription: for the success screen. */
  profile_id: z.nullable(z.number()),
  /** Where the member goes next: the provider's page; null when there is nothing more to do. */
  url: z.nullable(z.string()),
})
export type Started = z.output<typeof started>

const STARTING = [
  'unknown_plan',
  'unknown_coupon',
  'coupon_over',
  'coupon_not_for_plan',
  'coupon_used',
  'not_a_downloading_member',
  'already_subscribed',
  'payment_under_way',
  'payment_declined',
  'method_not_offered',
  'provider_away',
] as const

export const payByCard = endpoint({
  path: 'subscription/pay-by-card.json',
  access: 'customer',
  summary: 'Pays a plan by card: with the form in the sandbox, else on the provider’s page (url).',
  input: z.object({ formData: z.optional(paymentForm), coupon, subscription: id('subscription') }),
  reply: started,
  refusals: [...STARTING, 'card_number_wrong', 'card_expired', 'ccv_wrong'],
})

export const payByPaypal = endpoint({
  path: 'subscription/pay-by-paypal.json',
  access: 'customer',
  summary:
    'Begins a payment with PayPal: the member approves it at url and comes back to /subscription/confirm-payment.',
  input: z.object({ payment_method: z.optional(z.unknown()), subscription: id('subscription'), coupon }),
  reply: started,
  refusals: STARTING,
})

export const payByWallet = endpoint({
  path: 'subscription/pay-by-wallet.json',
  access: 'customer',
  summary: 'What the wallet’s sheet is opened with.',
  input: z.object({ subscription: id('subscription'), coupon }),
  reply: z.object({
    status: z.boolean(),
    country: z.literal('US'),
    currency: z.string(),
    /** In the smallest unit. */
    amount: z.number(),
    label: z.string(),
    /** The provider’s page, where the wallet is offered there; null where the sheet is the pool’s own (the sandbox). */
    url: z.nullable(z.string()),
  }),
  refusals: STARTING,
})

export const completeWallet = endpoint({
  path: 'subscription/complete-wallet.json',
  access: 'customer',
  summary: 'Ends a payment with what the wallet’s sheet gave.',
  input: z.object({
    applePay: z.string().check(z.minLength(1), z.maxLength(4000)),
    coupon,
    subscription: id('subscription'),
  }),
  reply: started,
  refusals: STARTING,
})

export const payByTransfer = endpoint({
  path: 'subscription/pay-by-transfer.json',
  access: 'customer',
  summary: 'Orders a plan that is paid by bank transfer or in cash; staff marks it paid.',
  input: z.object({ subscription: id('subscription'), coupon }),
  reply: z.object({ status: z.boolean(), profile_id: z.number(), reference: z.string(), instructions: z.string() }),
  refusals: STARTING,
})

const token = z.string().check(z.minLength(1), z.maxLength(200))

const returned = {
  /** As in the address the provider leads back to: /subscription/confirm-payment/{customer_plan_id}?token={token}. */
  customer_plan_id: token,
  service_id: z.optional(z.unknown()),
  payment_method: z.optional(z.unknown()),
}

export const getCustomerPlan = endpoint({
  path: 'subscription/get-customer-plan.json',
  access: 'customer',
  summary:
    'What a member who comes back from PayPal is about to confirm; the token is of the address they came back to.',
  input: z.object({ ...returned, token }),
  reply: z.object({
    customer_plan_id: z.string(),
    plan_description: z.string(),
    plan_name: z.string(),
    /** What is paid, the discount already off. */
    amount: z.string(),
    discount_amount: z.string(),
    currency: z.string(),
    payment_token: z.string(),
  }),
  refusals: ['unknown_payment'],
})

export const confirmPaypal = endpoint({
  path: 'subscription/confirm-paypal.json',
  access: 'customer',
  summary: 'Ends a payment with PayPal. It asks PayPal; the return by itself grants nothing.',
  input: z.object({ ...returned, payment_token: token }),
  reply: started,
  refusals: ['unknown_payment', 'payment_declined', 'provider_away'],
})

export const getPayment = endpoint({
  path: 'subscription/get-payment.json',
  access: 'customer',
  summary: 'How a payment stands: what the screens after a provider’s page ask until it is decided.',
  input: z.object({ profile_id: id('profile_id') }),
  reply: z.object({ profile_status: profileStatus, is_paid: z.boolean(), trouble: z.string() }),
  refusals: ['unknown_payment'],
})

export const getCardFrame = endpoint({
  path: 'subscription/get-card-frame.json',
  access: 'customer',
  summary:
    'What the page of a card payment needs to show the provider’s fields, at a pool where cards are typed into them; refused as already_subscribed when it is paid.',
  input: z.object({ profile_id: id('profile_id') }),
  reply: z.object({
    /** The pool’s name at the provider; no secret. */
    publishable_key: z.string(),
    /** Lets this one payment be made. */
    client_secret: z.string(),
    plan_name: z.string(),
    /** What is paid today, the discount already off. */
    amount: z.string(),
    discount_amount: z.string(),
    currency: z.string(),
    /** Where the member goes once it is paid. */
    return_url: z.string(),
  }),
  refusals: ['unknown_payment', 'already_subscribed', 'payment_declined', 'provider_away'],
})
