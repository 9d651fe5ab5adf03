import type { Sql } from '../platform/db.ts'

/** When staff first replied to a ticket, and how many seconds after it was created. */
export type FirstAnswer = { at: Date; seconds: number }

/** Returns the first staff replies made in [from, to), oldest first. */
export const readFirstAnswers = (sql: Sql, from: Date, to: Date): Promise<FirstAnswer[]> => sql<FirstAnswer[]>`
  select r.created_at as at, greatest(0, extract(epoch from r.created_at - t.created_at))::float8 as seconds
  from reply r join ticket t using (ticket_number)
  where r.by_staff and r.created_at >= ${from} and r.created_at < ${to} and not exists (
    select 1 from reply e where e.ticket_number = r.ticket_number and e.by_staff and e.reply_id < r.reply_id)
  order by r.created_at`

/** Returns the median: for an even count the mean of the two middle values, and null for an empty list. */
export function medianOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
