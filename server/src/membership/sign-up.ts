import type { Pool } from '../platform/db.ts'
import { requestMail } from './mail-requests.ts'
import { hashPassword } from './password.ts'
import { refuseWeakPassword } from './password-strength.ts'
import { openSignUpSession, type Visit } from './session.ts'

export type NewSignUp = { dj_name: string; email: string; password: string }

/**
 * Signs somebody up and answers with a token that is good only for applying. No account is looked for: nothing here
 * depends on whether the address has one. Refuses `weak_password`.
 */
export async function signUp(pool: Pool, given: NewSignUp, visit: Visit): Promise<string> {
  const email = given.email.trim().toLowerCase()
  await refuseWeakPassword(given.password, [given.dj_name, email], 'password_hash')
  const passwordHash = await hashPassword(given.password)
  return pool.begin(async (sql) => {
    const [row] = await sql<{ sign_up_id: number }[]>`
      insert into sign_up (email, dj_name, password_hash) values (${email}, ${given.dj_name}, ${passwordHash})
      returning sign_up_id`
    const { sign_up_id } = row as { sign_up_id: number }
    await requestMail(sql, { what: 'confirm_sign_up', email, sign_up_id }, visit)
    return openSignUpSession(sql, sign_up_id, visit)
  })
}

/** Forgets who signed up and never opened the mailed link. */
export const sweepSignUps = async (sql: Pool): Promise<void> => {
  await sql`delete from sign_up where expires_at < now()`
}
