import * as z from 'zod/mini'
import { day, endpoint, fileAddress, id, integerBetween, nothing, page, pagination } from './endpoint.ts'
import { planFeatures } from './plan-features.ts'

/** A member's plan: the available plans, the current subscription and its payments. */

/** The payment methods a member can use. */
export const PAYMENT_METHODS = ['credit_card', 'paypal', 'mobile_wallet', 'bank_transfer'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** Card types as the specification's list spells them. */
export const CARD_TYPES = ['Visa', 'MasterCard', 'Discover', 'Amex'] as const
export type CardType = (typeof CARD_TYPES)[number]

/**
 * The state of a subscription as a member sees it. `CREATED`: a payment is in progress · `Active`: everything is paid,
 * also during a trial · `Past due`: a renewal failed · `Cancelled`: ends with the paid period · `Ended`.
 */
export const PROFILE_STATUSES = ['CREATED', 'Active', 'Past due', 'Cancelled', 'Ended'] as const
export const profileStatus = z.enum(PROFILE_STATUSES)
export type ProfileStatus = z.output<typeof profileStatus>

const yesNoFlag = z.enum(['yes', 'no'])

/** Amounts are decimal strings with two places, in the plan's currency. */
const plan = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string(),
  price: z.string(),
  /** What the first period costs a member who has never paid; '0.00' if it costs the normal price. */
  trial_price: z.string(),
  /** ISO 4217. */
  currency: z.string(),
  /** The spelling older clients use; `is_premium` has the same value. */
  is_premimum: yesNoFlag,
  is_premium: yesNoFlag,
  subscription_type_id: z.number(),
  /** What staff wrote about the plan in addition to its features, as sanitised HTML. */
  features: z.string(),
  interval: z.enum(['month', 'year']),
  ...planFeatures,
})
export type Plan = z.output<typeof plan>

export const getPlans = endpoint({
  path: 'subscription/get-plans.json',
  access: 'public',
  summary: 'List the published plans and the available payment methods.',
  input: z.object({
    subscription_type_id: z._default(integerBetween(1, 99, 'subscription_type_id must be an integer.'), 1),
  }),
  reply: z.object({
    plans: z.array(plan),
    methods: z.array(z.enum(PAYMENT_METHODS)),
    /** `form`: card details are entered in the pool's own form (sandbox only); `hosted`: on the provider's page. */
    cards: z.enum(['form', 'hosted']),
    /** True if no real money is charged. */
    is_sandbox: z.boolean(),
  }),
})

export const getPlan = endpoint({
  path: 'subscription/get-plan.json',
  access: 'public',
  summary: 'Get a plan.',
  input: z.object({ plan_id: id('plan_id') }),
  reply: z.object({
    plan,
    /** What the first period costs the caller: the trial price if the plan has one and they never had a plan. */
    first_price: z.string(),
  }),
  errors: ['unknown_plan'],
})

const method = z.object({
  kind: z.enum(PAYMENT_METHODS),
  /** Card brand, such as `Visa`; '' if it is not a card. */
  brand: z.string(),
  last_four: z.string(),
  /** `MM/YY`; '' if it is not a card. */
  expires: z.string(),
})
export type StoredPaymentMethod = z.output<typeof method>

export const agreement = z.object({
  subscription_id: z.number(),
  subscription_title: z.string(),
  plan_id: z.number(),
  plan_price: z.string(),
  currency: z.string(),
  created_at: z.string(),
  profile_status: profileStatus,
  interval: z.enum(['month', 'year']),
  /** When the next payment is due; null if none is due. */
  next_payment_date: z.nullable(z.string()),
  /** The amount due then, with any coupon that still applies. */
  next_amount: z.nullable(z.string()),
  payment_method: method,
  /** Until when music can be downloaded: the paid period and the grace period after it. */
  access_until: z.nullable(z.string()),
  is_trial: z.boolean(),
  /** The plan it changes to with the next period; null if it does not change. */
  next_plan_id: z.nullable(z.number()),
  /** Why the last payment failed; '' if it did not. */
  failure_reason: z.string(),
  /** Whether a cancellation can be undone, and whether the card can be changed here. */
  can_resume: z.boolean(),
  can_update_card: z.boolean(),
  /** For a pending bank transfer. */
  transfer: z.nullable(z.object({ reference: z.string(), amount: z.string(), instructions: z.string() })),
})
export type Agreement = z.output<typeof agreement>

export const getAgreement = endpoint({
  path: 'subscription/get-customer-agreement.json',
  access: 'customer',
  summary: 'Get the member’s subscription: the open one, otherwise the most recent one, or null if there is none.',
  input: nothing,
  reply: z.object({ agreement: z.nullable(agreement) }),
})

/**
 * The specification's form. Only the sandbox receives card details; with other providers they are entered on the
 * provider's page.
 */
export const paymentForm = z.object({
  cardholder_name: z.string().check(z.trim(), z.minLength(1, 'Card Holder Name cannot be blank!'), z.maxLength(120)),
  card_number: z.string().check(z.trim(), z.minLength(1, 'Card Number cannot be blank!'), z.maxLength(30)),
  card_type: z.enum(CARD_TYPES, 'Select card type'),
  expire_date: z.string().check(z.trim(), z.minLength(1, 'Expiry Date cannot be blank!'), z.maxLength(7)),
  ccv: z.string().check(z.trim(), z.minLength(1, 'CCV cannot be blank!'), z.maxLength(4)),
})
export type PaymentForm = z.output<typeof paymentForm>

export const cancelBilling = endpoint({
  path: 'customer/cancel-billing.json',
  access: 'customer',
  summary:
    'Cancel the subscription. Nothing more is charged and the member keeps access until the end of the paid period.',
  input: nothing,
  reply: z.object({ profile_status: profileStatus, access_until: z.nullable(z.string()) }),
  errors: ['no_active_subscription', 'payment_in_progress', 'provider_unavailable'],
})

export const resumeBilling = endpoint({
  path: 'customer/resume-billing.json',
  access: 'customer',
  summary: 'Resume a cancelled subscription before the paid period ends.',
  input: nothing,
  reply: z.object({ agreement }),
  errors: ['no_active_subscription', 'cannot_resume', 'provider_unavailable'],
})

export const cancelFeedback = endpoint({
  path: 'customer/cancel-feedback.json',
  access: 'customer',
  summary: 'Send cancellation feedback.',
  input: z.object({ message: z.string().check(z.trim(), z.minLength(1, 'Enter your feedback.'), z.maxLength(4000)) }),
  reply: nothing,
})

export const quotePlanChange = endpoint({
  path: 'subscription/quote-plan-change.json',
  access: 'customer',
  summary:
    'Get a quote for a plan change: due now for an upgrade (rest of the period), or from the next period for a downgrade.',
  input: z.object({ plan_id: id('plan_id') }),
  reply: z.object({ due_now: z.string(), currency: z.string(), from: z.string(), price: z.string() }),
  errors: ['no_active_subscription', 'unknown_plan', 'already_on_plan'],
})

export const changePlan = endpoint({
  path: 'subscription/change-plan.json',
  access: 'customer',
  summary: 'Change the plan as quoted. Fails if the amount due now has changed since the quote.',
  input: z.object({ plan_id: id('plan_id'), due_now: z.string() }),
  reply: z.object({
    agreement,
    /** The provider's page on which the change must be approved; null if it is already done. */
    url: z.nullable(z.string()),
  }),
  errors: [
    'no_active_subscription',
    'unknown_plan',
    'already_on_plan',
    'quote_changed',
    'payment_in_progress',
    'payment_declined',
    'provider_unavailable',
  ],
})

export const updateCard = endpoint({
  path: 'subscription/update-card.json',
  access: 'customer',
  summary: 'Update the card for future payments. A failed payment is retried immediately.',
  input: z.object({ formData: z.optional(paymentForm) }),
  reply: z.object({ agreement: z.nullable(agreement), url: z.nullable(z.string()) }),
  errors: [
    'no_active_subscription',
    'invalid_card_number',
    'invalid_expiry_date',
    'invalid_cvc',
    'payment_declined',
    'provider_unavailable',
  ],
})

const dateRange = { start_date: z.optional(z.nullable(day)), end_date: z.optional(z.nullable(day)) }

export const BILLING_STATUSES = ['paid', 'failed', 'refunded', 'partly_refunded', 'credit_note'] as const

export const getBilling = endpoint({
  path: 'subscription/get-customer-billing.json',
  access: 'customer',
  summary: 'List charges and refunds, newest first by default.',
  input: z.object({
    page,
    order: z._default(z.enum(['history_id', 'payment_date', 'amount']), 'history_id'),
    orderDir: z._default(z.enum(['ASC', 'DESC']), 'DESC'),
    ...dateRange,
  }),
  reply: z.object({
    billing_history: z.array(
      z.object({
        history_id: z.number(),
        payment_date: z.string(),
        plan_name: z.string(),
        payment_method: z.string(),
        amount: z.string(),
        currency: z.string(),
        status: z.enum(BILLING_STATUSES),
        /** Number of the invoice or credit note; null for a charge that failed. */
        invoice_number: z.nullable(z.string()),
      }),
    ),
    pagination,
  }),
})

export const getInvoice = endpoint({
  path: 'download/get-billing-invoice.json',
  access: 'customer',
  summary: 'Get a download link for one invoice, or all invoices of a date range, as PDF or Excel.',
  input: z.object({
    history_id: z.optional(z.nullable(id('history_id'))),
    format: z.enum(['pdf', 'excel'], 'format must be pdf or excel.'),
    startDate: z.optional(z.nullable(day)),
    endDate: z.optional(z.nullable(day)),
  }),
  reply: fileAddress,
  errors: ['unknown_payment', 'no_invoices', 'too_many_invoices'],
})
