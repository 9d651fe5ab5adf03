import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { ofCustomer, passwordChanged } from './letters.ts'
import { requestMail } from './mail-requests.ts'
import { endLinks, peekLink, useLink } from './mailed-links.ts'
import { hashPassword } from './password.ts'
import { refuseWeakPassword } from './password-strength.ts'
import { endSessions, type Visit } from './session.ts'

/** Asks for a link to set a new password: the same for every address, with or without an account. */
export const forgetPassword = (sql: Sql, email: string, visit: Visit): Promise<void> =>
  requestMail(sql, { what: 'recover', email: email.trim().toLowerCase(), sign_up_id: null }, visit)

export type Reset = { email: string; token: string; password: string }

/**
 * Sets a new password with a mailed link and its address. Every session of the member ends, and so does every link that
 * is still open, that to another address too. Refuses `invalid_reset_link` and `weak_password`, which leaves the link good.
 */
export async function resetPassword(
  { sql: pool, settings }: Pick<World, 'sql' | 'settings'>,
  given: Reset,
): Promise<void> {
  const email = given.email.trim().toLowerCase()
  // Looked at first, so that nobody without a link has a password hashed.
  if (!(await peekLink(pool, given.token, ['reset_password']))) throw linkInvalid()
  await refuseWeakPassword(given.password, [email], 'password')
  const passwordHash = await hashPassword(given.password)
  await pool.begin(async (sql) => {
    const link = await useLink(sql, given.token, ['reset_password'])
    if (!link?.customer_id) throw linkInvalid()
    const changed = await sql`
      update customer set password_hash = ${passwordHash}, password_changed_at = now()
      where customer_id = ${link.customer_id} and lower(email) = ${email} and status <> 'deleted'`
    if (changed.count === 0) throw linkInvalid()
    await endSessions(sql, link.customer_id)
    await sql`delete from sign_in_attempt where email = ${email}`
    await endLinks(sql, link.customer_id, ['reset_password', 'change_address', 'sign_in_elsewhere'])
    await queueMail(sql, passwordChanged(settings.letterhead, link.email), { whose: ofCustomer(link.customer_id) })
  })
}

const linkInvalid = () => new Refusal('invalid_reset_link', 'This link has expired. Request a new one.')
