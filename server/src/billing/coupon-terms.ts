import { coupons, type ParsedInputOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { isAccepted } from '../gateways/currencies.ts'
import { toMinor } from '../gateways/money.ts'
import { fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'

/** The state of the coupon with the alias `c` at a time. */
export const stateOf = (sql: Sql, now: Date) => sql`
  case when c.ends_at <= ${now}
      or c.max_uses <= (select count(*) from coupon_use u where u.coupon_id = c.coupon_id) then 'ended'
    when c.starts_at > ${now} then 'scheduled' else 'active' end`

type CouponUsage = { starts_at: Date | null; ends_at: Date | null; max_uses: number | null; uses: number }

/** The state of a coupon that was read. */
export function couponState({ ends_at, max_uses, uses, starts_at }: CouponUsage, now: Date): coupons.Coupon['state'] {
  if ((ends_at && ends_at <= now) || (max_uses !== null && uses >= max_uses)) return 'ended'
  return starts_at && starts_at > now ? 'scheduled' : 'active'
}

type CouponInput = Omit<ParsedInputOf<typeof coupons.saveCoupon>, 'coupon_id' | 'version' | 'code'>

/** A coupon's terms as stored. */
export function termsOf({ amount, starts_at, ends_at, ...input }: CouponInput) {
  const { currency, plan_ids } = input
  const amount_minor = amount === null ? null : toMinor(amount)
  return {
    ...input,
    amount_minor,
    currency: amount_minor === null ? null : currency,
    starts_at: starts_at === null ? null : new Date(starts_at),
    ends_at: ends_at === null ? null : new Date(ends_at),
    plan_ids: plan_ids && [...new Set(plan_ids)].sort((a, b) => a - b),
  }
}

type DiscountInput = Pick<CouponInput, 'percent' | 'amount' | 'currency'>
type PeriodInput = Pick<CouponInput, 'starts_at' | 'ends_at'>

/** Throws `invalid_coupon_terms`, with the invalid fields, and `unknown_plan`, both at once if both apply. */
export const checkTerms = (sql: Sql, terms: CouponInput): Promise<void> =>
  throwAllErrors([
    () => checkDiscount(terms),
    () => checkPeriod(terms),
    () => terms.plan_ids && rejectUnknownPlans(sql, terms.plan_ids),
  ])

const wrongTerm = (field: string, sentence: string): never => {
  throw fieldError('invalid_coupon_terms', field, sentence)
}

const checkDiscount = ({ percent, amount, currency }: DiscountInput): Promise<void> =>
  throwAllErrors([
    () =>
      (percent === null) === (amount === null) &&
      wrongTerm('percent', 'Enter a discount: either a percentage or an amount.'),
    () => amount !== null && toMinor(amount) === 0 && wrongTerm('amount', 'Enter a discount greater than zero.'),
    () =>
      amount !== null &&
      (currency === null || !isAccepted(currency)) &&
      wrongTerm('currency', 'Enter a currency with two decimals, such as EUR.'),
  ])

function checkPeriod({ starts_at, ends_at }: PeriodInput): void {
  if (starts_at && ends_at && starts_at >= ends_at) wrongTerm('ends_at', 'The end date must be after the start date.')
}

const discountInput = z.pick(coupons.saveCoupon.input, { percent: true, amount: true, currency: true })
const periodInput = z.pick(coupons.saveCoupon.input, { starts_at: true, ends_at: true })

/** Checks the terms of a coupon while other fields are blank or invalid. */
export function checkRawTerms(sql: Sql, rawInput: { plan_ids?: unknown }): Promise<void> {
  const discount = parsed(discountInput, rawInput)
  const period = parsed(periodInput, rawInput)
  const planIds = parsed(coupons.saveCoupon.input.shape.plan_ids, rawInput.plan_ids)
  return throwAllErrors([
    () => discount && checkDiscount(discount),
    () => period && checkPeriod(period),
    () => planIds && rejectUnknownPlans(sql, planIds),
  ])
}

/** The plans stay locked to the end of the transaction, so that nobody can remove one before the coupon is visible. */
async function rejectUnknownPlans(sql: Sql, planIds: readonly number[]): Promise<void> {
  const known = await sql`
    select 1 from plan where plan_id = any(${[...planIds]}::bigint[]) order by plan_id for key share`
  if (known.length < new Set(planIds).size) throw fieldError('unknown_plan', 'plan_ids', UNKNOWN_PLAN_MESSAGE)
}

const UNKNOWN_PLAN_MESSAGE = 'One of the selected plans no longer exists. Choose again.'
