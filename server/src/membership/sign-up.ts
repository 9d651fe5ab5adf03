import type { AppContext } from '../app-context.ts'
import type { Pool } from '../platform/db.ts'
import { addMailRequest, canSendEmail } from './mail-requests.ts'
import { hashPassword } from './password.ts'
import { rejectWeakPassword } from './password-strength.ts'
import { type ClientInfo, openSignUpSession } from './session.ts'

export type NewSignUp = { dj_name: string; email: string; password: string }

/**
 * Signs someone up and returns a token that can only be used to apply. Does not look for an account, so nothing here
 * depends on whether the address has one. Throws `weak_password`.
 */
export async function signUp(
  { sql: pool, config }: Pick<AppContext, 'sql' | 'config'>,
  params: NewSignUp,
  client: ClientInfo,
): Promise<string> {
  const email = params.email.trim().toLowerCase()
  await rejectWeakPassword(params.password, [params.dj_name, email], 'password_hash')
  const passwordHash = await hashPassword(params.password)
  return pool.begin(async (sql) => {
    const [row] = await sql<{ sign_up_id: number }[]>`
      insert into sign_up (email, dj_name, password_hash) values (${email}, ${params.dj_name}, ${passwordHash})
      returning sign_up_id`
    const { sign_up_id } = row as { sign_up_id: number }
    if (canSendEmail(config)) await addMailRequest(sql, { kind: 'confirm_sign_up', email, sign_up_id }, client)
    return openSignUpSession(sql, sign_up_id, client)
  })
}

/** Deletes sign-ups whose link was never opened. */
export const sweepSignUps = async (sql: Pool): Promise<void> => {
  await sql`delete from sign_up where expires_at < now()`
}
