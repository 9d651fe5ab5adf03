import type { Sql } from './db.ts'

/** Adds one to a count; returns the number within the last `minutes`, including this one. */
export async function incrementCount(sql: Sql, kind: string, key: string, minutes: number): Promise<number> {
  const isExpired = sql`r.since < now() - make_interval(mins => ${minutes})`
  const [rate] = await sql<{ n: number }[]>`
    insert into rate as r (what, who) values (${kind}, ${key})
    on conflict (what, who) do update set
      n = case when ${isExpired} then 1 else r.n + 1 end,
      since = case when ${isExpired} then now() else r.since end
    returning n`
  return rate?.n ?? 1
}

/** Subtracts one, for an attempt that failed through no fault of the caller. */
export const decrementCount = async (sql: Sql, kind: string, key: string): Promise<void> => {
  await sql`update rate set n = n - 1 where what = ${kind} and who = ${key} and n > 0`
}

const MAX_COUNT_DAYS = 1

export const sweepRates = async (sql: Sql): Promise<void> => {
  await sql`delete from rate where since < now() - make_interval(days => ${MAX_COUNT_DAYS})`
}

/** Resets a count after a success. */
export const resetCount = async (sql: Sql, kind: string, key: string): Promise<void> => {
  await sql`delete from rate where what = ${kind} and who = ${key}`
}
