import { type ParsedInputOf, plans, type Sum } from '@dubplate/contract'
import { isTaken } from '../gateways/currencies.ts'
import { asDecimal, asMinor } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { fieldRefusal, Refusal, refuseTogether } from '../platform/refusal.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import type { PlanRow } from './plans.ts'
import { asSums, readMonthly } from './revenue.ts'

/** Plans as staff keep them. What somebody agreed to is in their subscription: nothing here changes it. */

type Row = PlanRow & { on_sale: boolean; version: number; is_used: boolean }
type Agreed = { plan_id: number; price_minor: number; currency: string; interval: Row['interval']; subscribers: number }

const COLUMNS = (sql: Sql) => sql`
  plan_id, title, description, features, price_minor, trial_price_minor, currency, interval, is_premium,
  subscription_type_id, on_sale, version`

/** All of them, on sale or not, in their order. */
export async function listAllPlans(sql: Sql, now: Date): Promise<plans.StaffPlan[]> {
  const [rows, agreed, monthly] = await Promise.all([
    sql<Row[]>`
      select ${COLUMNS(sql)}, exists (select 1 from subscription s where s.plan_id = p.plan_id)
        or exists (select 1 from subscription s where s.next_plan_id = p.plan_id)
        or exists (select 1 from charge c where c.plan_id = p.plan_id)
        or exists (select 1 from coupon c where p.plan_id = any(c.plan_ids)) as is_used
      from plan p order by position, plan_id`,
    sql<Agreed[]>`
      select plan_id, price_minor, currency, interval, count(*)::int as subscribers from subscription
      where status in ('trialing', 'active', 'past_due', 'cancel_scheduled')
      group by plan_id, price_minor, currency, interval order by subscribers desc, price_minor`,
    readMonthly(sql, now),
  ])
  return rows.map((row) => {
    const ofPlan = <T extends { plan_id: number }>(all: readonly T[]) => all.filter((it) => it.plan_id === row.plan_id)
    return asStaffPlan(row, ofPlan(agreed), asSums(ofPlan(monthly)))
  })
}

function asStaffPlan(row: Row, agreed: Agreed[], monthly: Sum[]): plans.StaffPlan {
  const { price_minor, trial_price_minor, features, is_used } = row
  return {
    ...row,
    features: cleanHtml(features),
    price: asDecimal(price_minor),
    trial_price: asDecimal(trial_price_minor),
    subscribers: agreed.reduce((sum, { subscribers }) => sum + subscribers, 0),
    agreed: agreed.map(({ price_minor, ...it }) => ({ ...it, price: asDecimal(price_minor) })),
    monthly,
    can_remove: !is_used,
  }
}

/** Refuses `unknown_plan`. */
export async function readStaffPlan(sql: Sql, planId: number, now: Date): Promise<plans.StaffPlan> {
  const plan = (await listAllPlans(sql, now)).find(({ plan_id }) => plan_id === planId)
  if (!plan) throw unknownPlan()
  return plan
}

const unknownPlan = () => new Refusal('unknown_plan', 'This plan no longer exists.')

/** One change of what is on sale after the other. */
const holdPlans = async (sql: Sql): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('plans'))`
}

type KeptPlan = Pick<
  plans.StaffPlan,
  'title' | 'description' | 'price' | 'trial_price' | 'currency' | 'interval' | 'is_premium' | 'on_sale'
>

/** What of a plan is worth remembering when it changes. */
export const keptOf = (plan: KeptPlan): KeptPlan => {
  const { title, description, price, trial_price, currency, interval, is_premium, on_sale } = plan
  return { title, description, price, trial_price, currency, interval, is_premium, on_sale }
}

const keptOfRow = (row: Row): KeptPlan =>
  keptOf({ ...row, price: asDecimal(row.price_minor), trial_price: asDecimal(row.trial_price_minor) })

type Wish = ParsedInputOf<typeof plans.savePlan>

/**
 * Makes a plan or changes one, in the caller's transaction; answers what it was before. Refuses `unknown_plan`,
 * `name_taken`, `invalid_request`, and `conflict` unless `version` is the one that stands.
 */
export async function savePlan(
  sql: Sql,
  { plan_id, version, price, trial_price, ...wish }: Wish,
): Promise<{ plan_id: number; before: KeptPlan | undefined }> {
  await holdPlans(sql)
  const before = plan_id === undefined ? undefined : await holdPlan(sql, plan_id, version)
  await refuseTogether([
    () => checkPrices({ price, trial_price, currency: wish.currency }),
    () => refuseTwin(sql, wish.title, plan_id),
  ])
  const row = {
    ...wish,
    features: cleanHtml(wish.features),
    price_minor: asMinor(price),
    trial_price_minor: asMinor(trial_price),
  }
  const [saved] = before
    ? await sql<{ plan_id: number }[]>`
        update plan set ${sql(row)}, version = version + 1 where plan_id = ${before.plan_id} returning plan_id`
    : await sql<{ plan_id: number }[]>`
        insert into plan ${sql({ ...row, position: await lastPlace(sql) })} returning plan_id`
  if (!saved) throw new Error('Plan insert returned no id')
  return { ...saved, before: before && keptOfRow(before) }
}

async function holdPlan(sql: Sql, planId: number, version: number | undefined): Promise<Row> {
  const [row] = await sql<
    Row[]
  >`select ${COLUMNS(sql)}, false as is_used from plan where plan_id = ${planId} for update`
  if (!row) throw unknownPlan()
  if (row.version === version) return row
  throw new Refusal('conflict', 'Someone else changed this plan. Reload to see the changes.')
}

type Prices = Pick<Wish, 'price' | 'trial_price' | 'currency'>

const checkPrices = ({ price, trial_price, currency }: Prices): Promise<void> =>
  refuseTogether([() => checkCurrency(currency), () => checkPrice(price), () => checkTrial({ price, trial_price })])

const isFree = (price: string) => asMinor(price) === 0

function checkCurrency(currency: string): void {
  if (!isTaken(currency))
    throw fieldRefusal(
      'invalid_request',
      'currency',
      `${currency} isn’t supported. Use a currency with two decimals, such as EUR.`,
    )
}

function checkPrice(price: string): void {
  if (isFree(price))
    throw fieldRefusal(
      'invalid_request',
      'price',
      'Enter a price greater than zero. Use a coupon to offer a plan for free.',
    )
}

function checkTrial({ price, trial_price }: Pick<Prices, 'price' | 'trial_price'>): void {
  if (!isFree(price) && asMinor(trial_price) >= asMinor(price))
    throw fieldRefusal('invalid_request', 'trial_price', 'The trial price must be lower than the plan price.')
}

/** What can be told of a plan while other fields of it are blank or wrong. */
export function checkPlan(sql: Sql, given: { [name in keyof Wish]?: unknown }): Promise<void> {
  const shape = plans.savePlan.input.shape
  const price = parsed(shape.price, given.price)
  const trial_price = parsed(shape.trial_price, given.trial_price)
  const currency = parsed(shape.currency, given.currency)
  const title = parsed(shape.title, given.title)
  return refuseTogether([
    () => currency !== undefined && checkCurrency(currency),
    () => price !== undefined && checkPrice(price),
    () => price !== undefined && trial_price !== undefined && checkTrial({ price, trial_price }),
    () => title !== undefined && refuseTwin(sql, title, parsed(shape.plan_id, given.plan_id)),
  ])
}

/** `npm run pool -- set-plan` knows plans by their titles. */
async function refuseTwin(sql: Sql, title: string, planId: number | undefined): Promise<void> {
  const [twin] = await sql`
    select 1 from plan where lower(title) = lower(${title}) and plan_id is distinct from ${planId ?? null}::bigint`
  if (twin) throw fieldRefusal('name_taken', 'title', `A plan named “${title}” already exists.`)
}

async function lastPlace(sql: Sql): Promise<number> {
  const [last] = await sql<{ position: number }[]>`select coalesce(max(position), 0) + 1 as position from plan`
  return last?.position ?? 1
}

/** Refuses `unknown_plan`. */
export async function orderPlans(sql: Sql, planIds: readonly number[]): Promise<void> {
  await holdPlans(sql)
  const wished = [...new Set(planIds)]
  const known = await sql`select 1 from plan where plan_id = any(${wished}::bigint[])`
  if (known.length < wished.length) throw unknownPlan()
  await sql`
    update plan p set position = placed.n from (
      select plan_id, row_number() over (order by w.n, position, plan_id) as n
      from plan left join unnest(${wished}::bigint[]) with ordinality w (plan_id, n) using (plan_id)) placed
    where p.plan_id = placed.plan_id`
}

/** PostgreSQL: a row is still referred to (foreign_key_violation, appendix A). */
const IN_USE = '23503'

/** Throws a plan away that nobody ever had. Refuses `unknown_plan`, `plan_in_use`. */
export async function removePlan(sql: Sql, planId: number): Promise<KeptPlan> {
  await holdPlans(sql)
  // Before its coupons are asked for: one that is being saved for it is waited for.
  await sql`select 1 from plan where plan_id = ${planId} for update`
  const [coupon] = await sql<{ code: string }[]>`
    select code from coupon where ${planId} = any(plan_ids) order by coupon_id limit 1`
  if (coupon)
    throw new Refusal(
      'plan_in_use',
      `The coupon ${coupon.code} applies to this plan, so it can’t be deleted. Unpublish the plan instead.`,
    )
  try {
    const [gone] = await sql<
      Row[]
    >`delete from plan where plan_id = ${planId} returning ${COLUMNS(sql)}, false as is_used`
    if (!gone) throw unknownPlan()
    return keptOfRow(gone)
  } catch (error) {
    if ((error as { code?: string }).code !== IN_USE) throw error
    throw new Refusal('plan_in_use', 'This plan has had subscribers, so it can’t be deleted. Unpublish it instead.')
  }
}
