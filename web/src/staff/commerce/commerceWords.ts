import type { coupons, plans, Sum, subscriptions } from '@dubplate/contract'
import { each } from '../../billing/agreementWords.ts'
import { money } from '../../billing/money.ts'
import { fullDay } from '../../platform/days.ts'
import { plural } from '../../platform/format.ts'

export type Tone = 'ok' | 'warn' | 'danger' | 'gone'

export const STATE_WORDS: Record<subscriptions.SubscriptionState, { text: string; tone: Tone }> = {
  pending: { text: 'Pending', tone: 'warn' },
  trialing: { text: 'Trial', tone: 'ok' },
  active: { text: 'Active', tone: 'ok' },
  past_due: { text: 'Past due', tone: 'danger' },
  cancel_scheduled: { text: 'Cancelling', tone: 'warn' },
  ended: { text: 'Ended', tone: 'gone' },
  failed: { text: 'Failed', tone: 'gone' },
}

export const COUPON_STATE_WORDS: Record<coupons.Coupon['state'], { text: string; tone: Tone }> = {
  on: { text: 'Active', tone: 'ok' },
  to_come: { text: 'Scheduled', tone: 'warn' },
  over: { text: 'Expired', tone: 'gone' },
}

/** '$15.00 each month' */
export const priceWords = ({ price, currency, interval }: Pick<plans.StaffPlan, 'price' | 'currency' | 'interval'>) =>
  `${money(price, currency)} ${each(interval)}`

/** '$30.00 + €12.00'; `none` where there is nothing. */
export const sumWords = (sums: readonly Sum[], none: string): string =>
  sums.map(({ amount, currency }) => money(amount, currency)).join(' + ') || none

/** What a subscription waits for, in a line; '' where it waits for nothing. */
export function nextWords({
  status,
  next_payment_at,
  next_amount,
  access_until,
  currency,
}: subscriptions.ListedSubscription) {
  if (next_payment_at && next_amount) return `${money(next_amount, currency)} on ${fullDay(next_payment_at)}`
  if (status === 'pending' && next_amount) return `${money(next_amount, currency)} due at start`
  return status === 'cancel_scheduled' && access_until ? `Until ${fullDay(access_until)}` : ''
}

const HAPPENINGS: Record<string, string> = {
  ordered: 'Ordered',
  paid: 'Paid',
  failed: 'Payment failed',
  started: 'Payment pending',
  refunded: 'Refunded',
  cancelled: 'Cancelled; member notified',
  ended: 'Ended; member notified',
  payment_failed: 'Payment failure email sent',
  payment_coming: 'Renewal reminder sent',
  paid_double: 'Duplicate payment; will be refunded',
  staff_cancelled: 'Cancelled by staff',
  staff_resumed: 'Resumed by staff',
  staff_ended: 'Ended by staff',
}

/** What happened, in words; what has none as it is. */
export const happeningWords = (what: string): string => HAPPENINGS[what] ?? what.replaceAll('_', ' ')

/** Whom a change of a plan does not touch, in a sentence; '' where nobody has it. */
export function agreedWords({ agreed, subscribers }: Pick<plans.StaffPlan, 'agreed' | 'subscribers'>): string {
  if (subscribers === 0) return ''
  const who = `${plural(subscribers, 'member')} on this plan`
  const [only] = agreed
  if (agreed.length === 1 && only) {
    return `${who} ${subscribers === 1 ? 'keeps' : 'keep'} the agreed price: ${priceWords(only)}.`
  }
  const parts = agreed.map((each) => `${each.subscribers} at ${priceWords(each)}`)
  return `${who} keep their agreed prices: ${parts.join(', ')}.`
}

/** When and how often a coupon holds. */
export function limitWords({ starts_at, ends_at, most_uses, uses }: coupons.Coupon): string {
  const used = most_uses === null ? plural(uses, 'use') : `${uses} of ${plural(most_uses, 'use')}`
  const from = starts_at ? `from ${fullDay(starts_at)}` : ''
  const until = ends_at ? `until ${fullDay(ends_at)}` : ''
  return [used, from, until].filter(Boolean).join(' · ')
}
