import type { billing, ParsedInputOf, payments, ReplyOf } from '@dubplate/contract'
import { amountOf } from '../gateways/amounts.ts'
import type { Fact, GatewayEvent } from '../gateways/gateway.ts'
import { toDecimal, toMinor } from '../gateways/money.ts'
import { periodEnd } from '../gateways/periods.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { rowsOfMembers } from '../membership/member-search.ts'
import { ApiError } from '../platform/api-error.ts'
import { toDateRange } from '../platform/calendar.ts'
import { countPages, countUpTo } from '../platform/count-up-to.ts'
import type { Sql, SqlFragment } from '../platform/db.ts'
import { toAgreement } from './agreement.ts'
import type { BillingContext } from './billing-context.ts'
import { chargesOf } from './charges.ts'
import { advanceClock, currentTimeFor } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { referenceOf } from './notifications.ts'
import { processSubscription } from './renewals.ts'
import { readGateways } from './staff-subscriptions.ts'
import { daysAfter } from './subscription-state.ts'
import {
  findLastSubscription,
  lockSubscription,
  nextAmount,
  paidPeriods,
  readSubscription,
  termsOfSubscription,
} from './subscriptions.ts'

const PER_PAGE = 50

type PaymentRow = {
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
  failure_reason: string
  at: Date
  invoice_number: string | null
}

const toPayment = ({ amount_minor, refunded_minor, status, at, ...row }: PaymentRow): payments.StaffPayment => ({
  ...row,
  reference: row.gateway === 'manual' ? referenceOf(row) : '',
  amount: toDecimal(amount_minor),
  refunded: toDecimal(refunded_minor),
  status:
    status !== 'paid' || refunded_minor === 0
      ? status
      : refunded_minor >= amount_minor
        ? 'refunded'
        : 'partly_refunded',
  at: at.toISOString(),
})

const refundedColumn = (sql: Sql) => sql`
  coalesce((select sum(amount_minor) from refund r where r.charge_id = c.charge_id), 0)::int`

const charges = (sql: Sql) => sql`
  select c.charge_id, c.subscription_id, c.customer_id, m.dj_name, m.email, p.title as plan_name, c.gateway,
    c.method as payment_method, c.amount_minor, ${refundedColumn(sql)} as refunded_minor, c.currency, c.status, c.failure_reason, c.at,
    i.year || '-' || lpad(i.serial::text, greatest(5, length(i.serial::text)), '0') as invoice_number
  from charge c join customer m using (customer_id) join plan p using (plan_id)
    left join invoice i on i.charge_id = c.charge_id and i.kind = 'invoice'`

/** Adds the amount that the member was asked to transfer, after the trial, the coupon and a change of plan. */
async function withDue(sql: Sql, row: PaymentRow): Promise<PaymentRow> {
  const subscription = await readSubscription(sql, row.subscription_id)
  if (!subscription) return row
  return { ...row, amount_minor: nextAmount(subscription, await chargesOf(sql, row.subscription_id)).amount_minor }
}

/** Expected transfers: of new subscriptions, and of those whose next payment is near. */
const waiting = (sql: Sql, now: Date) => sql`
  select null::bigint as charge_id, s.subscription_id, s.customer_id, m.dj_name, m.email, p.title as plan_name, s.gateway,
    s.method as payment_method, s.price_minor as amount_minor, 0 as refunded_minor, s.currency, 'waiting' as status,
    '' as failure_reason, coalesce(s.paid_until, s.created_at) as at, null::text as invoice_number
  from subscription s join customer m using (customer_id) join plan p using (plan_id)
  where s.gateway = 'manual' and (s.status = 'pending'
    or (s.status in ('active', 'trialing', 'past_due') and s.paid_until < ${daysAfter(now, EARLY_TRANSFER_DAYS)}))`

/** How many days before it is due a transfer may be marked as received. */
const EARLY_TRANSFER_DAYS = 14

type GetPaymentsParams = ParsedInputOf<typeof payments.getPayments>

type Condition = { where: SqlFragment }

/** What a search for payments names: a bank transfer's reference, an invoice, or else members. */
async function searchCondition(sql: Sql, search: string): Promise<Condition> {
  const subscriptionId = /^DUB-0*(\d{1,9})$/i.exec(search)?.[1]
  if (subscriptionId) return { where: sql`subscription_id = ${Number(subscriptionId)}` }
  const [, year, serial] = /^(\d{4})-(\d{1,9})$/.exec(search) ?? []
  if (!year || !serial) return { where: (await rowsOfMembers(sql, search))(sql`customer_id`) }
  return {
    where: sql`charge_id = (
      select charge_id from invoice where year = ${Number(year)} and serial = ${Number(serial)} and kind = 'invoice')`,
  }
}

/** Filters charges, or the subscriptions that wait for a transfer. Throws `invalid_request` for a day that does not exist. */
async function paymentFilter(
  sql: Sql,
  { state, search, customer_id, subscription_id, gateway, amount, from, to }: GetPaymentsParams,
): Promise<Condition> {
  const days = toDateRange(from, to)
  const { where: matching } = search ? await searchCondition(sql, search) : {}
  return {
    where: sql`true
      ${matching ? sql`and ${matching}` : sql``}
      ${customer_id ? sql`and customer_id = ${customer_id}` : sql``}
      ${subscription_id ? sql`and subscription_id = ${subscription_id}` : sql``}
      ${gateway ? sql`and gateway = ${gateway}` : sql``}
      ${amount && state !== 'waiting' ? sql`and amount_minor = ${toMinor(amount)}` : sql``}
      ${days.from ? sql`and at >= ${days.from}` : sql``} ${days.to ? sql`and at < ${days.to}` : sql``}`,
  }
}

export async function listPayments(
  billingCtx: BillingContext,
  params: GetPaymentsParams,
): Promise<ReplyOf<typeof payments.getPayments>> {
  const { sql } = billingCtx
  const { state, page } = params
  const offset = (page - 1) * PER_PAGE
  const { where } = await paymentFilter(sql, params)
  const waitingRows = sql`select * from (${waiting(sql, billingCtx.now())}) as payment where ${where}`
  // The page is selected before other tables are joined.
  const chargeIds = sql`
    select charge_id from charge where status = ${state === 'refunded' ? 'paid' : state} and ${where}
      ${state === 'refunded' ? sql`and exists (select 1 from refund r where r.charge_id = charge.charge_id)` : sql``}`
  const [rows, count, counts, gateways] = await Promise.all([
    state === 'waiting'
      ? sql<PaymentRow[]>`${waitingRows} order by at, subscription_id limit ${PER_PAGE} offset ${offset}`
      : sql<PaymentRow[]>`
          ${charges(sql)} where c.charge_id in (
            ${chargeIds} order by charge_id desc limit ${PER_PAGE} offset ${offset})
          order by c.charge_id desc`,
    countPages(sql, state === 'waiting' ? waitingRows : chargeIds),
    countPayments(sql, billingCtx.now()),
    readGateways(sql),
  ])
  const due = state === 'waiting' ? await Promise.all(rows.map((row) => withDue(sql, row))) : rows
  return {
    payments: due.map(toPayment),
    counts,
    gateways,
    has_test_clocks: billingCtx.gateways.has('sandbox'),
    pagination: { page, perPageLimit: PER_PAGE, ...count },
  }
}

type PaymentCounts = ReplyOf<typeof payments.getPayments>['counts']

/** Counts expected transfers, failed payments and payments that need review, each up to MAX_COUNTED_ROWS. */
export async function countPayments(sql: Sql, now: Date): Promise<PaymentCounts> {
  const [waitingCount, failed, review] = await Promise.all([
    countUpTo(sql, waiting(sql, now)),
    countUpTo(sql, sql`select 1 from charge where status = 'failed'`),
    countUpTo(sql, sql`select 1 from payment_review where state = 'open'`),
  ])
  return { waiting: waitingCount, failed, review }
}

export async function readPayment({ sql }: BillingContext, chargeId: number): Promise<payments.StaffPayment> {
  const [row] = await sql<PaymentRow[]>`${charges(sql)} where c.charge_id = ${chargeId}`
  if (!row) throw new ApiError('unknown_payment', 'Payment not found.')
  return toPayment(row)
}

/**
 * Marks a bank transfer or cash payment as received, for the first period or the next one. Two simultaneous calls count
 * once. Throws `unknown_payment` or `no_payment_due`.
 */
export async function markPaid(billingCtx: BillingContext, subscriptionId: number): Promise<number> {
  const { sql } = billingCtx
  // What is due and what was paid are read in one transaction, so that two simultaneous calls refer to the same
  // transfer.
  const { event, charge_ref } = await sql.begin((sql) => transferDue(sql, billingCtx, subscriptionId))
  await applyEvents(billingCtx, 'manual', [event])
  const [charge] = await sql<{ charge_id: number }[]>`
    select charge_id from charge where gateway = 'manual' and gateway_ref = ${charge_ref}`
  if (!charge) throw new Error('Payment not found after it was marked as paid')
  return charge.charge_id
}

/** The expected transfer, as the event that reports it as received. */
async function transferDue(
  sql: Sql,
  billingCtx: BillingContext,
  subscriptionId: number,
): Promise<{ event: GatewayEvent; charge_ref: string }> {
  const subscription = await lockSubscription(sql, subscriptionId)
  if (subscription?.gateway !== 'manual')
    throw new ApiError('unknown_payment', 'No bank transfer is expected for this subscription.')
  const now = await currentTimeFor(sql, billingCtx, subscription.customer_id)
  const { status, paid_until, interval } = subscription
  const isDue = paid_until ? paid_until < daysAfter(now, EARLY_TRANSFER_DAYS) : true
  if (status === 'ended' || status === 'cancel_scheduled' || !isDue) {
    throw new ApiError('no_payment_due', 'No payment is due for this subscription right now.')
  }
  const paid = paidPeriods(await chargesOf(sql, subscriptionId))
  const periodStart = paid_until ?? now
  const terms = termsOfSubscription(subscription, periodStart)
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
    period_start: periodStart.toISOString(),
    period_end: periodEnd(paid[0]?.period_start ?? now, interval, paid.length + 1).toISOString(),
    failure_reason: '',
  }
  const at = { subscription_id: subscriptionId, gateway_ref: null, now }
  return { event: ownEvent(at, [charge], `paid:${charge_ref}`), charge_ref }
}

/** Advances a member's sandbox clock step by step, so that everything in between happens in order. */
export async function moveClock(
  billingCtx: BillingContext,
  { customer_id, days }: { customer_id: number; days: number },
): Promise<billing.Agreement | null> {
  const { sql } = billingCtx
  if (!billingCtx.gateways.has('sandbox'))
    throw new ApiError('test_clock_unavailable', 'Test clocks are only available in test mode.')
  const [member] = await sql`select 1 from customer where customer_id = ${customer_id}`
  if (!member) throw new ApiError('unknown_member', 'Member not found.')
  for (let day = 0; day < days; day += 1) {
    await advanceClock(sql, customer_id, 1)
    const open = await findLastSubscription(sql, customer_id)
    if (open) await processSubscription(billingCtx, open.subscription_id)
  }
  const last = await findLastSubscription(sql, customer_id)
  return last && last.status !== 'failed' ? toAgreement(sql, billingCtx, last) : null
}
