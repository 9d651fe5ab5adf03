import type { Interval } from '../gateways/gateway.ts'
import type { Sql } from '../platform/db.ts'

/** What the operator sells. */

export type PlanParams = {
  title: string
  price_minor: number
  trial_price_minor: number
  currency: string
  interval: Interval
  is_premium: boolean
  description: string
  is_published: boolean
}

/**
 * Creates a plan, or changes the one with this title, which may also unpublish it. Existing subscribers keep what they
 * agreed to; the new price is for new ones. Returns which of the two it did.
 */
export async function upsertPlan(sql: Sql, params: PlanParams): Promise<'created' | 'updated'> {
  const changed = await sql`update plan set ${sql(params)}, version = version + 1 where title = ${params.title}`
  if (changed.count > 0) return 'updated'
  const [last] = await sql<{ position: number }[]>`select coalesce(max(position), 0) + 1 as position from plan`
  await sql`insert into plan ${sql({ ...params, position: last?.position ?? 1 })}`
  return 'created'
}

export type CouponParams = {
  code: string
  percent: number | null
  amount_minor: number | null
  currency: string | null
  payments: number | null
  max_uses: number | null
  ends_at: Date | null
}

/** Creates a coupon, or changes how often and until when it may be used. What was agreed with it stays. */
export async function upsertCoupon(sql: Sql, params: CouponParams): Promise<'created' | 'updated'> {
  const [upserted] = await sql<{ is_new: boolean }[]>`
    insert into coupon ${sql(params)}
    on conflict (code) do update set percent = excluded.percent, amount_minor = excluded.amount_minor,
      currency = excluded.currency, payments = excluded.payments, max_uses = excluded.max_uses, ends_at = excluded.ends_at,
      version = coupon.version + 1
    returning (xmax = 0) as is_new`
  return upserted?.is_new ? 'created' : 'updated'
}
