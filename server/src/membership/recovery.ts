import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { customerReference, passwordChangedEmail } from './emails.ts'
import { addMailRequest } from './mail-requests.ts'
import { consumeLink, invalidateLinks, peekLink } from './mailed-links.ts'
import { hashPassword } from './password.ts'
import { rejectWeakPassword } from './password-strength.ts'
import { type ClientInfo, endSessions } from './session.ts'

/** Requests a link to set a new password: the same for every address, with or without an account. */
export const requestPasswordReset = (sql: Sql, email: string, client: ClientInfo): Promise<void> =>
  addMailRequest(sql, { kind: 'recover', email: email.trim().toLowerCase(), sign_up_id: null }, client)

export type ResetParams = { email: string; token: string; password: string }

/**
 * Sets a new password with an emailed link and its address. Ends every session of the member and every open link,
 * including that of a pending address change. Throws `invalid_reset_link`, and `weak_password`, after which the link
 * stays valid.
 */
export async function resetPassword(
  { sql: pool, settings }: Pick<AppContext, 'sql' | 'settings'>,
  submitted: ResetParams,
): Promise<void> {
  const email = submitted.email.trim().toLowerCase()
  // Checked first, so that no password is hashed without a valid link.
  if (!(await peekLink(pool, submitted.token, ['reset_password']))) throw invalidLinkError()
  await rejectWeakPassword(submitted.password, [email], 'password')
  const passwordHash = await hashPassword(submitted.password)
  await pool.begin(async (sql) => {
    const link = await consumeLink(sql, submitted.token, ['reset_password'])
    if (!link?.customer_id) throw invalidLinkError()
    const changed = await sql`
      update customer set password_hash = ${passwordHash}, password_changed_at = now()
      where customer_id = ${link.customer_id} and lower(email) = ${email} and status <> 'deleted'`
    if (changed.count === 0) throw invalidLinkError()
    await endSessions(sql, link.customer_id)
    await sql`delete from sign_in_attempt where email = ${email}`
    await invalidateLinks(sql, link.customer_id, ['reset_password', 'change_address', 'sign_in_elsewhere', 'sign_in'])
    await queueMail(sql, passwordChangedEmail(settings.emailSender, link.email), {
      reference: customerReference(link.customer_id),
    })
  })
}

const invalidLinkError = () => new ApiError('invalid_reset_link', 'This link has expired. Request a new one.')
