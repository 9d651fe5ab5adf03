import type { CouponTerms } from '../gateways/amounts.ts'
import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { PlanRow } from './plans.ts'

export type Coupon = CouponTerms & {
  coupon_id: number
  code: string
  currency: string | null
  max_uses: number | null
  starts_at: Date | null
  ends_at: Date | null
  plan_ids: number[] | null
}

/** Without a plan only what applies to every plan is checked. */
type FindCouponParams = { code: string; plan: PlanRow | undefined; customer_id: number; now: Date }

/**
 * Returns a coupon that is valid for this member and plan now. Throws `unknown_coupon`, `coupon_expired`,
 * `coupon_not_applicable` or `coupon_already_used`.
 */
export async function findCoupon(sql: Sql, params: FindCouponParams): Promise<Coupon> {
  return checkCoupon(sql, await readCoupon(sql, params.code), params)
}

/** Does the same for a checkout, and locks the coupon's row so that its last use is given out once. */
export async function lockCoupon(sql: Sql, params: FindCouponParams): Promise<Coupon> {
  await sql`select 1 from coupon where code = ${params.code.toUpperCase()} for update`
  return findCoupon(sql, params)
}

async function readCoupon(sql: Sql, code: string): Promise<Coupon & { uses: number }> {
  const [coupon] = await sql<(Coupon & { uses: number })[]>`
    select coupon_id, code, percent, amount_minor, currency, payments, max_uses, starts_at, ends_at, plan_ids,
      (select count(*)::int from coupon_use u where u.coupon_id = c.coupon_id) as uses
    from coupon c where code = ${code.toUpperCase()}`
  if (!coupon) throw new ApiError('unknown_coupon', 'This coupon doesn’t exist. Check the code and try again.')
  return coupon
}

async function checkCoupon(sql: Sql, coupon: Coupon & { uses: number }, { plan, customer_id, now }: FindCouponParams) {
  const { starts_at, ends_at, max_uses, uses, plan_ids, currency } = coupon
  if (starts_at && now < starts_at)
    throw new ApiError('unknown_coupon', 'This coupon doesn’t exist. Check the code and try again.')
  if ((ends_at && now >= ends_at) || (max_uses !== null && uses >= max_uses)) {
    throw new ApiError('coupon_expired', 'This coupon has expired.')
  }
  if (plan && ((plan_ids && !plan_ids.includes(plan.plan_id)) || (currency && currency !== plan.currency))) {
    throw new ApiError('coupon_not_applicable', `This coupon isn’t valid for ${plan.title}.`)
  }
  const [used] = await sql`
    select 1 from coupon_use where coupon_id = ${coupon.coupon_id} and customer_id = ${customer_id}`
  if (used) throw new ApiError('coupon_already_used', 'You’ve already used this coupon.')
  return coupon
}

type CouponWording = Pick<Coupon, 'percent' | 'amount_minor' | 'currency' | 'payments'>

/** `20% off your first 3 payments` */
export function describeCoupon({ percent, amount_minor, currency, payments }: CouponWording): string {
  const discountText = percent === null ? `${toDecimal(amount_minor ?? 0)} ${currency} off` : `${percent}% off`
  if (payments === null) return `${discountText} every payment`
  return payments === 1 ? `${discountText} your first payment` : `${discountText} your first ${payments} payments`
}
