import * as z from 'zod/mini'
import {
  endpoint,
  fileAddress,
  forBilling,
  id,
  nothing,
  optionalId,
  page,
  pagination,
  search,
  seenVersion,
  whole,
} from './endpoint.ts'
import { amount, currency, sum } from './money.ts'

/** Coupons, and promotions: many codes on the same terms. */

export const COUPON_STATES = ['on', 'to_come', 'over'] as const
export const COUPONS_A_PAGE = 25
export const MOST_CODES = 500

const couponTerms = {
  percent: z.nullable(whole(1, 100, 'Percent is a whole number from 1 to 100.')),
  amount: z.nullable(amount()),
  currency: z.nullable(currency),
  /** From how many payments it is taken off; null: from all of them. */
  payments: z.nullable(whole(1, 120, 'Payments are a whole number from 1 to 120.')),
  most_uses: z.nullable(whole(1, 1_000_000, 'Uses are a whole number from 1 to 1,000,000.')),
  starts_at: z.nullable(z.iso.datetime('This is no moment.')),
  ends_at: z.nullable(z.iso.datetime('This is no moment.')),
  /** Null: of every plan. */
  plan_ids: z.nullable(
    z.array(id('plan_ids')).check(z.minLength(1, 'Choose a plan, or let it be for all.'), z.maxLength(200)),
  ),
}

const CODE = /^[A-Z0-9][A-Z0-9_-]{2,39}$/
const code = z
  .string('Give it a code.')
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(CODE, 'A code has 3 to 40 letters without accents, digits, hyphens and underscores.'),
  )

const coupon = z.object({
  coupon_id: z.number(),
  code: z.string(),
  percent: z.nullable(z.number()),
  amount: z.nullable(z.string()),
  currency: z.nullable(z.string()),
  payments: z.nullable(z.number()),
  most_uses: z.nullable(z.number()),
  starts_at: z.nullable(z.string()),
  ends_at: z.nullable(z.string()),
  plan_ids: z.nullable(z.array(z.number())),
  state: z.enum(COUPON_STATES),
  /** `20% off your first 3 payments` */
  words: z.string(),
  uses: z.number(),
  /** Of payments that were made. */
  took_off: z.array(sum),
  /** Null where it stands for itself. */
  promotion: z.nullable(z.object({ promotion_id: z.number(), title: z.string() })),
  version: z.number(),
})
export type Coupon = z.output<typeof coupon>

const promotion = z.object({
  promotion_id: z.number(),
  title: z.string(),
  /** Of one of its coupons. */
  words: z.string(),
  created_at: z.string(),
  codes: z.number(),
  /** Codes that can be used now, or are to come. */
  open: z.number(),
  uses: z.number(),
  took_off: z.array(sum),
})
export type Promotion = z.output<typeof promotion>

export const getCoupons = endpoint({
  ...forBilling,
  path: 'staff/coupons.json',
  summary: 'Coupons, the newest first; those of promotions only by their promotion, or searched for.',
  input: z.object({
    state: z.optional(z.enum(COUPON_STATES)),
    /** The beginning of a code. */
    search,
    promotion_id: optionalId('promotion_id'),
    page,
  }),
  reply: z.object({
    coupons: z.array(coupon),
    promotions: z.array(promotion),
    /** To choose from. */
    plans: z.array(z.object({ plan_id: z.number(), title: z.string(), currency: z.string() })),
    counts: z.object({ on: z.number(), to_come: z.number(), over: z.number() }),
    pagination,
  }),
})

const REFUSED_TERMS = ['unknown_plan', 'coupon_terms'] as const

export const saveCoupon = endpoint({
  ...forBilling,
  path: 'staff/save-coupon.json',
  summary: 'Makes a coupon, or changes one. Once it was used, its code and what it takes off stay as they are.',
  input: z.object({
    coupon_id: z.optional(id('coupon_id')),
    version: z.optional(seenVersion),
    code,
    ...couponTerms,
  }),
  reply: z.object({ coupon }),
  refusals: [...REFUSED_TERMS, 'coupon_gone', 'code_taken', 'coupon_in_use', 'changed_meanwhile'],
})

export const endCoupon = endpoint({
  ...forBilling,
  path: 'staff/end-coupon.json',
  summary: 'Ends a coupon now. Whoever used it keeps it.',
  input: z.object({ coupon_id: id('coupon_id'), version: seenVersion }),
  reply: z.object({ coupon }),
  refusals: ['coupon_gone', 'changed_meanwhile'],
})

export const makeCode = endpoint({
  ...forBilling,
  path: 'staff/make-coupon-code.json',
  summary: 'A code that nobody has, without letters that are taken for digits.',
  input: nothing,
  reply: z.object({ code: z.string() }),
})

export const makeCoupons = endpoint({
  ...forBilling,
  path: 'staff/make-coupons.json',
  summary: `Makes up to ${MOST_CODES} codes on the same terms at once: a promotion.`,
  input: z.object({
    title: z
      .string('Give it a name.')
      .check(z.trim(), z.minLength(1, 'Give it a name.'), z.maxLength(80, 'A name has at most 80 characters.')),
    count: whole(1, MOST_CODES, `One promotion has 1 to ${MOST_CODES} codes.`),
    /** What the codes begin with. */
    prefix: z._default(
      z
        .string()
        .check(
          z.trim(),
          z.toUpperCase(),
          z.regex(/^([A-Z0-9]{1,20})?$/, 'At most 20 letters without accents and digits.'),
        ),
      '',
    ),
    ...couponTerms,
  }),
  reply: z.object({ promotion }),
  refusals: REFUSED_TERMS,
})

export const endPromotion = endpoint({
  ...forBilling,
  path: 'staff/end-promotion.json',
  summary: 'Ends all codes of a promotion now. Whoever used one keeps it.',
  input: z.object({ promotion_id: id('promotion_id') }),
  reply: z.object({ promotion }),
  refusals: ['coupon_gone', 'changed_meanwhile'],
})

export const getCodesFile = endpoint({
  ...forBilling,
  path: 'staff/codes-file.json',
  summary: 'Where the codes of a promotion are fetched as CSV: a signed address that ends with the session.',
  input: z.object({ promotion_id: id('promotion_id') }),
  reply: fileAddress,
  refusals: ['coupon_gone'],
})
