import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { verifyPassword } from './password.ts'
import { type ClientInfo, openSignUpSession } from './session.ts'
import { clearAttempts, startAttempt, undoAttemptOnError } from './sign-in-attempts.ts'
import { openSessionFor } from './sign-in-policy.ts'

type SignUp = { sign_up_id: number; password_hash: string; applied: boolean }
type SignInAccount = { customer_id: number | undefined; sign_up: SignUp | undefined }

/** Sign-ups of an address that are tried, the newest; more of them would make a wrong password dear. */
const MAX_SIGN_UPS = 3

/**
 * A new session's token for the right e-mail address and password. Throws `invalid_credentials` without a hint which
 * was wrong, what keeps a member out (see `letIn`), the states of a sign-up whose address is unconfirmed, and
 * `rate_limited` after many failures.
 */
export async function signIn(
  pool: Pool,
  credentials: { email: string; password: string },
  client: ClientInfo,
): Promise<string> {
  const email = credentials.email.trim().toLowerCase()
  const attempt = await startAttempt(pool, email, client.ip)
  const account = await undoAttemptOnError(pool, attempt, () => findByPassword(pool, email, credentials.password))
  if (account.customer_id !== undefined) {
    const { customer_id } = account
    // Failures stay while a second step is to come: codes are not to be tried without end by who has the password.
    const token = await undoAttemptOnError(pool, attempt, () => openSessionFor(pool, customer_id, client))
    await clearAttempts(pool, attempt)
    return token
  }
  const { sign_up } = account
  if (!sign_up) throw new ApiError('invalid_credentials', 'Incorrect email address or password.')
  // No failure is forgotten: anybody can sign up with the address of the member whose password they try to guess.
  return undoAttemptOnError(pool, attempt, () => rejectSignUp(pool, sign_up, client))
}

/**
 * Whose password this is: the member's of this address, else a sign-up's. A wrong one costs the same number of hashes
 * whether the address has an account, sign-ups, or nothing.
 */
async function findByPassword(sql: Sql, email: string, password: string): Promise<SignInAccount> {
  const [member] = await sql<{ customer_id: number; password_hash: string }[]>`
    select customer_id, password_hash from customer where lower(email) = ${email} and status <> 'deleted'`
  const signUps = await sql<SignUp[]>`
    select sign_up_id, password_hash, applied_at is not null as applied from sign_up
    where lower(email) = ${email} and expires_at > now() order by created_at desc, sign_up_id desc limit ${MAX_SIGN_UPS}`
  if (await verifyPassword(password, member?.password_hash))
    return { customer_id: member?.customer_id, sign_up: undefined }
  for (let n = 0; n < MAX_SIGN_UPS; n++) {
    if (await verifyPassword(password, signUps[n]?.password_hash))
      return { customer_id: undefined, sign_up: signUps[n] }
  }
  return { customer_id: undefined, sign_up: undefined }
}

/** The same whether or not the address has an account as well, so that it says nothing about one. */
async function rejectSignUp(sql: Sql, { sign_up_id, applied }: SignUp, client: ClientInfo): Promise<never> {
  const data = { token: await openSignUpSession(sql, sign_up_id, client) }
  if (!applied) throw new ApiError('dj_application_missing', 'You have not submitted DJ Application.', { data })
  const sentence = 'Confirm your email address first using the link we sent you.'
  throw new ApiError('email_not_verified', sentence, { data })
}
