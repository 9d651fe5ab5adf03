import { account } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { type Asker, hashToken } from './asker.ts'
import { ofCustomer, passwordChanged } from './letters.ts'
import { endLinks } from './mailed-links.ts'
import { checkOwnPassword } from './own-password.ts'
import { hashPassword } from './password.ts'
import { refuseWeakPassword, refuseWeakText } from './password-strength.ts'
import { endSessions, newToken } from './session.ts'

const NO_PASSWORD_YET =
  'This account doesn’t have a password yet. Use “Forgot password?” on the sign-in page to set one.'

/**
 * Changes the password, ends every other session and every link that would set another one, and answers a new token for
 * this session: whoever copied the old one is out. Refuses `incorrect_password`, `weak_password` and `rate_limited`.
 */
export async function changePassword(
  { sql, settings }: Pick<World, 'sql' | 'settings'>,
  member: Asker,
  given: { current_password: string; password: string },
): Promise<string> {
  await refuseTogether([
    () => checkCurrent(sql, member, given.current_password),
    () => refuseWeakPassword(given.password, [member.email, member.dj_name], 'password'),
  ])
  const passwordHash = await hashPassword(given.password)
  const token = newToken()
  await sql.begin(async (sql) => {
    await sql`update customer set password_hash = ${passwordHash}, password_changed_at = now()
      where customer_id = ${member.customer_id}`
    await endSessions(sql, member.customer_id, { but: member.session_id })
    await endLinks(sql, member.customer_id, ['reset_password', 'change_address'])
    await sql`update session set token_hash = ${hashToken(token)} where session_id = ${member.session_id}`
    await queueMail(sql, passwordChanged(settings.letterhead, member.email), { whose: ofCustomer(member.customer_id) })
  })
  return token
}

/**
 * The same checks while other fields are blank or wrong. A wrong current password counts as an attempt here as well, so
 * that this is no way around the limit.
 */
export function checkPasswordChange(
  { sql }: Pick<World, 'sql'>,
  member: Asker,
  given: { current_password?: unknown; password?: unknown },
): Promise<void> {
  const current = parsed(account.changePassword.input.shape.current_password, given.current_password)
  return refuseTogether([
    () => current !== undefined && checkCurrent(sql, member, current),
    () => refuseWeakText(given.password, [member.email, member.dj_name], 'password'),
  ])
}

async function checkCurrent(sql: Sql, { customer_id }: Asker, given: string): Promise<void> {
  if ((await checkOwnPassword(sql, customer_id, given, 'current_password')) !== 'none') return
  throw new Refusal('incorrect_password', NO_PASSWORD_YET, {
    fields: { current_password: NO_PASSWORD_YET },
    data: { customerError: NO_PASSWORD_YET },
  })
}
