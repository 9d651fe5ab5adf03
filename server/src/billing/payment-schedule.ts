import type { Sql } from '../platform/db.ts'
import { daysAfter, RETRY_DAYS, type SubscriptionState } from './subscription-state.ts'
import type { Subscription } from './subscriptions.ts'

/** How many days before a payment a member is notified; earlier for yearly payments. */
export const NOTICE_DAYS = { month: 3, year: 14 } as const

/** The key of a period: the time it ends. */
export const periodLabel = (paid_until: Date): string => paid_until.toISOString()

/** When the email about the next payment is due; null once it was sent, and when no payment is due. */
export async function noticeDueAt(
  sql: Sql,
  { subscription_id, interval }: Subscription,
  { status, paid_until }: SubscriptionState,
  now: Date,
): Promise<Date | null> {
  if (!paid_until || now >= paid_until || (status !== 'active' && status !== 'trialing')) return null
  const [alreadySent] = await sql`
    select 1 from subscription_event
    where subscription_id = ${subscription_id} and kind = 'payment_coming' and reference = ${periodLabel(paid_until)}`
  if (alreadySent) return null
  const due = daysAfter(paid_until, -NOTICE_DAYS[interval])
  return due > now ? due : now
}

/** How often the payment for the period after this one was attempted. */
export async function countAttempts(sql: Sql, subscriptionId: number, paid_until: Date): Promise<number> {
  const [attempts] = await sql<{ n: number }[]>`
    select count(*)::int as n from subscription_event
    where subscription_id = ${subscriptionId} and kind = 'attempt' and reference like ${`${periodLabel(paid_until)} %`}`
  return attempts?.n ?? 0
}

/** Counts only scheduled attempts, so that cards tried manually use none of them up. */
async function countScheduledAttempts(sql: Sql, subscriptionId: number, paid_until: Date): Promise<number> {
  const [attempts] = await sql<{ n: number }[]>`
    select count(*)::int as n from subscription_event
    where subscription_id = ${subscriptionId} and kind = 'attempt' and detail = ''
      and reference like ${`${periodLabel(paid_until)} %`}`
  return attempts?.n ?? 0
}

/** When the pool attempts the next payment; null when none is due or no attempt is left. */
export async function nextAttemptAt(
  sql: Sql,
  { subscription_id, is_cancelled, has_ended }: Subscription,
  { status, paid_until }: { status: SubscriptionState['status']; paid_until: Date },
): Promise<Date | null> {
  if (is_cancelled || has_ended || status === 'ended') return null
  const attempts = await countScheduledAttempts(sql, subscription_id, paid_until)
  if (attempts === 0) return paid_until
  const days = RETRY_DAYS[attempts - 1]
  return days === undefined ? null : daysAfter(paid_until, days)
}
