import { account } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { parsed } from '../platform/parse-input.ts'
import { type Caller, hashToken } from './caller.ts'
import { customerReference, passwordChangedEmail } from './emails.ts'
import { invalidateLinks } from './mailed-links.ts'
import { checkOwnPassword } from './own-password.ts'
import { hashPassword } from './password.ts'
import { rejectWeakPassword, rejectWeakText } from './password-strength.ts'
import { endSessions, generateToken } from './session.ts'

const NO_PASSWORD_MESSAGE =
  'This account doesn’t have a password yet. Use “Forgot password?” on the sign-in page to set one.'

/**
 * Changes the password, ends every other session and every password reset link, and returns a new token for this
 * session, so that a stolen token stops working. Throws `incorrect_password`, `weak_password` and `rate_limited`.
 */
export async function changePassword(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  member: Caller,
  submitted: { current_password: string; password: string },
): Promise<string> {
  await throwAllErrors([
    () => checkCurrentPassword(sql, member, submitted.current_password),
    () => rejectWeakPassword(submitted.password, [member.email, member.dj_name], 'password'),
  ])
  const passwordHash = await hashPassword(submitted.password)
  const token = generateToken()
  await sql.begin(async (sql) => {
    await sql`update customer set password_hash = ${passwordHash}, password_changed_at = now()
      where customer_id = ${member.customer_id}`
    await endSessions(sql, member.customer_id, { but: member.session_id })
    await invalidateLinks(sql, member.customer_id, ['reset_password', 'change_address', 'sign_in'])
    await sql`update session set token_hash = ${hashToken(token)} where session_id = ${member.session_id}`
    await queueMail(sql, passwordChangedEmail(settings.emailSender, member.email), {
      reference: customerReference(member.customer_id),
    })
  })
  return token
}

/**
 * Runs the same checks while other fields are blank or invalid. A wrong current password counts as an attempt here too,
 * so that the limit cannot be bypassed.
 */
export function checkPasswordChange(
  { sql }: Pick<AppContext, 'sql'>,
  member: Caller,
  submitted: { current_password?: unknown; password?: unknown },
): Promise<void> {
  const current = parsed(account.changePassword.input.shape.current_password, submitted.current_password)
  return throwAllErrors([
    () => current !== undefined && checkCurrentPassword(sql, member, current),
    () => rejectWeakText(submitted.password, [member.email, member.dj_name], 'password'),
  ])
}

async function checkCurrentPassword(sql: Sql, { customer_id }: Caller, submitted: string): Promise<void> {
  if ((await checkOwnPassword(sql, customer_id, submitted, 'current_password')) !== 'none') return
  throw new ApiError('incorrect_password', NO_PASSWORD_MESSAGE, {
    fields: { current_password: NO_PASSWORD_MESSAGE },
    data: { customerError: NO_PASSWORD_MESSAGE },
  })
}
