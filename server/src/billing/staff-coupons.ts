import { coupons, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import { ApiError, fieldError, throwAllErrors, throwCombined } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { checkRawTerms, checkTerms, couponState, stateOf, termsOf } from './coupon-terms.ts'
import { describeCoupon } from './coupons.ts'
import { listPromotions } from './promotions.ts'
import { sumByCurrency } from './revenue.ts'

/** Coupons as managed by staff. What was agreed with one is stored in the subscription, so nothing here changes it. */

type CouponRow = {
  coupon_id: number
  code: string
  percent: number | null
  amount_minor: number | null
  currency: string | null
  payments: number | null
  max_uses: number | null
  starts_at: Date | null
  ends_at: Date | null
  plan_ids: number[] | null
  version: number
  uses: number
  promotion_id: number | null
  promotion_title: string | null
}

const couponColumns = (sql: Sql) => sql`
  select c.coupon_id, c.code, c.percent, c.amount_minor, c.currency, c.payments, c.max_uses, c.starts_at, c.ends_at,
    c.plan_ids, c.version, c.promotion_id, p.title as promotion_title,
    (select count(*)::int from coupon_use u where u.coupon_id = c.coupon_id) as uses
  from coupon c left join promotion p using (promotion_id)`

type CouponDiscount = { coupon_id: number; currency: string; amount_minor: number }

/** What coupons took off completed payments. */
const readDiscounts = async (sql: Sql, couponIds: readonly number[]): Promise<CouponDiscount[]> => sql<
  CouponDiscount[]
>`
  select s.coupon_id, h.currency, sum(h.discount_minor)::bigint as amount_minor
  from subscription s join charge h using (subscription_id)
  where s.coupon_id = any(${[...couponIds]}::bigint[]) and h.status = 'paid' and h.discount_minor > 0
  group by s.coupon_id, h.currency`

async function toCoupons(sql: Sql, rows: readonly CouponRow[], now: Date): Promise<coupons.Coupon[]> {
  const discounts = await readDiscounts(
    sql,
    rows.map(({ coupon_id }) => coupon_id),
  )
  return rows.map((row) => {
    const { promotion_id, promotion_title, amount_minor, starts_at, ends_at } = row
    return {
      ...row,
      amount: amount_minor === null ? null : toDecimal(amount_minor),
      starts_at: starts_at?.toISOString() ?? null,
      ends_at: ends_at?.toISOString() ?? null,
      state: couponState(row, now),
      description: describeCoupon(row),
      discounts: sumByCurrency(discounts.filter(({ coupon_id }) => coupon_id === row.coupon_id)),
      promotion: promotion_id === null ? null : { promotion_id, title: promotion_title ?? '' },
    }
  })
}

type GetCouponsParams = ParsedInputOf<typeof coupons.getCoupons>

/** One page of coupons, and the promotions unless a promotion is selected. */
export async function listCoupons(
  sql: Sql,
  { state, search, promotion_id, page }: GetCouponsParams,
  now: Date,
): Promise<ReplyOf<typeof coupons.getCoupons>> {
  const code = search.toUpperCase()
  const promotionFilter = promotion_id
    ? sql`c.promotion_id = ${promotion_id}`
    : code
      ? sql`true`
      : sql`c.promotion_id is null`
  const found = sql`${promotionFilter} and starts_with(c.code, ${code})`
  const stateFilter = state ? sql`and ${stateOf(sql, now)} = ${state}` : sql``
  const limit = coupons.COUPONS_PER_PAGE
  const [rows, counted, promotions, plans] = await Promise.all([
    sql<CouponRow[]>`
      ${couponColumns(sql)} where ${found} ${stateFilter}
      order by c.coupon_id desc limit ${limit} offset ${(page - 1) * limit}`,
    sql<{ state: coupons.Coupon['state']; n: number }[]>`
      select ${stateOf(sql, now)} as state, count(*)::int as n from coupon c where ${found} group by 1`,
    code ? [] : listPromotions(sql, now, promotion_id),
    sql<{ plan_id: number; title: string; currency: string }[]>`
      select plan_id, title, currency from plan order by position, plan_id`,
  ])
  const counts = { active: 0, scheduled: 0, ended: 0, ...Object.fromEntries(counted.map(({ state, n }) => [state, n])) }
  return {
    coupons: await toCoupons(sql, rows, now),
    promotions,
    plans: [...plans],
    counts,
    pagination: {
      page,
      perPageLimit: limit,
      totalCount: state ? counts[state] : counts.active + counts.scheduled + counts.ended,
    },
  }
}

const couponNotFoundError = () => new ApiError('coupon_not_found', 'This coupon no longer exists.')

/** Throws `coupon_not_found`. */
async function readCoupon(sql: Sql, couponId: number, now: Date): Promise<coupons.Coupon> {
  const [coupon] = await toCoupons(
    sql,
    await sql<CouponRow[]>`${couponColumns(sql)} where c.coupon_id = ${couponId}`,
    now,
  )
  if (!coupon) throw couponNotFoundError()
  return coupon
}

/** Locks a coupon, so that nobody can use it during the change. Throws `coupon_not_found` or `conflict`. */
async function lockCoupon(sql: Sql, couponId: number, version: number | undefined): Promise<CouponRow> {
  await sql`select 1 from coupon where coupon_id = ${couponId} for update`
  const [row] = await sql<CouponRow[]>`${couponColumns(sql)} where c.coupon_id = ${couponId}`
  if (!row) throw couponNotFoundError()
  if (row.version === version) return row
  throw new ApiError('conflict', 'Someone else changed this coupon. Reload to see the changes.')
}

type AuditedCoupon = Pick<
  coupons.Coupon,
  'code' | 'percent' | 'amount' | 'currency' | 'payments' | 'max_uses' | 'starts_at' | 'ends_at' | 'plan_ids'
>

/** The values of a coupon that the audit log records. */
export const auditedCoupon = (coupon: coupons.Coupon): AuditedCoupon => {
  const { code, percent, amount, currency, payments, max_uses, starts_at, ends_at, plan_ids } = coupon
  return { code, percent, amount, currency, payments, max_uses, starts_at, ends_at, plan_ids }
}

type SavedCoupon = { coupon: coupons.Coupon; before: coupons.Coupon | undefined }

/**
 * Creates or changes a coupon, in the caller's transaction. Throws `coupon_not_found`, `conflict`, `code_taken`, the
 * errors of its terms, and `coupon_in_use` if it was used and its code or discount would change.
 */
export async function saveCoupon(
  sql: Sql,
  { coupon_id, version, code, ...termsInput }: ParsedInputOf<typeof coupons.saveCoupon>,
  now: Date,
): Promise<SavedCoupon> {
  const terms = termsOf(termsInput)
  const lockedCoupon = coupon_id === undefined ? undefined : await lockCoupon(sql, coupon_id, version)
  const before = lockedCoupon && (await readCoupon(sql, lockedCoupon.coupon_id, now))
  await throwAllErrors([
    () => rejectTaken(sql, code, coupon_id),
    () => checkTerms(sql, termsInput),
    () => lockedCoupon && rejectOfUsed(lockedCoupon, { code, ...terms }),
  ])
  const couponId = await insertOrUpdate(sql, lockedCoupon?.coupon_id, { code, ...terms })
  return { coupon: await readCoupon(sql, couponId, now), before }
}

/** PostgreSQL: another row has this value (unique_violation, appendix A). */
const UNIQUE_VIOLATION = '23505'

async function insertOrUpdate(
  sql: Sql,
  couponId: number | undefined,
  row: { code: string } & Awaited<ReturnType<typeof termsOf>>,
): Promise<number> {
  try {
    const [saved] = couponId
      ? await sql<{ coupon_id: number }[]>`
          update coupon set ${sql(row)}, version = version + 1 where coupon_id = ${couponId} returning coupon_id`
      : await sql<{ coupon_id: number }[]>`insert into coupon ${sql(row)} returning coupon_id`
    if (!saved) throw new Error('Coupon insert returned no id')
    return saved.coupon_id
  } catch (error) {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? codeTakenError(row.code) : error
  }
}

const codeTakenError = (code: string): ApiError =>
  fieldError('code_taken', 'code', `A coupon with the code ${code} already exists.`)

async function rejectTaken(sql: Sql, code: string, couponId: number | undefined): Promise<void> {
  const [other] = await sql`
    select 1 from coupon where code = ${code} and coupon_id is distinct from ${couponId ?? null}::bigint`
  if (other) throw codeTakenError(code)
}

/** Checks a coupon while other fields are blank or invalid. */
export async function checkCoupon(
  sql: Sql,
  rawInput: { coupon_id?: unknown; code?: unknown; max_uses?: unknown; plan_ids?: unknown },
): Promise<void> {
  const shape = coupons.saveCoupon.input.shape
  const couponId = parsed(shape.coupon_id, rawInput.coupon_id)
  const code = parsed(shape.code, rawInput.code)
  const maxUses = parsed(shape.max_uses, rawInput.max_uses)
  const [lockedCoupon] =
    couponId === undefined ? [] : await sql<CouponRow[]>`${couponColumns(sql)} where c.coupon_id = ${couponId}`
  await throwAllErrors([
    () => code !== undefined && rejectTaken(sql, code, couponId),
    () => checkRawTerms(sql, rawInput),
    () => lockedCoupon && throwCombined(fewerUses(lockedCoupon, maxUses ?? null)),
  ])
}

type FixedTerms = Pick<CouponRow, 'code' | 'percent' | 'amount_minor' | 'currency' | 'payments' | 'max_uses'>

/** A coupon that was used keeps its code and discount, because members relied on them. */
function rejectOfUsed(lockedCoupon: CouponRow, params: FixedTerms): void {
  if (lockedCoupon.uses === 0) return
  const hasChanged = (['code', 'percent', 'amount_minor', 'currency', 'payments'] as const).filter(
    (name) => lockedCoupon[name] !== params[name],
  )
  throwCombined([
    ...hasChanged.map((name) =>
      fieldError('coupon_in_use', name === 'amount_minor' ? 'amount' : name, FIXED_ONCE_USED_MESSAGE),
    ),
    ...fewerUses(lockedCoupon, params.max_uses),
  ])
}

const FIXED_ONCE_USED_MESSAGE =
  'This coupon has been used, so its code and discount can’t be changed. Create a new coupon instead.'

const fewerUses = ({ uses }: CouponRow, maxUses: number | null): ApiError[] =>
  maxUses !== null && maxUses < uses
    ? [
        fieldError(
          'coupon_in_use',
          'max_uses',
          `This coupon has already been used ${uses === 1 ? 'once' : `${uses} times`}.`,
        ),
      ]
    : []

/** Ends a coupon now; returns when it would have ended. Throws `coupon_not_found` or `conflict`. */
export async function endCoupon(
  sql: Sql,
  { coupon_id, version }: ParsedInputOf<typeof coupons.endCoupon>,
  now: Date,
): Promise<{ coupon: coupons.Coupon; before: string | null }> {
  const lockedCoupon = await lockCoupon(sql, coupon_id, version)
  if (lockedCoupon.ends_at && lockedCoupon.ends_at <= now)
    throw new ApiError('conflict', 'This coupon has already been deactivated.')
  await sql`update coupon set ends_at = ${now}, version = version + 1 where coupon_id = ${coupon_id}`
  return { coupon: await readCoupon(sql, coupon_id, now), before: lockedCoupon.ends_at?.toISOString() ?? null }
}
