import type { Sql } from '../platform/db.ts'
import { daysAfter, RETRY_DAYS, type SubscriptionState } from './subscription-state.ts'
import type { Subscription } from './subscriptions.ts'

/** A member is told so many days before a payment; of one that comes once a year earlier. */
export const NOTICE_DAYS = { month: 3, year: 14 } as const

/** The text that names a period: when it ends. */
export const periodLabel = (paid_until: Date): string => paid_until.toISOString()

/** When the letter about the next payment is due; null once it was sent, and where no payment comes. */
export async function noticeDueAt(
  sql: Sql,
  { subscription_id, interval }: Subscription,
  { status, paid_until }: SubscriptionState,
  now: Date,
): Promise<Date | null> {
  if (!paid_until || now >= paid_until || (status !== 'active' && status !== 'trialing')) return null
  const [alreadySent] = await sql`
    select 1 from subscription_event
    where subscription_id = ${subscription_id} and what = 'payment_coming' and about = ${periodLabel(paid_until)}`
  if (alreadySent) return null
  const due = daysAfter(paid_until, -NOTICE_DAYS[interval])
  return due > now ? due : now
}

/** How often the payment of the period after this one was tried. */
export async function countAttempts(sql: Sql, subscriptionId: number, paid_until: Date): Promise<number> {
  const [attempts] = await sql<{ n: number }[]>`
    select count(*)::int as n from subscription_event
    where subscription_id = ${subscriptionId} and what = 'try' and about like ${`${periodLabel(paid_until)} %`}`
  return attempts?.n ?? 0
}

/** Those of them that the timetable asked for: cards that were tried by hand use none of them up. */
async function countScheduledAttempts(sql: Sql, subscriptionId: number, paid_until: Date): Promise<number> {
  const [attempts] = await sql<{ n: number }[]>`
    select count(*)::int as n from subscription_event
    where subscription_id = ${subscriptionId} and what = 'try' and detail = ''
      and about like ${`${periodLabel(paid_until)} %`}`
  return attempts?.n ?? 0
}

/** When the pool asks for the next payment; null where none is wanted, or no try is left. */
export async function nextAttemptAt(
  sql: Sql,
  { subscription_id, is_cancelled, is_over }: Subscription,
  { status, paid_until }: { status: SubscriptionState['status']; paid_until: Date },
): Promise<Date | null> {
  if (is_cancelled || is_over || status === 'ended') return null
  const attempts = await countScheduledAttempts(sql, subscription_id, paid_until)
  if (attempts === 0) return paid_until
  const days = RETRY_DAYS[attempts - 1]
  return days === undefined ? null : daysAfter(paid_until, days)
}
