import type { Sql } from './db.ts'

/** Counts that something was done once more, and answers how often it was within the last `minutes`, this one included. */
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

/** Takes one back, of what came to nothing for no fault of theirs. */
export const decrementCount = async (sql: Sql, kind: string, key: string): Promise<void> => {
  await sql`update rate set n = n - 1 where what = ${kind} and who = ${key} and n > 0`
}

const MAX_COUNT_DAYS = 1

export const sweepRates = async (sql: Sql): Promise<void> => {
  await sql`delete from rate where since < now() - make_interval(days => ${MAX_COUNT_DAYS})`
}

/** Lets a count start anew, because what was tried went well. */
export const resetCount = async (sql: Sql, kind: string, key: string): Promise<void> => {
  await sql`delete from rate where what = ${kind} and who = ${key}`
}
