import type { billing, ReplyOf } from '@dubplate/contract'
import { formatDate } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Agreement = billing.Agreement
type Quote = ReplyOf<typeof billing.quotePlanChange>

export const each = (interval: Agreement['interval']) => (interval === 'year' ? texts.everyYear : texts.everyMonth)

/** '$14.99 every month'. */
export const priceText = (price: string, interval: Agreement['interval']) =>
  format(interval === 'year' ? texts.pricePerYear : texts.pricePerMonth, { price })

/** What happens next with a subscription that continues or ends, in one sentence; '' if there is nothing to say. */
export function describeNextPayment(agreement: Agreement): string {
  const { profile_status, next_payment_date, next_amount, plan_price, currency, access_until, is_trial } = agreement
  if (profile_status === 'Cancelled')
    return access_until ? format(texts.endsOnYouCanDownload, { access_until: formatDate(access_until) }) : ''
  if (profile_status === 'Ended')
    return access_until ? format(texts.endedOn, { access_until: formatDate(access_until) }) : ''
  if (profile_status !== 'Active' || !next_payment_date) return ''
  const amount = money(next_amount ?? plan_price, currency)
  const day = formatDate(next_payment_date)
  return is_trial
    ? format(texts.trialUntilThen, { day, price: priceText(amount, agreement.interval) })
    : format(texts.nextPaymentOfOn, { amount, day })
}

/** The plan a member has now and its state, for the page of plans on sale. */
export function describeSubscription({ subscription_title, profile_status, access_until }: Agreement): string {
  if (profile_status === 'Past due') return format(texts.youreOnYourLastPayment, { subscription_title })
  return profile_status === 'Cancelled' && access_until
    ? format(texts.youreOnPlanUntil, { subscription_title, day: formatDate(access_until) })
    : format(texts.youreOnPlanSentence, { subscription_title })
}

/** Why the plan cannot be changed now, and when it can; '' if it can. Only an active subscription can change plans. */
export function planChangeBlocker(agreement: Agreement | null): string {
  if (agreement?.profile_status === 'Past due') return texts.payOverdueToSwitch
  if (agreement?.profile_status !== 'Cancelled') return ''
  const { subscription_title, access_until, can_resume } = agreement
  if (!access_until)
    return format(can_resume ? texts.resumeOrChooseWhenItEnds : texts.youCanChooseThisPlanWhenEnds, {
      subscription_title,
    })
  const day = formatDate(access_until)
  return can_resume
    ? format(texts.resumeOrChooseAfter, { subscription_title, day })
    : format(texts.youCanChooseThisPlanAfter, { day })
}

/** Until when downloads still work after a failed payment; `isPaid`: whether they work at all. */
export function gracePeriodText({ access_until }: Agreement, isPaid: boolean, now = new Date()): string {
  if (!access_until) return ''
  return isPaid && new Date(access_until) > now
    ? format(texts.youCanDownloadUntil, { access_until: formatDate(access_until) })
    : format(texts.downloadsHaveBeenPausedSince, { access_until: formatDate(access_until) })
}

/** Whether the card expires before the next payment. A card is valid until the end of the month in its `MM/YY`. */
export function expiresBeforeRenewal({ payment_method, next_payment_date }: Agreement): boolean {
  const [month = 0, year = 0] = payment_method.expires.split('/').map(Number)
  if (!month || !next_payment_date) return false
  return new Date(2000 + year, month, 1) <= new Date(next_payment_date)
}

/** What another plan would cost, and from when. */
export function describeQuote(
  { due_now, currency, from, price }: Quote,
  interval: Agreement['interval'],
  now = new Date(),
): string {
  const newPrice = priceText(money(price, currency), interval)
  if (Number(due_now) > 0) return format(texts.dueNowForTheRest, { due_now: money(due_now, currency), price: newPrice })
  if (new Date(from) > now) return format(texts.youllPayFromNothingChanges, { price: newPrice, from: formatDate(from) })
  return format(texts.nothingIsDueTodayYoull, { price: newPrice })
}

/** What is left after cancelling now: the rest of the paid period, without the days of grace after it. */
export function describeRemainingAccess({ profile_status, next_payment_date }: Agreement): string {
  return profile_status === 'Active' && next_payment_date
    ? format(texts.youWontBeChargedAgain, { next_payment_date: formatDate(next_payment_date) })
    : texts.planEndsImmediately
}
