import type { Sql } from './db.ts'

/** Adds one to a count; returns the number within the last `minutes`, including this one. */
export async function incrementCount(sql: Sql, kind: string, key: string, minutes: number): Promise<number> {
  const isExpired = sql`r.window_started_at < now() - make_interval(mins => ${minutes})`
  const [counter] = await sql<{ count: number }[]>`
    insert into rate_counter as r (kind, key) values (${kind}, ${key})
    on conflict (kind, key) do update set
      count = case when ${isExpired} then 1 else r.count + 1 end,
      window_started_at = case when ${isExpired} then now() else r.window_started_at end
    returning count`
  return counter?.count ?? 1
}

/** Subtracts one, for an attempt that failed through no fault of the caller. */
export const decrementCount = async (sql: Sql, kind: string, key: string): Promise<void> => {
  await sql`update rate_counter set count = count - 1 where kind = ${kind} and key = ${key} and count > 0`
}

const MAX_COUNT_DAYS = 1

export const sweepRates = async (sql: Sql): Promise<void> => {
  await sql`delete from rate_counter where window_started_at < now() - make_interval(days => ${MAX_COUNT_DAYS})`
}

/** Resets a count after a success. */
export const resetCount = async (sql: Sql, kind: string, key: string): Promise<void> => {
  await sql`delete from rate_counter where kind = ${kind} and key = ${key}`
}
