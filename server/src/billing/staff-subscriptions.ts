import { type ParsedInputOf, type ReplyOf, subscriptions } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import { rowsOfMembers } from '../membership/member-search.ts'
import { ApiError } from '../platform/api-error.ts'
import { countPages, countUpTo } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import type { BillingContext } from './billing-context.ts'
import { type Charged, chargesOf, chargesOfAll } from './charges.ts'
import { isBeingConfirmed } from './checkout.ts'
import { currentTimeFor } from './clock.ts'
import { referenceOf } from './notifications.ts'
import { readHistory } from './subscription-history.ts'
import { columns, nextAmount, type Subscription } from './subscriptions.ts'

/** Subscriptions as staff see them. */

type SubscriptionRow = Subscription & { dj_name: string; email: string; coupon_code: string; next_plan_name: string }

const subscriptionRows = (sql: Sql) => sql`
  select ${columns(sql)}, m.dj_name, m.email, coalesce(k.code, '') as coupon_code, coalesce(n.title, '') as next_plan_name
  from subscription s join plan p using (plan_id) join customer m on m.customer_id = s.customer_id
    left join coupon k on k.coupon_id = s.coupon_id left join plan n on n.plan_id = s.next_plan_id`

type GetSubscriptionsParams = ParsedInputOf<typeof subscriptions.getSubscriptions>

/**
 * All filters except the state, in an object because a promise of a fragment would run it. A search is a bank transfer's
 * reference or the provider's, or names members.
 */
async function subscriptionFilter(
  sql: Sql,
  { plan_id, gateway, customer_id, search }: GetSubscriptionsParams,
): Promise<{ where: SqlFragment }> {
  const subscriptionId = /^DUB-0*(\d{1,9})$/i.exec(search)?.[1]
  const matching = search && !subscriptionId ? await rowsOfMembers(sql, search) : undefined
  return {
    where: sql`true
      ${plan_id ? sql`and s.plan_id = ${plan_id}` : sql``}
      ${gateway ? sql`and s.gateway = ${gateway}` : sql``}
      ${customer_id ? sql`and s.customer_id = ${customer_id}` : sql``}
      ${subscriptionId ? sql`and s.subscription_id = ${Number(subscriptionId)}` : sql``}
      ${
        matching
          ? sql`and (${matching(sql`s.customer_id`)}
              or s.subscription_id = any(array(select o.subscription_id from subscription o where o.gateway_ref = ${search})))`
          : sql``
      }`,
  }
}

/** One page of subscriptions; failed ones are listed only if requested. */
export async function listSubscriptions(
  billingCtx: BillingContext,
  params: GetSubscriptionsParams,
): Promise<ReplyOf<typeof subscriptions.getSubscriptions>> {
  const { sql } = billingCtx
  const { state, page } = params
  const { where } = await subscriptionFilter(sql, params)
  const limit = subscriptions.SUBSCRIPTIONS_PER_PAGE
  const states = subscriptions.SUBSCRIPTION_STATES
  const listed = sql`${state ? sql`s.status = ${state}` : sql`s.status <> 'failed'`} and ${where}`
  const [rows, counts, count, plans, gateways] = await Promise.all([
    // The page is selected before other tables are joined.
    sql<SubscriptionRow[]>`
      ${subscriptionRows(sql)} where s.subscription_id in (
        select s.subscription_id from subscription s where ${listed}
        order by s.subscription_id desc limit ${limit} offset ${(page - 1) * limit})
      order by s.subscription_id desc`,
    Promise.all(
      states.map((name) => countUpTo(sql, sql`select 1 from subscription s where s.status = ${name} and ${where}`)),
    ),
    countPages(sql, sql`select 1 from subscription s where ${listed}`),
    sql<{ plan_id: number; title: string }[]>`select plan_id, title from plan order by position, plan_id`,
    readGateways(sql),
  ])
  const charges = await chargesOfAll(
    sql,
    rows.map(({ subscription_id }) => subscription_id),
  )
  return {
    subscriptions: rows.map((row) => toListed(row, charges.get(row.subscription_id) ?? [])),
    counts: Object.fromEntries(states.map((name, n) => [name, counts[n] ?? 0])) as Record<
      subscriptions.SubscriptionState,
      number
    >,
    plans: [...plans],
    gateways,
    pagination: { page, perPageLimit: limit, ...count },
  }
}

/** Every gateway that was ever used for a payment: the index is searched for the next name each time. */
export async function readGateways(sql: Sql): Promise<string[]> {
  const rows = await sql<{ gateway: string }[]>`
    with recursive one as (
      (select gateway from subscription order by gateway limit 1)
      union all
      select (select s.gateway from subscription s where s.gateway > one.gateway order by s.gateway limit 1) from one
      where one.gateway is not null)
    select gateway from one where gateway is not null order by gateway`
  return rows.map(({ gateway }) => gateway)
}

function toListed(row: SubscriptionRow, charges: readonly Charged[]): subscriptions.ListedSubscription {
  const { status, paid_until, access_until, created_at, card_expires_on } = row
  const renews = status === 'active' || status === 'trialing' || status === 'past_due'
  return {
    subscription_id: row.subscription_id,
    customer_id: row.customer_id,
    dj_name: row.dj_name,
    email: row.email,
    plan_id: row.plan_id,
    plan_name: row.title,
    price: toDecimal(row.price_minor),
    currency: row.currency,
    interval: row.interval,
    status,
    gateway: row.gateway,
    method: {
      kind: row.method,
      brand: row.card_brand,
      last_four: row.card_last_four,
      expires: card_expires_on?.toISOString().slice(2, 7).split('-').reverse().join('/') ?? '',
    },
    next_payment_at: renews && paid_until ? paid_until.toISOString() : null,
    next_amount: renews || status === 'pending' ? toDecimal(nextAmount(row, charges).amount_minor) : null,
    access_until: access_until?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    coupon_code: row.coupon_code,
    failure_reason: problemOf(row, charges),
  }
}

function problemOf({ status, failure_reason }: SubscriptionRow, charges: readonly Charged[]): string {
  if (status === 'failed') return failure_reason
  return status === 'past_due' ? (charges.findLast((charge) => charge.status === 'failed')?.failure_reason ?? '') : ''
}

export const unknownSubscriptionError = () => new ApiError('unknown_subscription', 'Subscription not found.')

/** One subscription with its history. Throws `unknown_subscription`. */
export async function readSubscriptionDetails(
  billingCtx: BillingContext,
  subscriptionId: number,
): Promise<subscriptions.SubscriptionDetails> {
  const { sql } = billingCtx
  const [row] = await sql<SubscriptionRow[]>`${subscriptionRows(sql)} where s.subscription_id = ${subscriptionId}`
  if (!row) throw unknownSubscriptionError()
  const [charges, history, left, now] = await Promise.all([
    chargesOf(sql, subscriptionId),
    readHistory(sql, subscriptionId),
    listRefundable(sql, subscriptionId),
    currentTimeFor(sql, billingCtx, row.customer_id),
  ])
  const { paid_until, gateway_ref, next_plan_name } = row
  const running = left.filter(({ period_end }) => period_end > now)
  return {
    ...toListed(row, charges),
    gateway_ref: gateway_ref ?? (row.gateway === 'manual' ? referenceOf(row) : ''),
    paid_until: paid_until?.toISOString() ?? null,
    next_plan_name,
    refundable: toDecimal(running.reduce((sum, { left_minor }) => sum + left_minor, 0)),
    unused: toDecimal(running.reduce((sum, charge) => sum + unusedAmount(charge, now), 0)),
    ...actionsFor(billingCtx, row, now),
    history,
  }
}

const LIVE = ['trialing', 'active', 'past_due', 'cancel_scheduled']

function actionsFor({ gateways }: BillingContext, row: SubscriptionRow, now: Date) {
  const { status, has_ended } = row
  return {
    can_cancel: ['trialing', 'active', 'past_due', 'pending'].includes(status) && !isBeingConfirmed(row, now),
    can_resume: status === 'cancel_scheduled' && !has_ended && gateways.get(row.gateway)?.resume !== undefined,
    can_end: LIVE.includes(status),
  }
}

export type RefundableCharge = {
  charge_id: number
  left_minor: number
  amount_minor: number
  period_start: Date
  period_end: Date
}

/** The payments of a subscription that can still be refunded, newest period first. */
export const listRefundable = async (sql: Sql, subscriptionId: number): Promise<RefundableCharge[]> => sql<
  RefundableCharge[]
>`
  select c.charge_id, c.amount_minor, c.amount_minor - coalesce(r.back, 0)::int as left_minor, c.period_start, c.period_end
  from charge c left join lateral (select sum(amount_minor) as back from refund r where r.charge_id = c.charge_id) r on true
  where c.subscription_id = ${subscriptionId} and c.status = 'paid' and c.amount_minor > coalesce(r.back, 0)
  order by c.period_end desc, c.charge_id desc`

/** The value of the remaining days of a payment's period, less what has been refunded. */
function unusedAmount({ left_minor, amount_minor, period_start, period_end }: RefundableCharge, now: Date): number {
  const periodMs = period_end.getTime() - period_start.getTime()
  const remainingMs = Math.min(periodMs, period_end.getTime() - now.getTime())
  return Math.min(left_minor, Math.round((amount_minor * remainingMs) / periodMs))
}
