import type { billing, planFeatures } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Interval } from '../gateways/gateway.ts'
import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import type { Settings } from '../platform/settings.ts'

/** A plan as stored. */
export type PlanRow = planFeatures.StoredPlanFeatures & {
  plan_id: number
  title: string
  description: string
  features: string
  price_minor: number
  trial_price_minor: number
  currency: string
  interval: Interval
  is_premium: boolean
  subscription_type_id: number
}

const columns = (sql: Sql) => sql`
  plan_id, title, description, features, price_minor, trial_price_minor, currency, interval, is_premium, subscription_type_id,
  monthly_downloads, version_downloads, has_crate_bundles, has_top20_packs, head_start_hours`

type LimitSettings = Pick<Settings, 'downloadLimit'>

export async function listPlans(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  subscriptionTypeId: number,
): Promise<billing.Plan[]> {
  const plans = await sql<PlanRow[]>`
    select ${columns(sql)} from plan where is_published and subscription_type_id = ${subscriptionTypeId} order by position, plan_id`
  return plans.map((plan) => toPlan(plan, settings))
}

/** Returns the price of the published plan that costs least per month; undefined without plans. */
export async function findLowestPrice(sql: Sql) {
  const [plan] = await sql<Pick<PlanRow, 'price_minor' | 'currency' | 'interval'>[]>`
    select price_minor, currency, interval from plan where is_published and subscription_type_id = 1
    order by price_minor / (case interval when 'year' then 12.0 else 1 end), position limit 1`
  return plan && { price: toDecimal(plan.price_minor), currency: plan.currency, interval: plan.interval }
}

/** Returns a published plan. Throws `unknown_plan`. */
export async function findPublishedPlan(sql: Sql, planId: number): Promise<PlanRow> {
  const [plan] = await sql<PlanRow[]>`select ${columns(sql)} from plan where plan_id = ${planId} and is_published`
  if (!plan) throw new ApiError('unknown_plan', 'This plan isn’t available.')
  return plan
}

/** Returns a plan that someone has or is about to pay for, even if it is unpublished by now. */
export async function findAnyPlan(sql: Sql, planId: number): Promise<PlanRow> {
  const [plan] = await sql<PlanRow[]>`select ${columns(sql)} from plan where plan_id = ${planId}`
  if (!plan) throw new Error(`Plan ${planId} not found`)
  return plan
}

export function toPlan(plan: PlanRow, { downloadLimit }: LimitSettings): billing.Plan {
  const isPremiumText = plan.is_premium ? 'yes' : 'no'
  return {
    id: plan.plan_id,
    title: plan.title,
    description: plan.description,
    price: toDecimal(plan.price_minor),
    trial_price: toDecimal(plan.trial_price_minor),
    currency: plan.currency,
    is_premimum: isPremiumText,
    is_premium: isPremiumText,
    subscription_type_id: plan.subscription_type_id,
    features: cleanHtml(plan.features),
    interval: plan.interval,
    monthly_downloads: plan.monthly_downloads,
    version_downloads: plan.version_downloads ?? downloadLimit,
    has_crate_bundles: plan.has_crate_bundles,
    has_top20_packs: plan.has_top20_packs,
    head_start_hours: plan.head_start_hours,
  }
}

/** Whether trial prices apply to this member: they have never paid. */
export async function isNew(sql: Sql, customerId: number | undefined): Promise<boolean> {
  if (customerId === undefined) return true
  const [paid] = await sql`select 1 from charge where customer_id = ${customerId} and status = 'paid' limit 1`
  return !paid
}
