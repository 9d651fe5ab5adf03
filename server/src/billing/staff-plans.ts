import { type ParsedInputOf, type planFeatures, plans, type Sum } from '@dubplate/contract'
import { isAccepted } from '../gateways/currencies.ts'
import { toDecimal, toMinor } from '../gateways/money.ts'
import { ApiError, fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import type { PlanRow } from './plans.ts'
import { readMonthly, sumByCurrency } from './revenue.ts'

/** Plans as managed by staff. What a member agreed to is stored in their subscription, so nothing here changes it. */

type StaffPlanRow = PlanRow & { is_published: boolean; version: number; is_used: boolean }
type AgreedPrice = {
  plan_id: number
  price_minor: number
  currency: string
  interval: StaffPlanRow['interval']
  subscribers: number
}

const planColumns = (sql: Sql) => sql`
  plan_id, title, description, features, price_minor, trial_price_minor, currency, interval, is_premium,
  subscription_type_id, is_published, version,
  monthly_downloads, version_downloads, has_crate_bundles, has_top20_packs, head_start_hours`

/**
 * All plans, published or not, in their order. Whether one is used is read as the next larger or equal id of an index:
 * for EXISTS, PostgreSQL reads all payments, because it expects any plan to be among the first ones.
 */
export async function listAllPlans(sql: Sql, now: Date): Promise<plans.StaffPlan[]> {
  const [rows, agreed, monthly] = await Promise.all([
    sql<StaffPlanRow[]>`
      select ${planColumns(sql)}, coalesce(
        (select s.plan_id from subscription s where s.plan_id >= p.plan_id order by 1 limit 1) = p.plan_id
        or (select s.next_plan_id from subscription s where s.next_plan_id >= p.plan_id order by 1 limit 1) = p.plan_id
        or (select c.plan_id from charge c where c.plan_id >= p.plan_id order by 1 limit 1) = p.plan_id
        or exists (select 1 from coupon c where p.plan_id = any(c.plan_ids)), false) as is_used
      from plan p order by position, plan_id`,
    sql<AgreedPrice[]>`
      select plan_id, price_minor, currency, interval, count(*)::int as subscribers from subscription
      where status in ('trialing', 'active', 'past_due', 'cancel_scheduled')
      group by plan_id, price_minor, currency, interval order by subscribers desc, price_minor`,
    readMonthly(sql, now),
  ])
  return rows.map((row) => {
    const forPlan = <T extends { plan_id: number }>(all: readonly T[]) => all.filter((it) => it.plan_id === row.plan_id)
    return toStaffPlan(row, forPlan(agreed), sumByCurrency(forPlan(monthly)))
  })
}

function toStaffPlan(row: StaffPlanRow, agreed: AgreedPrice[], monthly: Sum[]): plans.StaffPlan {
  const { price_minor, trial_price_minor, features, is_used } = row
  return {
    ...row,
    features: cleanHtml(features),
    price: toDecimal(price_minor),
    trial_price: toDecimal(trial_price_minor),
    subscribers: agreed.reduce((sum, { subscribers }) => sum + subscribers, 0),
    agreed: agreed.map(({ price_minor, ...it }) => ({ ...it, price: toDecimal(price_minor) })),
    monthly,
    can_remove: !is_used,
  }
}

/** Throws `unknown_plan`. */
export async function readStaffPlan(sql: Sql, planId: number, now: Date): Promise<plans.StaffPlan> {
  const plan = (await listAllPlans(sql, now)).find(({ plan_id }) => plan_id === planId)
  if (!plan) throw unknownPlanError()
  return plan
}

const unknownPlanError = () => new ApiError('unknown_plan', 'This plan no longer exists.')

/** Serialises changes of plans. */
const lockPlans = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('plans'))`
}

type AuditedPlan = Pick<
  plans.StaffPlan,
  | 'title'
  | 'description'
  | 'price'
  | 'trial_price'
  | 'currency'
  | 'interval'
  | 'is_premium'
  | 'is_published'
  | keyof planFeatures.StoredPlanFeatures
>

/** The values of a plan that the audit log records. */
export const auditedPlan = (plan: AuditedPlan): AuditedPlan => {
  const { title, description, price, trial_price, currency, interval, is_premium, is_published } = plan
  const { monthly_downloads, version_downloads, has_crate_bundles, has_top20_packs, head_start_hours } = plan
  return {
    ...{ title, description, price, trial_price, currency, interval, is_premium, is_published },
    ...{ monthly_downloads, version_downloads, has_crate_bundles, has_top20_packs, head_start_hours },
  }
}

const auditedPlanOfRow = (row: StaffPlanRow): AuditedPlan =>
  auditedPlan({ ...row, price: toDecimal(row.price_minor), trial_price: toDecimal(row.trial_price_minor) })

type SavePlanParams = ParsedInputOf<typeof plans.savePlan>

/**
 * Creates or changes a plan, in the caller's transaction; returns its previous values. Throws `unknown_plan`,
 * `name_taken`, `invalid_request`, and `conflict` unless `version` is the current one.
 */
export async function savePlan(
  sql: Sql,
  { plan_id, version, price, trial_price, ...params }: SavePlanParams,
): Promise<{ plan_id: number; before: AuditedPlan | undefined }> {
  await lockPlans(sql)
  const before = plan_id === undefined ? undefined : await lockPlan(sql, plan_id, version)
  await throwAllErrors([
    () => checkPrices({ price, trial_price, currency: params.currency }),
    () => rejectTwin(sql, params.title, plan_id),
  ])
  const row = {
    ...params,
    features: cleanHtml(params.features),
    price_minor: toMinor(price),
    trial_price_minor: toMinor(trial_price),
  }
  const [saved] = before
    ? await sql<{ plan_id: number }[]>`
        update plan set ${sql(row)}, version = version + 1 where plan_id = ${before.plan_id} returning plan_id`
    : await sql<{ plan_id: number }[]>`
        insert into plan ${sql({ ...row, position: await lastPosition(sql) })} returning plan_id`
  if (!saved) throw new Error('Plan insert returned no id')
  return { ...saved, before: before && auditedPlanOfRow(before) }
}

async function lockPlan(sql: Sql, planId: number, version: number | undefined): Promise<StaffPlanRow> {
  const [row] = await sql<
    StaffPlanRow[]
  >`select ${planColumns(sql)}, false as is_used from plan where plan_id = ${planId} for update`
  if (!row) throw unknownPlanError()
  if (row.version === version) return row
  throw new ApiError('conflict', 'Someone else changed this plan. Reload to see the changes.')
}

type PriceInput = Pick<SavePlanParams, 'price' | 'trial_price' | 'currency'>

const checkPrices = ({ price, trial_price, currency }: PriceInput): Promise<void> =>
  throwAllErrors([() => checkCurrency(currency), () => checkPrice(price), () => checkTrial({ price, trial_price })])

const isFree = (price: string) => toMinor(price) === 0

function checkCurrency(currency: string): void {
  if (!isAccepted(currency))
    throw fieldError(
      'invalid_request',
      'currency',
      `${currency} isn’t supported. Use a currency with two decimals, such as EUR.`,
    )
}

function checkPrice(price: string): void {
  if (isFree(price))
    throw fieldError(
      'invalid_request',
      'price',
      'Enter a price greater than zero. Use a coupon to offer a plan for free.',
    )
}

function checkTrial({ price, trial_price }: Pick<PriceInput, 'price' | 'trial_price'>): void {
  if (!isFree(price) && toMinor(trial_price) >= toMinor(price))
    throw fieldError('invalid_request', 'trial_price', 'The trial price must be lower than the plan price.')
}

/** Checks a plan while other fields are blank or invalid. */
export function checkPlan(sql: Sql, rawInput: { [name in keyof SavePlanParams]?: unknown }): Promise<void> {
  const shape = plans.savePlan.input.shape
  const price = parsed(shape.price, rawInput.price)
  const trial_price = parsed(shape.trial_price, rawInput.trial_price)
  const currency = parsed(shape.currency, rawInput.currency)
  const title = parsed(shape.title, rawInput.title)
  return throwAllErrors([
    () => currency !== undefined && checkCurrency(currency),
    () => price !== undefined && checkPrice(price),
    () => price !== undefined && trial_price !== undefined && checkTrial({ price, trial_price }),
    () => title !== undefined && rejectTwin(sql, title, parsed(shape.plan_id, rawInput.plan_id)),
  ])
}

/** `npm run pool -- set-plan` identifies plans by their titles. */
async function rejectTwin(sql: Sql, title: string, planId: number | undefined): Promise<void> {
  const [duplicate] = await sql`
    select 1 from plan where lower(title) = lower(${title}) and plan_id is distinct from ${planId ?? null}::bigint`
  if (duplicate) throw fieldError('name_taken', 'title', `A plan named “${title}” already exists.`)
}

async function lastPosition(sql: Sql): Promise<number> {
  const [last] = await sql<{ position: number }[]>`select coalesce(max(position), 0) + 1 as position from plan`
  return last?.position ?? 1
}

/** Throws `unknown_plan`. */
export async function orderPlans(sql: Sql, planIds: readonly number[]): Promise<void> {
  await lockPlans(sql)
  const uniqueIds = [...new Set(planIds)]
  const known = await sql`select 1 from plan where plan_id = any(${uniqueIds}::bigint[])`
  if (known.length < uniqueIds.length) throw unknownPlanError()
  await sql`
    update plan p set position = placed.n from (
      select plan_id, row_number() over (order by w.n, position, plan_id) as n
      from plan left join unnest(${uniqueIds}::bigint[]) with ordinality w (plan_id, n) using (plan_id)) placed
    where p.plan_id = placed.plan_id`
}

/** PostgreSQL: a row is still referred to (foreign_key_violation, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503'

/** Deletes a plan that nobody ever had. Throws `unknown_plan` or `plan_in_use`. */
export async function removePlan(sql: Sql, planId: number): Promise<AuditedPlan> {
  await lockPlans(sql)
  // Locked before its coupons are read, to wait for a coupon that is being saved for it.
  await sql`select 1 from plan where plan_id = ${planId} for update`
  const [coupon] = await sql<{ code: string }[]>`
    select code from coupon where ${planId} = any(plan_ids) order by coupon_id limit 1`
  if (coupon)
    throw new ApiError(
      'plan_in_use',
      `The coupon ${coupon.code} applies to this plan, so it can’t be deleted. Unpublish the plan instead.`,
    )
  try {
    const [deleted] = await sql<
      StaffPlanRow[]
    >`delete from plan where plan_id = ${planId} returning ${planColumns(sql)}, false as is_used`
    if (!deleted) throw unknownPlanError()
    return auditedPlanOfRow(deleted)
  } catch (error) {
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error
    throw new ApiError('plan_in_use', 'This plan has had subscribers, so it can’t be deleted. Unpublish it instead.')
  }
}
