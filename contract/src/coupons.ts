import * as z from 'zod/mini'
import {
  endpoint,
  fileAddress,
  forBilling,
  id,
  integerBetween,
  nothing,
  optionalId,
  page,
  pagination,
  search,
  versionInput,
} from './endpoint.ts'
import { amount, currency, sum } from './money.ts'

/** Coupons, and promotions: batches of codes with the same terms. */

export const COUPON_STATES = ['active', 'scheduled', 'ended'] as const
export const COUPONS_PER_PAGE = 25
export const MAX_CODES = 500

const couponTerms = {
  percent: z.nullable(integerBetween(1, 100, 'Enter a whole number from 1 to 100.')),
  amount: z.nullable(amount()),
  currency: z.nullable(currency),
  /** The number of payments the discount applies to; null for all. */
  payments: z.nullable(integerBetween(1, 120, 'Enter a whole number of payments from 1 to 120.')),
  max_uses: z.nullable(integerBetween(1, 1_000_000, 'Enter a whole number of uses from 1 to 1,000,000.')),
  starts_at: z.nullable(z.iso.datetime('Enter a valid date and time.')),
  ends_at: z.nullable(z.iso.datetime('Enter a valid date and time.')),
  /** Null for every plan. */
  plan_ids: z.nullable(
    z
      .array(id('plan_ids'))
      .check(z.minLength(1, 'Choose at least one plan, or make the coupon valid for all plans.'), z.maxLength(200)),
  ),
}

const CODE = /^[A-Z0-9][A-Z0-9_-]{2,39}$/
const code = z
  .string('Enter a code.')
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(CODE, 'Use 3 to 40 characters: letters A–Z, digits, hyphens and underscores.'),
  )

const coupon = z.object({
  coupon_id: z.number(),
  code: z.string(),
  percent: z.nullable(z.number()),
  amount: z.nullable(z.string()),
  currency: z.nullable(z.string()),
  payments: z.nullable(z.number()),
  max_uses: z.nullable(z.number()),
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  plan_ids: z.nullable(z.array(z.number())),
  state: z.enum(COUPON_STATES),
  /** `20% off your first 3 payments` */
  description: z.string(),
  uses: z.number(),
  /** Discounts on payments that were made. */
  discounts: z.array(sum),
  /** Null for a coupon without a promotion. */
  promotion: z.nullable(z.object({ promotion_id: z.number(), title: z.string() })),
  version: z.number(),
})
export type Coupon = z.output<typeof coupon>

const promotion = z.object({
  promotion_id: z.number(),
  title: z.string(),
  /** The terms of one of its coupons, such as `20% off your first 3 payments`. */
  description: z.string(),
  created_at: z.string(),
  codes: z.number(),
  /** Codes that can be used now or later. */
  open: z.number(),
  uses: z.number(),
  discounts: z.array(sum),
})
export type Promotion = z.output<typeof promotion>

export const getCoupons = endpoint({
  ...forBilling,
  path: 'staff/coupons.json',
  summary: 'List coupons, newest first. Promotion codes are only included when filtered by promotion or searched for.',
  input: z.object({
    state: z.optional(z.enum(COUPON_STATES)),
    /** The start of a code. */
    search,
    promotion_id: optionalId('promotion_id'),
    page,
  }),
  reply: z.object({
    coupons: z.array(coupon),
    promotions: z.array(promotion),
    /** The plans to choose from. */
    plans: z.array(z.object({ plan_id: z.number(), title: z.string(), currency: z.string() })),
    counts: z.object({ active: z.number(), scheduled: z.number(), ended: z.number() }),
    pagination,
  }),
})

const COUPON_TERMS_ERRORS = ['unknown_plan', 'invalid_coupon_terms'] as const

export const saveCoupon = endpoint({
  ...forBilling,
  path: 'staff/save-coupon.json',
  summary: 'Create or update a coupon. Once it has been used, its code and discount can’t be changed.',
  input: z.object({
    coupon_id: z.optional(id('coupon_id')),
    version: z.optional(versionInput),
    code,
    ...couponTerms,
  }),
  reply: z.object({ coupon }),
  errors: [...COUPON_TERMS_ERRORS, 'coupon_not_found', 'code_taken', 'coupon_in_use', 'conflict'],
})

export const endCoupon = endpoint({
  ...forBilling,
  path: 'staff/end-coupon.json',
  summary: 'Deactivate a coupon. Existing discounts stay.',
  input: z.object({ coupon_id: id('coupon_id'), version: versionInput }),
  reply: z.object({ coupon }),
  errors: ['coupon_not_found', 'conflict'],
})

export const makeCode = endpoint({
  ...forBilling,
  path: 'staff/make-coupon-code.json',
  summary: 'Generate an unused code without characters that look alike.',
  input: nothing,
  reply: z.object({ code: z.string() }),
})

export const makeCoupons = endpoint({
  ...forBilling,
  path: 'staff/make-coupons.json',
  summary: `Create a promotion: up to ${MAX_CODES} coupon codes with the same terms.`,
  input: z.object({
    title: z
      .string('Enter a name.')
      .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(80, 'Use at most 80 characters.')),
    count: integerBetween(1, MAX_CODES, `Enter a number of codes from 1 to ${MAX_CODES}.`),
    /** The prefix of the codes. */
    prefix: z._default(
      z
        .string()
        .check(z.trim(), z.toUpperCase(), z.regex(/^([A-Z0-9]{1,20})?$/, 'Use up to 20 letters A–Z and digits.')),
      '',
    ),
    ...couponTerms,
  }),
  reply: z.object({ promotion }),
  errors: COUPON_TERMS_ERRORS,
})

export const endPromotion = endpoint({
  ...forBilling,
  path: 'staff/end-promotion.json',
  summary: 'Deactivate all codes of a promotion. Existing discounts stay.',
  input: z.object({ promotion_id: id('promotion_id') }),
  reply: z.object({ promotion }),
  errors: ['coupon_not_found', 'conflict'],
})

export const getCodesFile = endpoint({
  ...forBilling,
  path: 'staff/codes-file.json',
  summary: 'Get a signed CSV download link for a promotion’s codes. The link expires with the session.',
  input: z.object({ promotion_id: id('promotion_id') }),
  reply: fileAddress,
  errors: ['coupon_not_found'],
})
