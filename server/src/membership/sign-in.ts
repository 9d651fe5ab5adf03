import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { canSendEmail } from './mail-requests.ts'
import { submitUnverifiedApplication } from './new-accounts.ts'
import { verifyPassword } from './password.ts'
import { type ClientInfo, openSignUpSession } from './session.ts'
import { clearAttempts, startAttempt, undoAttemptOnError } from './sign-in-attempts.ts'
import { applicationPendingError, openSessionFor } from './sign-in-policy.ts'

type SignUp = { sign_up_id: number; password_hash: string; applied: boolean }
type SignInAccount = { customer_id: number | undefined; sign_up: SignUp | undefined }

/** How many of the newest sign-ups of an address are checked; more would make wrong passwords expensive. */
const MAX_SIGN_UPS = 3

/**
 * Returns a new session token for the right email address and password. Throws `invalid_credentials` without a hint
 * which was wrong, the errors of `openSessionFor`, those of a sign-up with an unconfirmed address, and `rate_limited`
 * after many failures.
 */
export async function signIn(
  { sql: pool, config }: Pick<AppContext, 'sql' | 'config'>,
  credentials: { email: string; password: string },
  client: ClientInfo,
): Promise<string> {
  const email = credentials.email.trim().toLowerCase()
  const attempt = await startAttempt(pool, email, client.ip)
  const account = await undoAttemptOnError(pool, attempt, () => findByPassword(pool, email, credentials.password))
  if (account.customer_id !== undefined) {
    const { customer_id } = account
    // Failures remain until the second step is complete, so that someone with the password cannot try codes without a
    // limit.
    const token = await undoAttemptOnError(pool, attempt, () => openSessionFor(pool, customer_id, client))
    await clearAttempts(pool, attempt)
    return token
  }
  const { sign_up } = account
  if (!sign_up) throw new ApiError('invalid_credentials', 'Incorrect email address or password.')
  // Failures remain, because anyone can sign up with the address of the member whose password they try to guess.
  return undoAttemptOnError(pool, attempt, () => rejectSignUp({ sql: pool, config }, sign_up, client))
}

/**
 * Returns whose password this is: the member's with this address, or else a sign-up's. A wrong one costs the same
 * number of hashes, whether the address has an account, sign-ups or nothing.
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

/** The same whether or not the address also has an account, so that it reveals nothing about one. */
async function rejectSignUp(
  { sql, config }: Pick<AppContext, 'sql' | 'config'>,
  { sign_up_id, applied }: SignUp,
  client: ClientInfo,
): Promise<never> {
  if (applied && !canSendEmail(config)) {
    // It was sent while the pool still had a mail server.
    await sql.begin((transaction) => submitUnverifiedApplication(transaction, sign_up_id))
    throw applicationPendingError()
  }
  const data = { token: await openSignUpSession(sql, sign_up_id, client) }
  if (!applied) throw new ApiError('dj_application_missing', 'You have not submitted DJ Application.', { data })
  const sentence = 'Confirm your email address first using the link we sent you.'
  throw new ApiError('email_not_verified', sentence, { data })
}
