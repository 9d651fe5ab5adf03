import { ApiError } from '../platform/api-error.ts'
import { networkOf } from '../platform/client-network.ts'
import type { Pool, Sql } from '../platform/db.ts'

const WINDOW_MINUTES = 15
/** Limit for one account from one network: a stranger elsewhere does not lock the member out. */
const MAX_PER_ACCOUNT_AND_ADDRESS = 10
/** Limit for one network, over all accounts. */
const MAX_PER_ADDRESS = 100
/** Limit for one account from everywhere; above it, only networks it was signed in from before are accepted. */
const MAX_PER_ACCOUNT = 50
const KNOWN_ADDRESS_DAYS = 90

/** An attempt in progress. It counts as failed until it is deleted. */
export type SignInAttempt = { email: string; place: string; at: string }

type FailureCounts = { here: number; of_place: number; of_account: number; wait_seconds: number }

/**
 * Counts an attempt before it is verified, so that simultaneous attempts are limited like consecutive ones. Throws
 * `rate_limited`, which counts nothing, after too many failures within 15 minutes.
 */
export const startAttempt = (pool: Pool, email: string, ip: string): Promise<SignInAttempt> =>
  pool.begin(async (sql) => {
    // A crash may lose a failure; waiting for the disk is not worth it.
    await sql`set local synchronous_commit = off`
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${email}`}, 0))`
    const place = networkOf(ip)
    await rejectTooMany(sql, email, place)
    const [pending] = await sql<{ at: string }[]>`
      insert into sign_in_attempt (email, ip, at) values (${email}, ${place}, clock_timestamp()) returning at::text as at`
    return { email, place, at: pending?.at ?? '' }
  })

async function rejectTooMany(sql: Sql, email: string, place: string): Promise<void> {
  const [failureCounts] = await sql<FailureCounts[]>`
    select count(*) filter (where email = ${email} and ip = ${place})::int as here,
      count(*) filter (where ip = ${place})::int as of_place, count(*) filter (where email = ${email})::int as of_account,
      ceil(extract(epoch from min(at) + make_interval(mins => ${WINDOW_MINUTES}) - now()))::int as wait_seconds
    from sign_in_attempt
    where at > now() - make_interval(mins => ${WINDOW_MINUTES}) and (email = ${email} or ip = ${place})`
  if (!failureCounts) return
  const isBlocked = failureCounts.here >= MAX_PER_ACCOUNT_AND_ADDRESS || failureCounts.of_place >= MAX_PER_ADDRESS
  if (!isBlocked && (failureCounts.of_account < MAX_PER_ACCOUNT || (await isKnown(sql, email, place)))) return
  throw new ApiError('rate_limited', 'Too many incorrect passwords. Try again in 15 minutes.', {
    retryAfter_seconds: Math.max(1, failureCounts.wait_seconds),
  })
}

/** Returns whether this account was signed in from there in the last 90 days. */
async function isKnown(sql: Sql, email: string, place: string): Promise<boolean> {
  const [known] = await sql`
    select 1 from session s join customer c using (customer_id)
    where lower(c.email) = ${email} and s.ip <<= ${place}::inet and s.purpose = 'member'
      and s.created_at > now() - make_interval(days => ${KNOWN_ADDRESS_DAYS}) limit 1`
  return known !== undefined
}

/** Runs the attempt; when it throws, the attempt is deleted and does not count. */
export async function undoAttemptOnError<T>(
  sql: Sql,
  { email, place, at }: SignInAttempt,
  what: () => Promise<T>,
): Promise<T> {
  try {
    return await what()
  } catch (error) {
    await sql`delete from sign_in_attempt where email = ${email} and ip = ${place} and at = ${at}::text::timestamptz`
    throw error
  }
}

/** Deletes the failed attempts from this place after a successful sign-in. */
export const clearAttempts = async (
  sql: Sql,
  { email, place }: Pick<SignInAttempt, 'email' | 'place'>,
): Promise<void> => {
  await sql`delete from sign_in_attempt where email = ${email} and ip = ${place}`
}

/** Deletes failed attempts that no longer count. */
export const sweepAttempts = async (sql: Sql): Promise<void> => {
  await sql`delete from sign_in_attempt where at < now() - interval '1 day'`
}
