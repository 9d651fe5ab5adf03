import * as z from 'zod/mini'

/**
 * The fields of Stripe's objects that the pool reads. Responses have the API version of the request; a webhook has the
 * version the operator's account had when the webhook was created. Fields have moved between them
 * (docs.stripe.com/changelog, 2025-03-31 basil), so each is read in both places.
 */

/** An object, or only its id when it was not expanded. */
const reference = z.pipe(
  z.nullish(z.union([z.string(), z.object({ id: z.string() })])),
  z.transform((options) => (typeof options === 'string' ? options : (options?.id ?? null))),
)
const metadata = z.pipe(
  z.nullish(z.record(z.string(), z.string())),
  z.transform((options) => options ?? {}),
)

export const stripeEvent = z.object({
  id: z.string(),
  type: z.string(),
  created: z.number(),
  livemode: z.nullish(z.boolean()),
  data: z.object({ object: z.unknown(), previous_attributes: z.optional(z.unknown()) }),
})
export type StripeEvent = z.output<typeof stripeEvent>

export const stripeSession = z.object({
  id: z.string(),
  mode: z.nullish(z.string()),
  status: z.nullish(z.string()),
  url: z.nullish(z.string()),
  /** Only for sessions that are paid in Stripe's frames. */
  client_secret: z.nullish(z.string()),
  client_reference_id: z.nullish(z.string()),
  customer: reference,
  subscription: reference,
  setup_intent: reference,
  metadata,
})
export type StripeSession = z.output<typeof stripeSession>

export const stripePaymentMethod = z.object({
  id: z.string(),
  type: z.string(),
  card: z.nullish(
    z.object({
      brand: z.string(),
      last4: z.nullish(z.string()),
      exp_month: z.number(),
      exp_year: z.number(),
      wallet: z.nullish(z.object({ type: z.string() })),
    }),
  ),
})
export type StripePaymentMethod = z.output<typeof stripePaymentMethod>

export const stripeSubscription = z.object({
  id: z.string(),
  status: z.string(),
  customer: reference,
  metadata,
  cancel_at_period_end: z.nullish(z.boolean()),
  cancel_at: z.nullish(z.number()),
  default_payment_method: z.nullish(z.union([z.string(), stripePaymentMethod])),
  latest_invoice: reference,
  items: z.object({ data: z.array(z.object({ id: z.string(), current_period_end: z.nullish(z.number()) })) }),
  /** Until 2025. */
  current_period_end: z.nullish(z.number()),
})
export type StripeSubscription = z.output<typeof stripeSubscription>

const amounts = z.nullish(z.array(z.object({ amount: z.number() })))

export const stripeInvoice = z.object({
  id: z.string(),
  status: z.nullish(z.string()),
  billing_reason: z.nullish(z.string()),
  amount_due: z.number(),
  amount_paid: z.number(),
  currency: z.string(),
  created: z.number(),
  attempt_count: z.nullish(z.number()),
  customer: reference,
  metadata,
  total_discount_amounts: amounts,
  /** After discounts, with tax, before the customer's credit. */
  total: z.nullish(z.number()),
  /** Taxes added on top, or within the price. The first field is used since 2025, the second before. */
  total_taxes: z.nullish(z.array(z.object({ amount: z.number(), tax_behavior: z.nullish(z.string()) }))),
  total_tax_amounts: z.nullish(z.array(z.object({ amount: z.number(), inclusive: z.nullish(z.boolean()) }))),
  lines: z.object({
    data: z.array(z.object({ amount: z.number(), period: z.object({ start: z.number(), end: z.number() }) })),
  }),
  parent: z.nullish(z.object({ subscription_details: z.nullish(z.object({ subscription: reference, metadata })) })),
  /** Only when it was expanded. */
  payments: z.nullish(
    z.object({
      data: z.array(z.object({ payment: z.object({ payment_intent: reference, charge: reference }) })),
    }),
  ),
  /** These four were used until 2025. */
  subscription: reference,
  subscription_details: z.nullish(z.object({ metadata })),
  payment_intent: reference,
  charge: reference,
})
export type StripeInvoice = z.output<typeof stripeInvoice>

export const stripeRefund = z.object({
  id: z.string(),
  amount: z.number(),
  status: z.nullish(z.string()),
  payment_intent: reference,
  charge: reference,
  metadata,
})
export type StripeRefund = z.output<typeof stripeRefund>

/** A chargeback by a cardholder's bank. */
export const stripeDispute = z.object({ id: z.string(), amount: z.number(), payment_intent: reference })
export type StripeDispute = z.output<typeof stripeDispute>

export const stripeCharge = z.object({
  id: z.string(),
  amount_refunded: z.number(),
  payment_intent: reference,
  /** Until 2025. */
  invoice: reference,
})
