import type { Sql } from '../platform/db.ts'

/** When staff first replied to a ticket, and how many seconds after it was created. */
export type FirstAnswer = { at: Date; seconds: number }

/** Returns the first staff replies made in [from, to), oldest first. */
export const readFirstAnswers = (sql: Sql, from: Date, to: Date): Promise<FirstAnswer[]> => sql<FirstAnswer[]>`
  select first_reply_at as at, greatest(0, extract(epoch from first_reply_at - created_at))::float8 as seconds
  from ticket where first_reply_at >= ${from} and first_reply_at < ${to} order by first_reply_at`

/** Returns the median: for an even count the mean of the two middle values, and null for an empty list. */
export function medianOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
