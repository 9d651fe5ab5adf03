import type { payments } from '@dubplate/contract'
import type { GatewayEvent, GatewayName, UnreadableEventError } from '../gateways/gateway.ts'
import { toDecimal } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type ChargeFact, findDifference } from './agreed-price.ts'
import type { BillingContext } from './billing-context.ts'
import type { Subscription } from './subscriptions.ts'

/** Payments that have no effect until staff decide: they differ from the agreed terms, or are linked to no checkout. */

/** The pool's own gateways report only what the pool itself recorded. */
const EXTERNAL_GATEWAYS: readonly GatewayName[] = ['stripe', 'paypal']

const UNDER_REVIEW_MESSAGE = 'Your payment arrived, but it differs from what was agreed. Our staff are checking it.'

type ChargeReview = { subscription: Subscription; fact: ChargeFact; at: Date }

/**
 * Returns whether a payment may pay for its period: it matches the agreed terms, or staff accepted it. Otherwise it is
 * put under review, and compared again whenever a new event arrives for its subscription.
 */
export async function canApplyCharge(
  sql: Sql,
  billingCtx: BillingContext,
  { subscription, fact, at }: ChargeReview,
): Promise<boolean> {
  const { subscription_id, gateway, gateway_ref } = subscription
  if (fact.status !== 'paid' || !EXTERNAL_GATEWAYS.includes(gateway)) return true
  const [known] = await sql<
    { is_paid: boolean; review: string | null; agreed_prices: Record<string, number>; anchor: Date | null }[]
  >`
    select agreed_prices,
      exists (select 1 from charge c where c.gateway = ${gateway} and c.gateway_ref = ${fact.charge_ref} and c.status = 'paid') as is_paid,
      (select state from payment_review r where r.gateway = ${gateway} and r.ref = ${fact.charge_ref}) as review,
      (select min(period_start) from charge c where c.subscription_id = s.subscription_id and c.status = 'paid' and c.reason = 'first') as anchor
    from subscription s where subscription_id = ${subscription_id}`
  if (!known || known.is_paid || known.review === 'accepted') return true
  if (known.review === 'handled') return false
  const { agreed_prices, anchor } = known
  const difference = findDifference({ subscription, agreed_prices, anchor: anchor ?? undefined }, fact)
  if (!difference) {
    if (known.review) await sql`delete from payment_review where gateway = ${gateway} and ref = ${fact.charge_ref}`
    return true
  }
  const review = { gateway, ref: fact.charge_ref, gateway_ref, subscription_id, ...difference, at }
  const [added] = await sql`
    insert into payment_review ${sql({ ...review, fact: sql.json(fact as never) })}
    on conflict (gateway, ref) do nothing returning 1`
  await sql`
    update subscription set failure_reason = ${UNDER_REVIEW_MESSAGE}
    where subscription_id = ${subscription_id} and not exists (
      select 1 from charge where subscription_id = ${subscription_id} and status = 'paid')`
  if (added) {
    const { reason, detail } = difference
    billingCtx.log.warn({ gateway, subscription_id, reason }, `A payment needs review. ${detail}`)
  }
  return false
}

type OpenFact = { fact: ChargeFact; at: Date }

/** The payments of a subscription that are under review, oldest first. */
export const findOpenReviews = (sql: Sql, { subscription_id }: Subscription): Promise<OpenFact[]> => sql<OpenFact[]>`
  select fact, at from payment_review
  where subscription_id = ${subscription_id} and state = 'open' and fact is not null order by at, review_id`

/** A payment refunded at the provider needs no decision. Returns true if that closes a review. */
export async function closeReviewByRefund(
  sql: Sql,
  gateway: GatewayName,
  { charge_ref, amount_minor }: { charge_ref: string; amount_minor: number },
): Promise<boolean> {
  const ended = await sql`
    update payment_review set state = 'handled', decided_at = now(), detail = detail || ' Refunded at the provider.'
    where gateway = ${gateway} and ref = ${charge_ref} and state = 'open'
      and (fact->>'amount_minor')::bigint <= ${amount_minor}`
  if (ended.count > 0) return true
  const [handled] = await sql`
    select 1 from payment_review where gateway = ${gateway} and ref = ${charge_ref} and state = 'handled'`
  return handled !== undefined
}

/**
 * Records a payment that names a subscription of this pool without being linked to its checkout. Payments that name
 * none are ignored, because other shops may use the same account.
 */
export async function reviewUnlinked(
  sql: Sql,
  billingCtx: BillingContext,
  gateway: GatewayName,
  event: GatewayEvent,
): Promise<void> {
  const { gateway_ref, checkout_key, claimed_id, at } = event
  if (!gateway_ref || (!checkout_key && !claimed_id)) return
  const [added] = await sql<{ subscription_id: number }[]>`
    insert into payment_review (gateway, ref, gateway_ref, subscription_id, reason, detail, at)
    select ${gateway}, ${gateway_ref}, ${gateway_ref}, subscription_id, 'unlinked',
      'It names this subscription, and was not paid in the checkout that this pool started for it.', ${at}
    from subscription where gateway = ${gateway}
      and (checkout_key = ${checkout_key ?? null}::uuid or subscription_id = ${claimed_id ?? null}::bigint)
    on conflict (gateway, ref) do nothing returning subscription_id`
  if (added)
    billingCtx.log.warn({ gateway, gateway_ref, ...added }, 'A payment doesn’t match any checkout. It needs review.')
}

/**
 * Records an event that could not be read: the provider gets a success response, and staff see that the event had no
 * effect.
 */
export async function reviewUnreadable(
  billingCtx: BillingContext,
  gateway: GatewayName,
  error: UnreadableEventError,
): Promise<void> {
  const { event_id, at, message, type } = error
  const [added] = await billingCtx.sql`
    insert into payment_review (gateway, ref, reason, detail, at)
    values (${gateway}, ${event_id}, 'unreadable', ${message}, ${at})
    on conflict (gateway, ref) do nothing returning 1`
  if (added) billingCtx.log.error({ gateway, event_id, type, problem: message }, 'A payment event could not be read.')
}

type ReviewRow = {
  review_id: number
  gateway: GatewayName
  ref: string
  gateway_ref: string | null
  subscription_id: number | null
  customer_id: number | null
  dj_name: string | null
  plan_name: string | null
  reason: payments.PaymentReview['reason']
  detail: string
  fact: ChargeFact | null
  at: Date
}

const PER_PAGE = 50

/** The payments under review, oldest first. */
export async function listReviews(sql: Sql, page: number) {
  const [rows, totalCount] = await Promise.all([
    sql<ReviewRow[]>`
      select r.review_id, r.gateway, r.ref, r.gateway_ref, r.subscription_id, s.customer_id, m.dj_name, p.title as plan_name,
        r.reason, r.detail, r.at, coalesce(r.fact, (
          select f from payment_event e, jsonb_array_elements(e.facts) f
          where e.gateway = r.gateway and e.gateway_ref = r.gateway_ref and f->>'kind' = 'charge' and f->>'status' = 'paid'
          order by e.at limit 1)) as fact
      from payment_review r left join subscription s using (subscription_id)
        left join customer m using (customer_id) left join plan p using (plan_id)
      where r.state = 'open' order by r.review_id limit ${PER_PAGE} offset ${(page - 1) * PER_PAGE}`,
    countReviews(sql),
  ])
  return { reviews: rows.map(toReview), pagination: { page, perPageLimit: PER_PAGE, totalCount } }
}

function toReview({ fact, at, ...row }: ReviewRow): payments.PaymentReview {
  return {
    ...row,
    amount: fact && toDecimal(fact.amount_minor),
    currency: fact?.currency ?? '',
    period_start: fact?.period_start ?? null,
    period_end: fact?.period_end ?? null,
    can_accept: row.subscription_id !== null,
    at: at.toISOString(),
  }
}

async function countReviews(sql: Sql): Promise<number> {
  const [count] = await sql<{ n: number }[]>`select count(*)::int as n from payment_review where state = 'open'`
  return count?.n ?? 0
}

export const unknownReviewError = () => new ApiError('unknown_payment', 'This payment no longer needs review.')
