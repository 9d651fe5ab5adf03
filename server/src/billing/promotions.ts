import { randomInt } from 'node:crypto'
import type { coupons, ParsedInputOf } from '@dubplate/contract'
import type { CouponTerms } from '../gateways/amounts.ts'
import type { OwnRow } from '../membership/own-data.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { checkTerms, stateOf, termsOf } from './coupon-terms.ts'
import { describeCoupon } from './coupons.ts'
import { sumByCurrency } from './revenue.ts'

/**
 * Generated codes use characters that are not easily confused with others (no 0, O, 1, I, L, 5, S, 8, B, 2, Z, U, V).
 */
const CODE_ALPHABET = 'ACDEFGHJKMNPQRTWXY34679'
const CODE_LENGTH = 8
/** 23 characters at 8 positions are 7.8 × 10^10 codes: guessing does not find one of 500. */
const randomCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

const MAX_CODE_ATTEMPTS = 20

/** Generates a code that no coupon has. */
export async function generateCode(sql: Sql): Promise<string> {
  for (let attempts = 0; attempts < MAX_CODE_ATTEMPTS; attempts += 1) {
    const code = randomCode()
    const [existing] = await sql`select 1 from coupon where code = ${code}`
    if (!existing) return code
  }
  throw new Error('Could not generate a unique coupon code')
}

type PromotionRow = CouponTerms & {
  promotion_id: number
  title: string
  created_at: Date
  codes: number
  open: number
  uses: number
  currency: string | null
}

type PromotionDiscount = { promotion_id: number; currency: string; amount_minor: number }

/** All promotions, newest first, or one. */
export async function listPromotions(sql: Sql, now: Date, promotionId?: number): Promise<coupons.Promotion[]> {
  const promotionFilter = promotionId ? sql`p.promotion_id = ${promotionId}` : sql`true`
  const [rows, discounts] = await Promise.all([
    sql<PromotionRow[]>`
      select p.promotion_id, p.title, p.created_at, count(*)::int as codes,
        count(*) filter (where ${stateOf(sql, now)} <> 'ended')::int as open,
        sum((select count(*) from coupon_use u where u.coupon_id = c.coupon_id))::int as uses,
        min(c.percent) as percent, min(c.amount_minor) as amount_minor, min(c.currency) as currency, min(c.payments) as payments
      from promotion p join coupon c using (promotion_id) where ${promotionFilter}
      group by p.promotion_id order by p.promotion_id desc`,
    sql<PromotionDiscount[]>`
      select p.promotion_id, h.currency, sum(h.discount_minor)::bigint as amount_minor
      from promotion p join coupon c using (promotion_id) join subscription s using (coupon_id)
        join charge h using (subscription_id)
      where ${promotionFilter} and h.status = 'paid' and h.discount_minor > 0 group by p.promotion_id, h.currency`,
  ])
  return rows.map(({ percent, amount_minor, currency, payments, created_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    description: describeCoupon({ percent, amount_minor, currency, payments }),
    discounts: sumByCurrency(discounts.filter(({ promotion_id }) => promotion_id === row.promotion_id)),
  }))
}

/** Throws `coupon_not_found`. */
export async function readPromotion(sql: Sql, promotionId: number, now: Date): Promise<coupons.Promotion> {
  const [promotion] = await listPromotions(sql, now, promotionId)
  if (!promotion) throw new ApiError('coupon_not_found', 'This promotion no longer exists.')
  return promotion
}

/** Creates a promotion with its codes, in the caller's transaction. Throws the errors of coupon terms. */
export async function createCoupons(
  sql: Sql,
  { title, count, prefix, ...termsInput }: ParsedInputOf<typeof coupons.makeCoupons>,
  now: Date,
): Promise<coupons.Promotion> {
  await checkTerms(sql, termsInput)
  const terms = termsOf(termsInput)
  const [created] = await sql<{ promotion_id: number }[]>`
    insert into promotion (title, created_at) values (${title}, ${now}) returning promotion_id`
  if (!created) throw new Error('Promotion insert returned no id')
  for (let remaining = count; remaining > 0; ) {
    const rows = codes(remaining, prefix).map((code) => ({ code, ...created, ...terms }))
    remaining -= (await sql`insert into coupon ${sql(rows)} on conflict (code) do nothing`).count
  }
  return readPromotion(sql, created.promotion_id, now)
}

const codes = (count: number, prefix: string): string[] => [
  ...new Set(Array.from({ length: count }, () => (prefix ? `${prefix}-${randomCode()}` : randomCode()))),
]

/** Ends all codes of a promotion now; returns how many. Throws `coupon_not_found`, and `conflict` if none is active. */
export async function endPromotion(sql: Sql, promotionId: number, now: Date): Promise<number> {
  await readPromotion(sql, promotionId, now)
  const ended = await sql`
    update coupon set ends_at = ${now}, version = version + 1
    where promotion_id = ${promotionId} and (ends_at is null or ends_at > ${now})`
  if (ended.count === 0) throw new ApiError('conflict', 'All codes of this promotion have already been deactivated.')
  return ended.count
}

/** The codes of a promotion in alphabetical order, for a file. */
export async function* codesOf(sql: Sql, promotionId: number): AsyncGenerator<OwnRow> {
  yield* await sql<OwnRow[]>`
    select c.code, (select count(*)::int from coupon_use u where u.coupon_id = c.coupon_id) as uses, c.max_uses,
      c.starts_at, c.ends_at
    from coupon c where c.promotion_id = ${promotionId} order by c.code`
}
