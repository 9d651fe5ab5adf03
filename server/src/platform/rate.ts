import type { Sql } from './db.ts'

/** Counts that something was done once more, and answers how often it was within the last `minutes`, this one included. */
export async function countUp(sql: Sql, what: string, who: string, minutes: number): Promise<number> {
  const isOver = sql`r.since < now() - make_interval(mins => ${minutes})`
  const [rate] = await sql<{ n: number }[]>`
    insert into rate as r (what, who) values (${what}, ${who})
    on conflict (what, who) do update set
      n = case when ${isOver} then 1 else r.n + 1 end,
      since = case when ${isOver} then now() else r.since end
    returning n`
  return rate?.n ?? 1
}

/** Takes one back, of what came to nothing for no fault of theirs. */
export const countDown = async (sql: Sql, what: string, who: string): Promise<void> => {
  await sql`update rate set n = n - 1 where what = ${what} and who = ${who} and n > 0`
}

const LONGEST_COUNT_DAYS = 1

export const sweepRates = async (sql: Sql): Promise<void> => {
  await sql`delete from rate where since < now() - make_interval(days => ${LONGEST_COUNT_DAYS})`
}

/** Lets a count start anew, because what was tried went well. */
export const countAnew = async (sql: Sql, what: string, who: string): Promise<void> => {
  await sql`delete from rate where what = ${what} and who = ${who}`
}
