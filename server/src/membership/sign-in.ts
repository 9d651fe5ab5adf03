import { randomBytes } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { hashToken } from './asker.ts'
import { passwordIs } from './password.ts'

export type Visit = { ip: string; userAgent: string }

type Found = {
  customer_id: number
  password_hash: string
  status: 'active' | 'suspended'
  staff_role: string | null
  state: 'pending' | 'approved' | 'declined' | null
  reason: string | null
}

const SESSION_DAYS = 30
const FAILURES_ALLOWED = 10

/**
 * A new session's token for the right e-mail address and password. Refuses `invalid_credentials` without a hint which
 * was wrong, the states of a DJ application, `account_suspended`, and `rate_limited` after many failures from one address.
 */
export async function signIn(sql: Sql, given: { email: string; password: string }, visit: Visit): Promise<string> {
  const email = given.email.trim().toLowerCase()
  await refuseAfterManyFailures(sql, email, visit.ip)
  const [found] = await sql<Found[]>`
    select c.customer_id, c.password_hash, c.status, c.staff_role, a.state, a.reason
    from customer c left join dj_application a using (customer_id) where lower(c.email) = ${email}`
  if (!(await passwordIs(given.password, found?.password_hash)) || !found) {
    await sql`insert into sign_in_attempt (email, ip) values (${email}, ${visit.ip})`
    throw new Refusal('invalid_credentials', 'The e-mail address or the password is wrong.')
  }
  await sql`delete from sign_in_attempt where email = ${email} and ip = ${visit.ip}`
  if (found.status === 'suspended') {
    throw new Refusal('account_suspended', 'This account is suspended. Write to the help desk.')
  }
  if (!found.staff_role) await refuseUnapproved(sql, found, visit)
  return openSession(sql, found.customer_id, 'member', visit)
}

/** Failures count for one address of the network and one account together, so that a stranger cannot lock a member out. */
async function refuseAfterManyFailures(sql: Sql, email: string, ip: string): Promise<void> {
  const [failures] = await sql<{ n: number }[]>`
    select count(*)::int as n from sign_in_attempt where email = ${email} and ip = ${ip} and at > now() - interval '15 minutes'`
  if ((failures?.n ?? 0) >= FAILURES_ALLOWED) {
    throw new Refusal('rate_limited', 'Too many wrong passwords. Wait a quarter of an hour, then try again.')
  }
}

async function refuseUnapproved(sql: Sql, found: Found, visit: Visit): Promise<void> {
  if (found.state === 'approved') return
  if (found.state === null) {
    const token = await openSession(sql, found.customer_id, 'applicant', visit)
    throw new Refusal('dj_application_missing', 'You have not submitted DJ Application.', { data: { token } })
  }
  if (found.state === 'pending') {
    throw new Refusal('dj_application_pending', 'Your DJ application is being read. You get a mail once it is decided.')
  }
  const because = found.reason ? ` ${found.reason}` : ''
  throw new Refusal('dj_application_declined', `Your DJ application was declined.${because}`)
}

/** Opens a session and answers with its token, 256 random bits that are stored nowhere. */
export async function openSession(
  sql: Sql,
  customerId: number,
  purpose: 'member' | 'applicant',
  visit: Visit,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const days = purpose === 'member' ? SESSION_DAYS : 1
  await sql`insert into session (token_hash, customer_id, purpose, expires_at, user_agent, ip)
    values (${hashToken(token)}, ${customerId}, ${purpose}, now() + make_interval(days => ${days}),
      ${visit.userAgent.slice(0, 400)}, ${visit.ip})`
  return token
}

export const signOut = async (sql: Sql, sessionId: number): Promise<void> => {
  await sql`delete from session where session_id = ${sessionId}`
}

/** Forgets what has run out: sessions past their end and failures nobody counts any more. */
export async function sweepSessions(sql: Sql): Promise<void> {
  await sql`delete from session where expires_at < now()`
  await sql`delete from sign_in_attempt where at < now() - interval '1 day'`
}
