import type { billing, ReplyOf } from '@dubplate/contract'
import { fullDay } from '../platform/days.ts'
import { money } from './money.ts'

type Agreement = billing.Agreement
type Quote = ReplyOf<typeof billing.quotePlanChange>

export const each = (interval: Agreement['interval']) => (interval === 'year' ? 'every year' : 'every month')

/** What comes next for a subscription that goes on or ends, in one sentence; '' where there is nothing to say. */
export function nextWords(agreement: Agreement): string {
  const { profile_status, next_payment_date, next_amount, plan_price, currency, access_until, is_trial } = agreement
  if (profile_status === 'Cancelled')
    return access_until ? `Ends on ${fullDay(access_until)}. You can download until then.` : ''
  if (profile_status === 'Ended') return access_until ? `Ended on ${fullDay(access_until)}.` : ''
  if (profile_status !== 'Active' || !next_payment_date) return ''
  const amount = money(next_amount ?? plan_price, currency)
  const day = fullDay(next_payment_date)
  return is_trial
    ? `Trial until ${day}, then ${amount} ${each(agreement.interval)}`
    : `Next payment of ${amount} on ${day}`
}

/** Of somebody who looks at the plans on sale: the one they are on, and how it stands. */
export function standingWords({ subscription_title, profile_status, access_until }: Agreement): string {
  if (profile_status === 'Past due') return `You’re on ${subscription_title}. Your last payment is overdue.`
  const until = profile_status === 'Cancelled' && access_until ? ` until ${fullDay(access_until)}` : ''
  return `You’re on ${subscription_title}${until}.`
}

/** Why another plan cannot be had now, and when it can; '' where it can: only an active subscription is changed. */
export function changeHindrance(agreement: Agreement | null): string {
  if (agreement?.profile_status === 'Past due') return 'Complete your overdue payment to switch to this plan.'
  if (agreement?.profile_status !== 'Cancelled') return ''
  const { subscription_title, access_until, can_resume } = agreement
  const later = access_until ? `after ${fullDay(access_until)}` : `when ${subscription_title} ends`
  return can_resume
    ? `Resume ${subscription_title} to switch to this plan, or choose it ${later}.`
    : `You can choose this plan ${later}.`
}

/** Until when what is there can still be downloaded, after a payment that failed; `isPaid`: whether they can at all. */
export function graceWords({ access_until }: Agreement, isPaid: boolean, now = new Date()): string {
  if (!access_until) return ''
  return isPaid && new Date(access_until) > now
    ? `You can download until ${fullDay(access_until)}.`
    : `Downloads have been paused since ${fullDay(access_until)}.`
}

/** Whether a card is no longer good on the day of the next payment: it is to the end of the month in its `MM/YY`. */
export function expiresTooSoon({ payment_method, next_payment_date }: Agreement): boolean {
  const [month = 0, year = 0] = payment_method.expires.split('/').map(Number)
  if (!month || !next_payment_date) return false
  return new Date(2000 + year, month, 1) <= new Date(next_payment_date)
}

/** What another plan would cost, and from when. */
export function quoteWords(
  { due_now, currency, from, price }: Quote,
  interval: Agreement['interval'],
  now = new Date(),
): string {
  const later = `${money(price, currency)} ${each(interval)}`
  if (Number(due_now) > 0) return `${money(due_now, currency)} due now for the rest of this period, then ${later}.`
  if (new Date(from) > now) return `You’ll pay ${later} from ${fullDay(from)}. Nothing changes until then.`
  return `Nothing is due today. You’ll pay ${later} from your next billing period.`
}

/** What is left to whoever cancels now: the period that is paid, without the days of grace after it. */
export function staysWords({ profile_status, next_payment_date }: Agreement): string {
  return profile_status === 'Active' && next_payment_date
    ? `You won’t be charged again. You can download until ${fullDay(next_payment_date)}.`
    : 'You won’t be charged again. Your plan ends immediately.'
}
