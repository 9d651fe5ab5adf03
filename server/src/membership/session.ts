import { randomBytes } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import { hashToken } from './caller.ts'
import { sweepAttempts } from './sign-in-attempts.ts'

/** Where a request comes from. */
export type ClientInfo = { ip: string; userAgent: string }

export type SessionPurpose = 'member' | 'applicant' | 'second_step'

/** How long staff can view as a member before they have to start again. */
export const VIEW_MINUTES = 30

const SESSION_MINUTES: Record<SessionPurpose | 'viewer', number> = {
  member: 30 * 24 * 60,
  applicant: 24 * 60,
  second_step: 5,
  viewer: VIEW_MINUTES,
}

/** Opens a session and returns its token of 256 random bits, which is not stored. */
export const openSession = (
  sql: Sql,
  customerId: number,
  purpose: SessionPurpose,
  client: ClientInfo,
): Promise<string> => insertSession(sql, { customer_id: customerId, sign_up_id: null, purpose }, client)

/** Opens a session for someone who has signed up, which can only be used to apply. */
export const openSignUpSession = (sql: Sql, signUpId: number, client: ClientInfo): Promise<string> =>
  insertSession(sql, { customer_id: null, sign_up_id: signUpId, purpose: 'applicant' }, client)

/** Opens a session for staff who view the pool as a member. */
export const openView = (sql: Sql, customerId: number, viewedBy: number, client: ClientInfo): Promise<string> =>
  insertSession(sql, { customer_id: customerId, sign_up_id: null, purpose: 'viewer', viewed_by: viewedBy }, client)

/** Ends such sessions of a staff member. */
export const endViewerSessions = async (sql: Sql, viewedBy: number): Promise<void> => {
  await sql`update session set expires_at = ${nowInMilliseconds(sql)} where viewed_by = ${viewedBy} and expires_at > now()`
}

export const generateToken = (): string => randomBytes(32).toString('base64url')

type SessionOwner = { customer_id: number | null; sign_up_id: number | null } & (
  | { purpose: SessionPurpose; viewed_by?: never }
  | { purpose: 'viewer'; viewed_by: number }
)

async function insertSession(sql: Sql, sessionOwner: SessionOwner, client: ClientInfo): Promise<string> {
  const token = generateToken()
  await sql`insert into session (token_hash, customer_id, sign_up_id, purpose, viewed_by, expires_at, user_agent, ip)
    values (${hashToken(token)}, ${sessionOwner.customer_id}, ${sessionOwner.sign_up_id}, ${sessionOwner.purpose}, ${sessionOwner.viewed_by ?? null},
      now() + make_interval(mins => ${SESSION_MINUTES[sessionOwner.purpose]}), ${client.userAgent.slice(0, 400)}, ${client.ip})`
  return token
}

/** In whole milliseconds, like JavaScript dates: a request in the same millisecond already finds the session ended. */
const nowInMilliseconds = (sql: Sql) => sql`date_trunc('milliseconds', now())`

/** Ends a session. Its row remains for a while, because it shows where a member was signed in. */
export const signOut = async (sql: Sql, sessionId: number): Promise<void> => {
  await sql`update session set expires_at = ${nowInMilliseconds(sql)} where session_id = ${sessionId} and expires_at > now()`
}

/** Deletes expired data: old failed attempts, and sessions that no longer count as known places. */
export async function sweepSessions(sql: Sql, staffIdleHours: number): Promise<void> {
  // These are already refused (see `callerRows` in caller.ts); lists of sessions show it from now on.
  await sql`update session s set expires_at = ${nowInMilliseconds(sql)} from customer c
    where c.customer_id = s.customer_id and c.staff_role is not null and s.purpose = 'member' and s.expires_at > now()
      and s.seen_at < now() - make_interval(hours => ${staffIdleHours})`
  await sql`delete from session
    where expires_at < now() and (purpose <> 'member' or created_at < now() - interval '90 days')`
  await sweepAttempts(sql)
}

/** Ends every session of a member, or all but one; returns how many. Half-done sign-ins end with them. */
export async function endSessions(
  sql: Sql,
  customerId: number,
  { but: exceptSessionId }: { but?: number } = {},
): Promise<number> {
  const ended = await sql<{ purpose: SessionPurpose }[]>`
    update session set expires_at = ${nowInMilliseconds(sql)}
    where customer_id = ${customerId} and session_id <> ${exceptSessionId ?? 0} and expires_at > now() returning purpose`
  return ended.filter(({ purpose }) => purpose === 'member').length
}
