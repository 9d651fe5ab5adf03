import type { Sql } from '../platform/db.ts'
import { countAnew, countUp } from '../platform/rate.ts'
import { fieldRefusal, Refusal } from '../platform/refusal.ts'
import { NO_PASSWORD, passwordIs } from './password.ts'

const TRIES = 10
const MINUTES = 15
const LOCKED = 'Too many incorrect passwords. Try again in 15 minutes.'

/**
 * Makes sure that it is the member who asks, not somebody at their open browser. A member who has no password, because
 * they only come in through the operator's own sign-in, needs none: answers `none` then. Refuses `incorrect_password` and, after
 * many wrong ones, `rate_limited`, with the sentence under `field`. A missing password is no attempt.
 */
export async function checkOwnPassword(
  sql: Sql,
  customerId: number,
  given: string,
  field = 'password',
): Promise<'right' | 'none'> {
  const [member] = await sql<{ password_hash: string }[]>`
    select password_hash from customer where customer_id = ${customerId}`
  if (member?.password_hash === NO_PASSWORD) return 'none'
  if (given === '') throw fieldRefusal('incorrect_password', field, 'Enter your password.')
  const who = String(customerId)
  if ((await countUp(sql, 'own_password', who, MINUTES)) > TRIES) {
    throw new Refusal('rate_limited', LOCKED, { fields: { [field]: LOCKED }, retryAfter_seconds: MINUTES * 60 })
  }
  if (!(await passwordIs(given, member?.password_hash))) throw wrongPassword(field)
  await countAnew(sql, 'own_password', who)
  return 'right'
}

function wrongPassword(field: string): Refusal {
  const sentence = field === 'current_password' ? 'The current password is incorrect.' : 'Incorrect password.'
  return new Refusal('incorrect_password', sentence, {
    fields: { [field]: sentence },
    data: { customerError: sentence },
  })
}
