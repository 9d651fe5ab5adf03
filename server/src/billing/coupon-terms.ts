import { coupons, type ParsedInputOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { isTaken } from '../gateways/currencies.ts'
import { asMinor } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { fieldRefusal, refuseTogether } from '../platform/refusal.ts'

/** How a coupon of the alias `c` stands at a moment. */
export const stateOf = (sql: Sql, now: Date) => sql`
  case when c.ends_at <= ${now}
      or c.most_uses <= (select count(*) from coupon_use u where u.coupon_id = c.coupon_id) then 'over'
    when c.starts_at > ${now} then 'to_come' else 'on' end`

type Counted = { starts_at: Date | null; ends_at: Date | null; most_uses: number | null; uses: number }

/** The same of one that was read. */
export function standingOf({ ends_at, most_uses, uses, starts_at }: Counted, now: Date): coupons.Coupon['state'] {
  if ((ends_at && ends_at <= now) || (most_uses !== null && uses >= most_uses)) return 'over'
  return starts_at && starts_at > now ? 'to_come' : 'on'
}

type Typed = Omit<ParsedInputOf<typeof coupons.saveCoupon>, 'coupon_id' | 'version' | 'code'>

/** A coupon's terms as they are kept. */
export function termsOf({ amount, starts_at, ends_at, ...typed }: Typed) {
  const { currency, plan_ids } = typed
  const amount_minor = amount === null ? null : asMinor(amount)
  return {
    ...typed,
    amount_minor,
    currency: amount_minor === null ? null : currency,
    starts_at: starts_at === null ? null : new Date(starts_at),
    ends_at: ends_at === null ? null : new Date(ends_at),
    plan_ids: plan_ids && [...new Set(plan_ids)].sort((a, b) => a - b),
  }
}

type Discount = Pick<Typed, 'percent' | 'amount' | 'currency'>
type Period = Pick<Typed, 'starts_at' | 'ends_at'>

/** Refuses `coupon_terms`, with the fields that are wrong, and `unknown_plan`, all of them at once. */
export const checkTerms = (sql: Sql, terms: Typed): Promise<void> =>
  refuseTogether([
    () => checkDiscount(terms),
    () => checkPeriod(terms),
    () => terms.plan_ids && refuseUnknownPlans(sql, terms.plan_ids),
  ])

const wrongTerm = (field: string, sentence: string): never => {
  throw fieldRefusal('invalid_coupon_terms', field, sentence)
}

const checkDiscount = ({ percent, amount, currency }: Discount): Promise<void> =>
  refuseTogether([
    () =>
      (percent === null) === (amount === null) &&
      wrongTerm('percent', 'Enter a discount: either a percentage or an amount.'),
    () => amount !== null && asMinor(amount) === 0 && wrongTerm('amount', 'Enter a discount greater than zero.'),
    () =>
      amount !== null &&
      (currency === null || !isTaken(currency)) &&
      wrongTerm('currency', 'Enter a currency with two decimals, such as EUR.'),
  ])

function checkPeriod({ starts_at, ends_at }: Period): void {
  if (starts_at && ends_at && starts_at >= ends_at) wrongTerm('ends_at', 'The end date must be after the start date.')
}

const discountInput = z.pick(coupons.saveCoupon.input, { percent: true, amount: true, currency: true })
const periodInput = z.pick(coupons.saveCoupon.input, { starts_at: true, ends_at: true })

/** What can be told of the terms of a coupon while other fields of it are blank or wrong. */
export function checkGivenTerms(sql: Sql, given: { plan_ids?: unknown }): Promise<void> {
  const discount = parsed(discountInput, given)
  const period = parsed(periodInput, given)
  const planIds = parsed(coupons.saveCoupon.input.shape.plan_ids, given.plan_ids)
  return refuseTogether([
    () => discount && checkDiscount(discount),
    () => period && checkPeriod(period),
    () => planIds && refuseUnknownPlans(sql, planIds),
  ])
}

/** Held to the end of the transaction: whoever removes one of these plans meanwhile finds the coupon. */
async function refuseUnknownPlans(sql: Sql, planIds: readonly number[]): Promise<void> {
  const known = await sql`
    select 1 from plan where plan_id = any(${[...planIds]}::bigint[]) order by plan_id for key share`
  if (known.length < new Set(planIds).size) throw fieldRefusal('unknown_plan', 'plan_ids', UNKNOWN_PLAN)
}

const UNKNOWN_PLAN = 'One of the selected plans no longer exists. Choose again.'
