import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { incrementCount, resetCount } from '../platform/rate-counter.ts'
import type { Caller } from './caller.ts'
import { checkOwnPassword } from './own-password.ts'
import { verifyCode, wrongCodeError } from './two-factor.ts'
import { sendWrongCodesWarning } from './wrong-codes.ts'

const MAX_WRONG_CODES = 10
const WARN_THRESHOLD = 5
const WINDOW_MINUTES = 15

type MembershipContext = Pick<AppContext, 'sql' | 'encryption' | 'now' | 'settings'>
type IdentityParams = { password?: string | undefined; code?: string | undefined }

/**
 * Verifies the second factor, or the password of an account without one, and confirms this session for 10 minutes.
 * Throws `incorrect_password`, `invalid_code`, `sign_in_again` for an account with neither, and `rate_limited`.
 */
export async function confirmIdentity(
  ctx: MembershipContext,
  staff: Caller,
  { password = '', code = '' }: IdentityParams,
): Promise<void> {
  if (staff.confirm_by === 'sign_in') {
    throw new ApiError('sign_in_again', 'Your account has no password. Sign out and sign in again to continue.')
  }
  if (staff.confirm_by === 'code') await confirmWithCode(ctx, staff, code)
  else await checkOwnPassword(ctx.sql, staff.customer_id, password)
  await ctx.sql`update session set confirmed_at = now() where session_id = ${staff.session_id}`
}

async function confirmWithCode(ctx: MembershipContext, staff: Caller, code: string): Promise<void> {
  const who = String(staff.customer_id)
  const count = await incrementCount(ctx.sql, 'confirm_code', who, WINDOW_MINUTES)
  if (count > MAX_WRONG_CODES) {
    throw new ApiError('rate_limited', 'Too many incorrect codes. Try again in 15 minutes.', {
      retryAfter_seconds: WINDOW_MINUTES * 60,
    })
  }
  if (!(await verifyCode(ctx, staff.customer_id, code))) {
    if (count === WARN_THRESHOLD) await sendWrongCodesWarning(ctx, staff)
    throw wrongCodeError()
  }
  await resetCount(ctx.sql, 'confirm_code', who)
}
