import { GRACE_DAYS, hasAccess } from '../billing/subscription-state.ts'
import type { Subscription } from '../billing/subscriptions.ts'

/** The fields of a subscription that explain whether its member has paid. */
type PaidSubscription = Pick<
  Subscription,
  'title' | 'status' | 'gateway' | 'paid_until' | 'access_until' | 'failure_reason' | 'ended_at'
>

const dateFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** '21 Dec 2026', in UTC. */
function day(date: Date): string {
  const dateParts = Object.fromEntries(dateFormat.formatToParts(date).map(({ type, value }) => [type, value]))
  return `${dateParts.day} ${dateParts.month} ${dateParts.year}`
}

/** Explains in one sentence why a member is marked as paid. */
export function describePaid(subscription: PaidSubscription | undefined, now: Date): string {
  if (!subscription?.paid_until) return 'Marked as paid, but has no subscription.'
  const { title, paid_until, access_until } = subscription
  if (!hasAccess(subscription, now)) {
    return `Marked as paid, but ${title} was only paid until ${day(paid_until)}.`
  }
  if (now < paid_until || !access_until) return `${title} is paid until ${day(paid_until)}.`
  return `The payment for ${title} was due on ${day(paid_until)} and hasn’t arrived. Access ends on ${day(access_until)}.`
}

/** Explains in one sentence why a member is marked as unpaid. */
export function describeUnpaid(subscription: PaidSubscription | undefined, now: Date): string {
  if (!subscription) return 'No plan.'
  const { title, status, gateway, paid_until, ended_at } = subscription
  if (hasAccess(subscription, now)) return `Marked as unpaid, but ${title} grants access. Contact an admin.`
  if (status === 'pending') {
    return gateway === 'manual'
      ? `The bank transfer for ${title} hasn’t been marked as paid.`
      : `The payment for ${title} is being processed.`
  }
  if (status === 'past_due' && paid_until) {
    return `The payment for ${title} was due on ${day(paid_until)} and the ${GRACE_DAYS}-day grace period has ended.`
  }
  if (ended_at) return `Staff ended ${title} on ${day(ended_at)}.`
  if (!paid_until && status === 'ended') return `The payment for ${title} was refunded.`
  if (!paid_until) return `No payment for ${title} was ever received.`
  return `${title} ended on ${day(paid_until)}.`
}
