import type { DemoSubscription } from '@dubplate/demo/world'
import { NOTICE_DAYS, periodLabel } from '../billing/payment-schedule.ts'
import {
  daysAfter,
  deriveState,
  type PaidPeriod,
  RETRY_DAYS,
  type SubscriptionState,
} from '../billing/subscription-state.ts'
import { amountOf } from '../gateways/amounts.ts'
import type { Terms } from '../gateways/gateway.ts'
import { periodEnd } from '../gateways/periods.ts'
import { type Behaviour, declineMessage } from '../gateways/test-cards.ts'

/** A payment of a demo subscription; `n` counts from 1. */
type DemoCharge = Omit<PaidPeriod, 'status'> & {
  n: number
  status: 'failed' | 'paid'
  amount_minor: number
  discount_minor: number
  failure_reason: string
}

type DemoRefund = { n: number; amount_minor: number; reason: string; at: Date }

/** What has happened to a demo subscription up to now, and the state that follows from it. */
export type SubscriptionHistory = {
  charges: DemoCharge[]
  refunds: DemoRefund[]
  state: SubscriptionState
  is_cancelled: boolean
  has_ended: boolean
  is_abandoned: boolean
  next_check_at: Date | null
  /** The time in which the member could download; undefined if they never could. */
  access: { from: Date; until: Date } | undefined
}

export function behaviourFor({ declined, method }: DemoSubscription): Behaviour {
  if (declined) return declined === 'first' ? 'declines' : 'fails_on_renewal'
  return method === 'paypal' ? 'asks' : 'pays'
}

export function generateHistory(subscription: DemoSubscription, terms: Terms, now: Date): SubscriptionHistory {
  const { started_at, cancelled_at, ended, declined } = subscription
  const payments = paymentsOf(subscription, terms, now)
  const refunds = refundsOf(subscription, payments)
  const charges = payments.map((charge) => ({ ...charge, is_void: isVoid(charge, refunds, ended?.at) }))
  const flags = {
    is_cancelled: cancelled_at !== undefined || ended !== undefined,
    has_ended: ended !== undefined,
    is_abandoned: declined === 'first',
  }
  const state = deriveState({ charges, ...flags, checkout_ends_at: started_at }, now)
  const until = ended?.at ?? state.access_until
  return {
    ...{ charges, refunds, state, ...flags },
    next_check_at: nextCheckAt(state, charges, now),
    access: until ? { from: started_at, until } : undefined,
  }
}

/** One payment for each period that has begun, until the subscription is cancelled or ended. */
function paymentsOf(subscription: DemoSubscription, terms: Terms, now: Date): DemoCharge[] {
  const { started_at, cancelled_at, ended, declined } = subscription
  const last = [now, cancelled_at, ended?.at].reduce<Date>((first, at) => (at && at < first ? at : first), now)
  const behaviour = behaviourFor(subscription)
  const charges: DemoCharge[] = []
  for (let n = 1; ; n += 1) {
    const period_start = n === 1 ? started_at : periodEnd(started_at, terms.interval, n - 1)
    const period_end = periodEnd(started_at, terms.interval, n)
    if (period_start > last) return charges
    const isDeclined = declined === 'first' || (declined === 'renewal' && period_end > now)
    const reason = n === 1 ? 'first' : 'renewal'
    charges.push({
      ...{ n, reason, period_start, period_end, is_void: false },
      ...amountOf(terms, n),
      status: isDeclined ? 'failed' : 'paid',
      failure_reason: isDeclined ? declineMessage(behaviour, reason) : '',
      is_trial: n === 1 && terms.first_price_minor < terms.price_minor,
    })
    if (declined === 'first') return charges
  }
}

/** The refunds of the subscription; one that staff ended with a refund gets its last payment back. */
function refundsOf({ refunds, ended }: DemoSubscription, charges: readonly DemoCharge[]): DemoRefund[] {
  const single = refunds.map(({ payment, ...refund }) => ({ n: payment, ...refund }))
  const last = charges.at(-1)
  if (!ended?.isRefunded || !last) return single
  return [...single, { n: last.n, amount_minor: last.amount_minor, reason: ended.reason, at: ended.at }]
}

/** The same as in `chargesOf`: a payment no longer counts once it is refunded in full, or the subscription was ended. */
function isVoid({ n, amount_minor, period_start }: DemoCharge, refunds: readonly DemoRefund[], endedAt?: Date) {
  const refunded = refunds.filter((refund) => refund.n === n).reduce((sum, refund) => sum + refund.amount_minor, 0)
  return (endedAt !== undefined && period_start <= endedAt) || (amount_minor > 0 && refunded >= amount_minor)
}

/** When the pool next has something to do for it: the notice of a payment, a payment, another attempt, or its end. */
function nextCheckAt(state: SubscriptionState, charges: readonly DemoCharge[], now: Date): Date | null {
  const { status, paid_until, next_check_at } = state
  if (!paid_until || !next_check_at) return next_check_at
  const times = [next_check_at]
  if (status === 'active' || status === 'trialing') times.push(daysAfter(paid_until, -NOTICE_DAYS.month))
  if (charges.some((charge) => charge.status === 'failed')) times.push(daysAfter(paid_until, RETRY_DAYS[0] ?? 0))
  return new Date(Math.min(...times.map((time) => time.getTime()).filter((time) => time > now.getTime())))
}

export type DemoEvent = { kind: string; reference: string; detail: string; at: Date; isByStaff: boolean }

/** The events of the subscription that the pool has recorded, as it names them. `refOf` names a payment. */
export function eventsOf(
  { cancelled_at, ended }: DemoSubscription,
  { charges, state }: SubscriptionHistory,
  { refOf, now }: { refOf: (n: number) => string; now: Date },
): DemoEvent[] {
  const event = (kind: string, at: Date, reference: string, more: Partial<DemoEvent> = {}): DemoEvent => ({
    ...{ kind, reference, at, detail: '', isByStaff: false, ...more },
  })
  const { status, paid_until } = state
  const renewsAt = (status === 'active' || status === 'trialing') && paid_until ? [paid_until] : []
  const renewals = [...charges.filter(({ n }) => n > 1).map(({ period_start }) => period_start), ...renewsAt]
  const notices = renewals
    .map((due) => event('payment_coming', daysAfter(due, -NOTICE_DAYS.month), periodLabel(due)))
    .filter(({ at }) => at <= now)
  const failures = charges
    .filter(({ status, reason }) => status === 'failed' && reason === 'renewal')
    .flatMap(({ n, period_start: at }) => [
      event('attempt', at, `${periodLabel(at)} 1`),
      event('payment_failed', at, `${refOf(n)} ${at.toISOString().slice(0, 10)}`),
    ])
  const endedAt = ended?.at ?? (status === 'ended' ? paid_until : null)
  return [
    ...notices,
    ...failures,
    ...(cancelled_at ? [event('cancelled', cancelled_at, cancelled_at.toISOString())] : []),
    ...(ended ? [event('staff_ended', ended.at, '', { detail: ended.reason, isByStaff: true })] : []),
    ...(endedAt ? [event('ended', endedAt, periodLabel(endedAt))] : []),
  ]
}
