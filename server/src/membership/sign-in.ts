import type { Pool, Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { letIn } from './entry.ts'
import { passwordIs } from './password.ts'
import { openSignUpSession, type Visit } from './session.ts'
import { beginTry, forgetTries, orTakenBack } from './sign-in-tries.ts'

type SignUp = { sign_up_id: number; password_hash: string; applied: boolean }
type Found = { customer_id: number | undefined; sign_up: SignUp | undefined }

/** Sign-ups of an address that are tried, the newest; more of them would make a wrong password dear. */
const SIGN_UPS_TRIED = 3

/**
 * A new session's token for the right e-mail address and password. Refuses `invalid_credentials` without a hint which
 * was wrong, what keeps a member out (see `letIn`), the states of a sign-up whose address is unconfirmed, and
 * `rate_limited` after many failures.
 */
export async function signIn(pool: Pool, given: { email: string; password: string }, visit: Visit): Promise<string> {
  const email = given.email.trim().toLowerCase()
  const under = await beginTry(pool, email, visit.ip)
  const found = await orTakenBack(pool, under, () => findByPassword(pool, email, given.password))
  if (found.customer_id !== undefined) {
    const { customer_id } = found
    // Failures stay while a second step is to come: codes are not to be tried without end by who has the password.
    const token = await orTakenBack(pool, under, () => letIn(pool, customer_id, visit))
    await forgetTries(pool, under)
    return token
  }
  const { sign_up } = found
  if (!sign_up) throw new Refusal('invalid_credentials', 'Incorrect email address or password.')
  // No failure is forgotten: anybody can sign up with the address of the member whose password they try to guess.
  return orTakenBack(pool, under, () => refuseSignUp(pool, sign_up, visit))
}

/**
 * Whose password this is: the member's of this address, else a sign-up's. A wrong one costs the same number of hashes
 * whether the address has an account, sign-ups, or nothing.
 */
async function findByPassword(sql: Sql, email: string, password: string): Promise<Found> {
  const [member] = await sql<{ customer_id: number; password_hash: string }[]>`
    select customer_id, password_hash from customer where lower(email) = ${email} and status <> 'deleted'`
  const signUps = await sql<SignUp[]>`
    select sign_up_id, password_hash, applied_at is not null as applied from sign_up
    where lower(email) = ${email} and expires_at > now() order by created_at desc, sign_up_id desc limit ${SIGN_UPS_TRIED}`
  if (await passwordIs(password, member?.password_hash)) return { customer_id: member?.customer_id, sign_up: undefined }
  for (let n = 0; n < SIGN_UPS_TRIED; n++) {
    if (await passwordIs(password, signUps[n]?.password_hash)) return { customer_id: undefined, sign_up: signUps[n] }
  }
  return { customer_id: undefined, sign_up: undefined }
}

/** The same whether or not the address has an account as well, so that it says nothing about one. */
async function refuseSignUp(sql: Sql, { sign_up_id, applied }: SignUp, visit: Visit): Promise<never> {
  const data = { token: await openSignUpSession(sql, sign_up_id, visit) }
  if (!applied) throw new Refusal('dj_application_missing', 'You have not submitted DJ Application.', { data })
  const sentence = 'Confirm your email address first using the link we sent you.'
  throw new Refusal('email_not_verified', sentence, { data })
}
