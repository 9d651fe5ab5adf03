import type { plans, Sum, subscriptions } from '@dubplate/contract'
import type { Tone } from '../../admin/cells.tsx'
import { each } from '../../billing/agreementTexts.ts'
import { money } from '../../billing/money.ts'
import { formatDate } from '../../format/dates.ts'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

export const STATUS_TEXTS: Record<subscriptions.SubscriptionState, { text: string; tone: Tone }> = {
  pending: { text: texts.pending, tone: 'warning' },
  trialing: { text: texts.trial, tone: 'ok' },
  active: { text: texts.active, tone: 'ok' },
  past_due: { text: texts.pastDue, tone: 'danger' },
  cancel_scheduled: { text: texts.cancelling, tone: 'warning' },
  ended: { text: texts.ended, tone: 'neutral' },
  failed: { text: texts.failed, tone: 'neutral' },
}

/** '$15.00 each month' */
export const formatPrice = ({ price, currency, interval }: Pick<plans.StaffPlan, 'price' | 'currency' | 'interval'>) =>
  `${money(price, currency)} ${each(interval)}`

/** '$30.00 + €12.00'; `none` when there are no amounts. */
export const formatSums = (sums: readonly Sum[], none: string): string =>
  sums.map(({ amount, currency }) => money(amount, currency)).join(' + ') || none

/** The next event of a subscription, in one line; '' when there is none. */
export function describeNextPayment({
  status,
  next_payment_at,
  next_amount,
  access_until,
  currency,
}: subscriptions.ListedSubscription) {
  if (next_payment_at && next_amount)
    return format(texts.on, { next_amount: money(next_amount, currency), next_payment_at: formatDate(next_payment_at) })
  if (status === 'pending' && next_amount)
    return format(texts.dueAtStart, { next_amount: money(next_amount, currency) })
  return status === 'cancel_scheduled' && access_until
    ? format(texts.untilAccessEnds, { access_until: formatDate(access_until) })
    : ''
}

const EVENTS: Record<string, string> = {
  ordered: texts.ordered,
  paid: texts.paid,
  failed: texts.paymentFailed,
  started: texts.paymentPending,
  refunded: texts.refunded,
  cancelled: texts.cancelledMemberNotified,
  ended: texts.endedMemberNotified,
  payment_failed: texts.paymentFailureEmailSent,
  payment_coming: texts.renewalReminderSent,
  paid_double: texts.duplicatePaymentWillBeRefunded,
  staff_cancelled: texts.cancelledByStaff,
  staff_resumed: texts.resumedByStaff,
  staff_ended: texts.endedByStaff,
}

/** An event in words; an unknown one stays as it is. */
export const eventText = (what: string): string => EVENTS[what] ?? what.replaceAll('_', ' ')

/** A sentence on who is not affected by a change of a plan; '' when nobody has the plan. */
export function describeOtherPrices({ agreed, subscribers }: Pick<plans.StaffPlan, 'agreed' | 'subscribers'>): string {
  if (subscribers === 0) return ''
  const [only] = agreed
  if (agreed.length === 1 && only) return format(texts.membersKeepTheirPrice, { subscribers, price: formatPrice(only) })
  const prices = agreed.map((each) => format(texts.at, { subscribers: each.subscribers, price: formatPrice(each) }))
  return format(texts.membersKeepTheirPrices, { subscribers, prices: formatList(prices) })
}
