import type { Sql } from '../platform/db.ts'

/** When a ticket had its first answer of staff, and how long after it was written. */
export type FirstAnswer = { at: Date; seconds: number }

/** Of the first answers that were given in [from, to), oldest first. */
export const readFirstAnswers = (sql: Sql, from: Date, to: Date): Promise<FirstAnswer[]> => sql<FirstAnswer[]>`
  select r.created_at as at, greatest(0, extract(epoch from r.created_at - t.created_at))::float8 as seconds
  from reply r join ticket t using (ticket_number)
  where r.by_staff and r.created_at >= ${from} and r.created_at < ${to} and not exists (
    select 1 from reply e where e.ticket_number = r.ticket_number and e.by_staff and e.reply_id < r.reply_id)
  order by r.created_at`

/** The middle one, of an even number the mean of the two in the middle; null of none. */
export function medianOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
