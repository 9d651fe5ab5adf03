import { randomBytes } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import { hashToken } from './caller.ts'
import { sweepAttempts } from './sign-in-attempts.ts'

/** From where somebody comes. */
export type ClientInfo = { ip: string; userAgent: string }

export type SessionPurpose = 'member' | 'applicant' | 'second_step'

/** So long staff may look as a member before they say again that they do. */
export const VIEW_MINUTES = 30

const SESSION_MINUTES: Record<SessionPurpose | 'viewer', number> = {
  member: 30 * 24 * 60,
  applicant: 24 * 60,
  second_step: 5,
  viewer: VIEW_MINUTES,
}

/** Opens a session and answers with its token, 256 random bits that are stored nowhere. */
export const openSession = (
  sql: Sql,
  customerId: number,
  purpose: SessionPurpose,
  client: ClientInfo,
): Promise<string> => insertSession(sql, { customer_id: customerId, sign_up_id: null, purpose }, client)

/** The same for somebody who has signed up: good only for applying. */
export const openSignUpSession = (sql: Sql, signUpId: number, client: ClientInfo): Promise<string> =>
  insertSession(sql, { customer_id: null, sign_up_id: signUpId, purpose: 'applicant' }, client)

/** The same for staff who look at the pool as a member sees it. */
export const openView = (sql: Sql, customerId: number, viewedBy: number, client: ClientInfo): Promise<string> =>
  insertSession(sql, { customer_id: customerId, sign_up_id: null, purpose: 'viewer', viewed_by: viewedBy }, client)

/** Ends what staff have opened so. */
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

/** Ends a session. Its row stays for a while: from where a member was signed in is known by it. */
export const signOut = async (sql: Sql, sessionId: number): Promise<void> => {
  await sql`update session set expires_at = ${nowInMilliseconds(sql)} where session_id = ${sessionId} and expires_at > now()`
}

/**
 * Forgets what has run out: failures nobody counts any more, and sessions that no longer say where a member is known.
 */
export async function sweepSessions(sql: Sql, staffIdleHours: number): Promise<void> {
  // These are refused already (see `askers`); lists of sessions show it from now on.
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
