import { uploads } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/** Limits how much audio is decoded for a member each day (UTC): analysing costs far more than uploading. */

const { MINUTES_PER_DAY } = uploads

/** A failed attempt also took time, and the length of its audio is unknown. */
const FAILED_ATTEMPT_SECONDS = 5 * 60
const RETENTION_DAYS = 7

const today = (sql: Sql) => sql`(now() at time zone 'UTC')::date`

/** Whether the member of row `u` has reached today's limit. Their uploads then wait until the next day. */
export const hasReachedLimit = (sql: Sql) => sql`
  exists (select 1 from analysis_usage d
    where d.customer_id = u.customer_id and d.day = ${today(sql)} and d.seconds >= ${MINUTES_PER_DAY * 60})`

/** Throws `daily_limit_reached`: a new upload would not be analysed today. */
export async function rejectOverDailyLimit(sql: Sql, customerId: number): Promise<void> {
  const [exceeded] =
    await sql`select 1 from (select ${customerId}::bigint as customer_id) u where ${hasReachedLimit(sql)}`
  if (exceeded) throw new ApiError('daily_limit_reached', `${LIMIT_REACHED} Upload this file after midnight UTC.`)
}

const LIMIT_REACHED = `You have reached today’s limit of ${MINUTES_PER_DAY / 60} hours of audio.`

/** Shown for a file that waits until the next day. */
export const DAILY_LIMIT_FAULT: uploads.Fault = {
  code: 'daily_limit_reached',
  message: `${LIMIT_REACHED} This file will be analysed after midnight UTC.`,
  blocks: false,
}

/** Records the turn of the member whose upload the statement chose, in the same statement. */
export const recordTurn = (sql: Sql) => sql`
  insert into analysis_usage (customer_id, day) select customer_id, ${today(sql)} from chosen
  on conflict (customer_id, day) do update set last_turn_at = now()`

/** When a worker last took an upload of the member of row `u`; null if that is not recorded any more. */
export const lastTurnQuery = (sql: Sql) => sql`
  (select max(last_turn_at) from analysis_usage d where d.customer_id = u.customer_id)`

export async function addUsage(sql: Sql, customerId: number, seconds: number): Promise<void> {
  await sql`
    insert into analysis_usage (customer_id, day, seconds) values (${customerId}, ${today(sql)}, ${seconds})
    on conflict (customer_id, day) do update set seconds = analysis_usage.seconds + excluded.seconds`
}

export const addFailedAttempt = (sql: Sql, customerId: number): Promise<void> =>
  addUsage(sql, customerId, FAILED_ATTEMPT_SECONDS)

export const sweepUsage = (sql: Sql) =>
  sql`delete from analysis_usage where day < ${today(sql)} - ${RETENTION_DAYS}::int`
