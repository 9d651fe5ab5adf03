import type { account, ReplyOf } from '@dubplate/contract'
import Bowser from 'bowser'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Caller } from './caller.ts'
import { endSessions } from './session.ts'

type SessionRow = { session_id: number; user_agent: string; ip: string | null; created_at: Date; seen_at: Date }

/** Lists a member's sessions, the current one first, then by last use. */
export async function listSessions(
  sql: Sql,
  member: Pick<Caller, 'customer_id' | 'session_id'>,
): Promise<ReplyOf<typeof account.getSessions>> {
  const rows = await sql<SessionRow[]>`
    select session_id, user_agent, host(ip) as ip, created_at, seen_at from session
    where customer_id = ${member.customer_id} and purpose = 'member' and expires_at > now()
    order by session_id = ${member.session_id} desc, seen_at desc, session_id desc`
  const sessions = rows.map(({ session_id, user_agent, ip, created_at, seen_at }) => ({
    session_id,
    here: session_id === member.session_id,
    device: describeDevice(user_agent),
    ip: ip ?? '',
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
  }))
  return { sessions }
}

/** Describes browser and system: `Firefox on Windows`. */
export function describeDevice(userAgent: string): string {
  if (userAgent === '') return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  if (!browser.name) return 'Unknown device'
  return os.name ? `${browser.name} on ${os.name}` : browser.name
}

/**
 * Ends one session of the member, or with null all except the current one; returns how many. Throws `unknown_session`.
 */
export async function endSession(sql: Sql, member: Caller, sessionId: number | null): Promise<number> {
  if (sessionId === null) return endSessions(sql, member.customer_id, { but: member.session_id })
  const ended = await sql`
    update session set expires_at = now()
    where session_id = ${sessionId} and customer_id = ${member.customer_id} and purpose = 'member' and expires_at > now()
    returning 1`
  if (ended.length === 0) throw new ApiError('unknown_session', 'This session has already ended.')
  return ended.length
}
