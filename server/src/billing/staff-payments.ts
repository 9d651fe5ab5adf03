import type { billing, ParsedInputOf, payments, ReplyOf } from '@dubplate/contract'
import { amountOf } from '../gateways/amounts.ts'
import type { Fact, GatewayEvent } from '../gateways/gateway.ts'
import { asDecimal, asMinor } from '../gateways/money.ts'
import { ownEvent } from '../gateways/own-event.ts'
import { periodEnd } from '../gateways/periods.ts'
import { rangeOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { asAgreement } from './agreement.ts'
import { chargesOf } from './charges.ts'
import { moveOn, timeOf } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { referenceOf } from './notices.ts'
import type { Paying } from './paying.ts'
import { lookAt } from './renewals.ts'
import { daysAfter } from './standing.ts'
import { readGateways } from './subscription-desk.ts'
import {
  holdSubscription,
  lastSubscription,
  nextAmount,
  paidPeriods,
  readSubscription,
  termsOfSubscription,
} from './subscriptions.ts'

const PER_PAGE = 25

type Row = {
  charge_id: number | null
  subscription_id: number
  customer_id: number
  dj_name: string
  email: string
  plan_name: string
  gateway: string
  payment_method: string
  amount_minor: number
  refunded_minor: number
  currency: string
  status: 'waiting' | 'paid' | 'failed'
  trouble: string
  at: Date
  invoice_number: string | null
}

const asPayment = ({ amount_minor, refunded_minor, status, at, ...row }: Row): payments.StaffPayment => ({
  ...row,
  reference: row.gateway === 'manual' ? referenceOf(row) : '',
  amount: asDecimal(amount_minor),
  refunded: asDecimal(refunded_minor),
  status:
    status !== 'paid' || refunded_minor === 0
      ? status
      : refunded_minor >= amount_minor
        ? 'refunded'
        : 'partly_refunded',
  at: at.toISOString(),
})

const REFUNDED = (sql: Sql) => sql`
  coalesce((select sum(amount_minor) from refund r where r.charge_id = c.charge_id), 0)::int`

const charges = (sql: Sql) => sql`
  select c.charge_id, c.subscription_id, c.customer_id, m.dj_name, m.email, p.title as plan_name, c.gateway,
    c.method as payment_method, c.amount_minor, ${REFUNDED(sql)} as refunded_minor, c.currency, c.status, c.trouble, c.at,
    i.year || '-' || lpad(i.serial::text, greatest(5, length(i.serial::text)), '0') as invoice_number
  from charge c join customer m using (customer_id) join plan p using (plan_id)
    left join invoice i on i.charge_id = c.charge_id and i.kind = 'invoice'`

/** With what its member was told to transfer: after the trial, the coupon, and a change of plan. */
async function withDue(sql: Sql, row: Row): Promise<Row> {
  const subscription = await readSubscription(sql, row.subscription_id)
  if (!subscription) return row
  return { ...row, amount_minor: nextAmount(subscription, await chargesOf(sql, row.subscription_id)).amount_minor }
}

/** Transfers that are waited for: of new subscriptions, and of those whose next payment is near. */
const waiting = (sql: Sql, now: Date) => sql`
  select null::bigint as charge_id, s.subscription_id, s.customer_id, m.dj_name, m.email, p.title as plan_name, s.gateway,
    s.method as payment_method, s.price_minor as amount_minor, 0 as refunded_minor, s.currency, 'waiting' as status,
    '' as trouble, coalesce(s.paid_until, s.created_at) as at, null::text as invoice_number
  from subscription s join customer m using (customer_id) join plan p using (plan_id)
  where s.gateway = 'manual' and (s.status = 'pending'
    or (s.status in ('active', 'trialing', 'past_due') and s.paid_until < ${daysAfter(now, TRANSFERS_EARLY_DAYS)}))`

/** A transfer may be marked as come so long before it is due. */
const TRANSFERS_EARLY_DAYS = 14

type Wish = ParsedInputOf<typeof payments.getPayments>

/** Of the payments as they were listed: whose, by whom, of which days. Refuses `invalid_request` for a day no calendar has. */
function narrowed(sql: Sql, { state, search, customer_id, subscription_id, gateway, amount, from, to }: Wish) {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const days = rangeOf(from, to)
  return sql`true
    ${search ? sql`and (${search} = 'DUB-' || lpad(subscription_id::text, 6, '0') or dj_name ilike ${like} or email ilike ${like} or invoice_number ilike ${like})` : sql``}
    ${customer_id ? sql`and customer_id = ${customer_id}` : sql``}
    ${subscription_id ? sql`and subscription_id = ${subscription_id}` : sql``}
    ${gateway ? sql`and gateway = ${gateway}` : sql``}
    ${amount && state !== 'waiting' ? sql`and amount_minor = ${asMinor(amount)}` : sql``}
    ${days.from ? sql`and at >= ${days.from}` : sql``} ${days.to ? sql`and at < ${days.to}` : sql``}`
}

export async function listPayments(paying: Paying, wish: Wish): Promise<ReplyOf<typeof payments.getPayments>> {
  const { sql } = paying
  const { state, page } = wish
  const all =
    state === 'waiting'
      ? waiting(sql, paying.now())
      : sql`${charges(sql)} where c.status = ${state === 'refunded' ? 'paid' : state}
          ${state === 'refunded' ? sql`and exists (select 1 from refund r where r.charge_id = c.charge_id)` : sql``}`
  const found = sql`select * from (${all}) as payment where ${narrowed(sql, wish)}`
  const order = state === 'waiting' ? sql`at, subscription_id` : sql`charge_id desc`
  const rows = await sql<Row[]>`
    ${found} order by ${order} limit ${PER_PAGE} offset ${(page - 1) * PER_PAGE}`
  const [count] = await sql<{ n: number }[]>`select count(*)::int as n from (${found}) as counted`
  const due = state === 'waiting' ? await Promise.all(rows.map((row) => withDue(sql, row))) : rows
  return {
    payments: due.map(asPayment),
    counts: await countPayments(sql, paying.now()),
    gateways: await readGateways(sql),
    has_clocks: paying.gateways.has('sandbox'),
    pagination: { page, perPageLimit: PER_PAGE, totalCount: count?.n ?? 0 },
  }
}

type Counts = ReplyOf<typeof payments.getPayments>['counts']

/** How many transfers are waited for, how many payments failed, and how many need review. */
export async function countPayments(sql: Sql, now: Date): Promise<Counts> {
  const [counts] = await sql<Counts[]>`
    select (select count(*)::int from (${waiting(sql, now)}) as w) as waiting,
      (select count(*)::int from charge where status = 'failed') as failed,
      (select count(*)::int from payment_review where state = 'open') as review`
  return counts ?? { waiting: 0, failed: 0, review: 0 }
}

export async function readPayment({ sql }: Paying, chargeId: number): Promise<payments.StaffPayment> {
  const [row] = await sql<Row[]>`${charges(sql)} where c.charge_id = ${chargeId}`
  if (!row) throw new Refusal('unknown_payment', 'Payment not found.')
  return asPayment(row)
}

/**
 * A bank transfer, or cash, has come: for the first period, or for the next one. Twice at once counts once. Refuses
 * `unknown_payment`, `no_payment_due`.
 */
export async function markPaid(paying: Paying, subscriptionId: number): Promise<number> {
  const { sql } = paying
  // What is due and what was paid are read in one moment: of two at once both say the same transfer has come.
  const { told, charge_ref } = await sql.begin((sql) => transferDue(sql, paying, subscriptionId))
  await applyEvents(paying, 'manual', [told])
  const [charge] = await sql<{ charge_id: number }[]>`
    select charge_id from charge where gateway = 'manual' and gateway_ref = ${charge_ref}`
  if (!charge) throw new Error('Payment not found after it was marked as paid')
  return charge.charge_id
}

/** The transfer that is waited for, as the event that says it has come. */
async function transferDue(
  sql: Sql,
  paying: Paying,
  subscriptionId: number,
): Promise<{ told: GatewayEvent; charge_ref: string }> {
  const subscription = await holdSubscription(sql, subscriptionId)
  if (subscription?.gateway !== 'manual')
    throw new Refusal('unknown_payment', 'No bank transfer is expected for this subscription.')
  const now = await timeOf(sql, paying, subscription.customer_id)
  const { status, paid_until, interval } = subscription
  const isDue = paid_until ? paid_until < daysAfter(now, TRANSFERS_EARLY_DAYS) : true
  if (status === 'ended' || status === 'cancel_scheduled' || !isDue) {
    throw new Refusal('no_payment_due', 'No payment is due for this subscription right now.')
  }
  const paid = paidPeriods(await chargesOf(sql, subscriptionId))
  const starts = paid_until ?? now
  const terms = termsOfSubscription(subscription, starts)
  const charge_ref = `manual-${subscriptionId}-${paid.length + 1}`
  const charge: Fact = {
    kind: 'charge',
    charge_ref,
    status: 'paid',
    reason: paid.length === 0 ? 'first' : 'renewal',
    plan_id: terms.plan_id,
    ...amountOf(terms, paid.length + 1),
    currency: terms.currency,
    is_trial: paid.length === 0 && subscription.is_trial,
    period_start: starts.toISOString(),
    period_end: periodEnd(paid[0]?.period_start ?? now, interval, paid.length + 1).toISOString(),
    trouble: '',
  }
  const at = { subscription_id: subscriptionId, gateway_ref: null, now }
  return { told: ownEvent(at, [charge], `paid:${charge_ref}`), charge_ref }
}

/** Moves a member's sandbox clock on, step by step, so that everything in between happens in its turn. */
export async function moveClock(
  paying: Paying,
  { customer_id, days }: { customer_id: number; days: number },
): Promise<billing.Agreement | null> {
  const { sql } = paying
  if (!paying.gateways.has('sandbox'))
    throw new Refusal('test_clock_unavailable', 'Test clocks are only available with the sandbox gateway.')
  const [member] = await sql`select 1 from customer where customer_id = ${customer_id}`
  if (!member) throw new Refusal('unknown_member', 'Member not found.')
  for (let day = 0; day < days; day += 1) {
    await moveOn(sql, customer_id, 1)
    const open = await lastSubscription(sql, customer_id)
    if (open) await lookAt(paying, open.subscription_id)
  }
  const last = await lastSubscription(sql, customer_id)
  return last && last.status !== 'failed' ? asAgreement(sql, paying, last) : null
}
