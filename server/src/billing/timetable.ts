import type { Sql } from '../platform/db.ts'
import { daysAfter, type Standing, TRY_AGAIN_DAYS } from './standing.ts'
import type { Subscription } from './subscriptions.ts'

/** A member is told so many days before a payment; of one that comes once a year earlier. */
export const NOTICE_DAYS = { month: 3, year: 14 } as const

/** The text that names a period: when it ends. */
export const periodName = (paid_until: Date): string => paid_until.toISOString()

/** When the letter about the next payment is due; null once it was sent, and where no payment comes. */
export async function noticeTime(
  sql: Sql,
  { subscription_id, interval }: Subscription,
  { status, paid_until }: Standing,
  now: Date,
): Promise<Date | null> {
  if (!paid_until || now >= paid_until || (status !== 'active' && status !== 'trialing')) return null
  const [told] = await sql`
    select 1 from subscription_event
    where subscription_id = ${subscription_id} and what = 'payment_coming' and about = ${periodName(paid_until)}`
  if (told) return null
  const due = daysAfter(paid_until, -NOTICE_DAYS[interval])
  return due > now ? due : now
}

/** How often the payment of the period after this one was tried. */
export async function triesOf(sql: Sql, subscriptionId: number, paid_until: Date): Promise<number> {
  const [tries] = await sql<{ n: number }[]>`
    select count(*)::int as n from subscription_event
    where subscription_id = ${subscriptionId} and what = 'try' and about like ${`${periodName(paid_until)} %`}`
  return tries?.n ?? 0
}

/** Those of them that the timetable asked for: cards that were tried by hand use none of them up. */
async function timedTriesOf(sql: Sql, subscriptionId: number, paid_until: Date): Promise<number> {
  const [tries] = await sql<{ n: number }[]>`
    select count(*)::int as n from subscription_event
    where subscription_id = ${subscriptionId} and what = 'try' and detail = ''
      and about like ${`${periodName(paid_until)} %`}`
  return tries?.n ?? 0
}

/** When the pool asks for the next payment; null where none is wanted, or no try is left. */
export async function nextTry(
  sql: Sql,
  { subscription_id, is_cancelled, is_over }: Subscription,
  { status, paid_until }: { status: Standing['status']; paid_until: Date },
): Promise<Date | null> {
  if (is_cancelled || is_over || status === 'ended') return null
  const tries = await timedTriesOf(sql, subscription_id, paid_until)
  if (tries === 0) return paid_until
  const days = TRY_AGAIN_DAYS[tries - 1]
  return days === undefined ? null : daysAfter(paid_until, days)
}
