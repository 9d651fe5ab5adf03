import type { Sql } from '../platform/db.ts'

/** A range of time, excluding `to`. */
type TimeRange = { from: Date; to: Date }

/**
 * For each range, the median number of seconds from the creation of a ticket to the first staff reply, of the replies
 * made in it: for an even count the mean of the two middle values, and null without any.
 */
export async function medianFirstReplies(sql: Sql, ranges: readonly TimeRange[]): Promise<(number | null)[]> {
  const rows = await sql<{ seconds: number | null }[]>`
    select (
      select percentile_cont(0.5) within group (order by greatest(0, extract(epoch from first_reply_at - created_at))::float8)
      from ticket where first_reply_at >= range_start and first_reply_at < range_end) as seconds
    from unnest(${ranges.map(({ from }) => from.toISOString())}::timestamptz[],
      ${ranges.map(({ to }) => to.toISOString())}::timestamptz[]) with ordinality as ranges (range_start, range_end, n)
    order by n`
  return rows.map(({ seconds }) => seconds)
}
