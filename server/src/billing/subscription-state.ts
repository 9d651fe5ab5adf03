/**
 * Derives the state of a subscription from its payments, refunds, requests and the time alone. It can always be
 * recomputed from those, in whatever order they arrived.
 */

/** Days of full access after a period whose next payment has not arrived. */
export const GRACE_DAYS = 3
/** A failed payment is retried this many days after it was due; after the last attempt the subscription ends. */
export const RETRY_DAYS = [2, 5, 9, 13]
const ENDS_AFTER_DAYS = 14
/** How long a checkout at a provider's page stays open; a bank transfer may take longer. */
export const CHECKOUT_MINUTES = 60
export const TRANSFER_DAYS = 14

export type Status = 'pending' | 'trialing' | 'active' | 'past_due' | 'cancel_scheduled' | 'ended' | 'failed'

export type PaidPeriod = {
  status: 'started' | 'failed' | 'paid'
  /** Refunded in full, or ended by staff: it pays for nothing any more. */
  is_void: boolean
  is_trial: boolean
  reason: 'first' | 'renewal' | 'upgrade'
  period_start: Date
  period_end: Date
}

export type SubscriptionFacts = {
  charges: readonly PaidPeriod[]
  /** No further period is wanted. */
  is_cancelled: boolean
  has_ended: boolean
  is_abandoned: boolean
  checkout_ends_at: Date
}

export type SubscriptionState = {
  status: Status
  /** The end of the last paid period; null before the first payment. */
  paid_until: Date | null
  /** When access ends: after the paid period, and the grace period if another payment is expected. */
  access_until: Date | null
  /** The next time at which the state changes without an event; null when there is none. */
  next_check_at: Date | null
}

const DAY_MS = 86_400_000
export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

const NEVER_PAID = { paid_until: null, access_until: null }

export function deriveState(facts: SubscriptionFacts, now: Date): SubscriptionState {
  const counted = effectiveCharges(facts.charges)
  const last = counted.reduce<PaidPeriod | undefined>(
    (latest, each) => (!latest || isLater(each, latest) ? each : latest),
    undefined,
  )
  if (!last) return unpaidStatus(facts, now)
  const isLast = facts.is_cancelled || facts.has_ended
  const paid_until = last.period_end
  const access_until = isLast ? paid_until : daysAfter(paid_until, GRACE_DAYS)
  if (now < paid_until) {
    const status = isLast ? 'cancel_scheduled' : last.is_trial ? 'trialing' : 'active'
    return { status, paid_until, access_until, next_check_at: paid_until }
  }
  const ends_at = daysAfter(paid_until, ENDS_AFTER_DAYS)
  if (isLast || now >= ends_at) return { status: 'ended', paid_until, access_until, next_check_at: null }
  const hasFailed = facts.charges.some((charge) => charge.status === 'failed' && charge.period_start >= paid_until)
  // A provider takes an hour or two to charge for the next period, which does not count as past due.
  const status = hasFailed || now >= access_until ? 'past_due' : 'active'
  return { status, paid_until, access_until, next_check_at: now < access_until ? access_until : ends_at }
}

/** The start of the first paid period, refunded or not; null before the first payment. */
export function firstPaidAt(charges: readonly PaidPeriod[]): Date | null {
  const starts = charges.filter(({ status }) => status === 'paid').map(({ period_start }) => period_start.getTime())
  return starts.length > 0 ? new Date(Math.min(...starts)) : null
}

/** The payments that count; an upgrade counts only with the period it was made in. */
function effectiveCharges(charges: readonly PaidPeriod[]): PaidPeriod[] {
  const paid = charges.filter(({ status, is_void }) => status === 'paid' && !is_void)
  const ends = new Set(paid.filter(({ reason }) => reason !== 'upgrade').map(({ period_end }) => period_end.getTime()))
  return paid.filter(({ period_end }) => ends.has(period_end.getTime()))
}

/** An upgrade ends with the period it was made in, and counts as the later of the two. */
const isLater = (one: PaidPeriod, other: PaidPeriod): boolean =>
  one.period_end.getTime() === other.period_end.getTime()
    ? one.period_start > other.period_start
    : one.period_end > other.period_end

/** The state without a paid period: waiting for the first payment, never paid, or refunded. */
function unpaidStatus(
  { charges, is_abandoned, has_ended, checkout_ends_at }: SubscriptionFacts,
  now: Date,
): SubscriptionState {
  if (charges.some(({ status }) => status === 'paid')) return { ...NEVER_PAID, status: 'ended', next_check_at: null }
  if (is_abandoned || has_ended || now >= checkout_ends_at)
    return { ...NEVER_PAID, status: 'failed', next_check_at: null }
  return { ...NEVER_PAID, status: 'pending', next_check_at: checkout_ends_at }
}

/** Whether the member may download. */
export const hasAccess = ({ access_until }: Pick<SubscriptionState, 'access_until'>, now: Date): boolean =>
  access_until !== null && now < access_until
