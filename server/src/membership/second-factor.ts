import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import { hashToken } from './caller.ts'
import { type ClientInfo, signOut } from './session.ts'
import { clearAttempts, startAttempt, undoAttemptOnError } from './sign-in-attempts.ts'
import { openSessionFor } from './sign-in-policy.ts'
import { verifyCode, wrongCodeError } from './two-factor.ts'
import { sendWrongCodesWarning } from './wrong-codes.ts'

const MAX_CODE_ATTEMPTS = 5
/** Longer than a second step can take. */
const WINDOW_MINUTES = 15

type PendingSignIn = { session_id: number; customer_id: number; email: string }

/**
 * Completes a sign-in with an app code or a recovery code, and returns the session token. Throws `invalid_code`,
 * `two_factor_expired` after five minutes or five wrong codes, `rate_limited` after many wrong codes over several
 * sign-ins, and the errors of `openSessionFor`.
 */
export async function verifySecondFactor(
  ctx: Pick<AppContext, 'sql' | 'encryption' | 'now' | 'settings'>,
  submitted: { token: string; code: string },
  client: ClientInfo,
): Promise<string> {
  const { sql } = ctx
  const pending = await findPendingSession(sql, submitted.token)
  const tries = await incrementCount(sql, 'second_step', String(pending.session_id), WINDOW_MINUTES)
  if (tries > MAX_CODE_ATTEMPTS) throw await sessionEndedError(sql, pending)
  const attempt = await startAttempt(sql, pending.email, client.ip)
  const isCodeValid = await undoAttemptOnError(sql, attempt, () => verifyCode(ctx, pending.customer_id, submitted.code))
  if (!isCodeValid) {
    if (tries < MAX_CODE_ATTEMPTS) throw wrongCodeError()
    await sendWrongCodesWarning(ctx, pending)
    throw await sessionEndedError(sql, pending)
  }
  await signOut(sql, pending.session_id)
  await clearAttempts(sql, attempt)
  return openSessionFor(sql, pending.customer_id, client, { steps: 'all' })
}

async function findPendingSession(sql: Sql, token: string): Promise<PendingSignIn> {
  const [pending] = await sql<PendingSignIn[]>`
    select s.session_id, s.customer_id, lower(c.email) as email from session s join customer c using (customer_id)
    where s.token_hash = ${hashToken(token)} and s.purpose = 'second_step' and s.expires_at > now()`
  if (!pending) throw new ApiError('two_factor_expired', 'Your sign-in timed out. Sign in again.')
  return pending
}

async function sessionEndedError(sql: Sql, { session_id }: PendingSignIn): Promise<ApiError> {
  await signOut(sql, session_id)
  return new ApiError('two_factor_expired', 'Too many incorrect codes. Sign in again.')
}
