import { ApiError, fieldError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { incrementCount, resetCount } from '../platform/rate-counter.ts'
import { UNUSABLE_PASSWORD_HASH, verifyPassword } from './password.ts'

const MAX_ATTEMPTS = 10
const WINDOW_MINUTES = 15
const LOCKED_MESSAGE = 'Too many incorrect passwords. Try again in 15 minutes.'

/**
 * Verifies that the member makes the request, not someone at their open browser. A member without a password, who only
 * uses the operator's single sign-on, needs none: returns `none` then. Throws `incorrect_password` and, after many
 * wrong passwords, `rate_limited`, with the message under `field`. A missing password is not an attempt.
 */
export async function checkOwnPassword(
  sql: Sql,
  customerId: number,
  password: string,
  field = 'password',
): Promise<'right' | 'none'> {
  const [member] = await sql<{ password_hash: string }[]>`
    select password_hash from customer where customer_id = ${customerId}`
  if (member?.password_hash === UNUSABLE_PASSWORD_HASH) return 'none'
  if (password === '') throw fieldError('incorrect_password', field, 'Enter your password.')
  const who = String(customerId)
  if ((await incrementCount(sql, 'own_password', who, WINDOW_MINUTES)) > MAX_ATTEMPTS) {
    throw new ApiError('rate_limited', LOCKED_MESSAGE, {
      fields: { [field]: LOCKED_MESSAGE },
      retryAfter_seconds: WINDOW_MINUTES * 60,
    })
  }
  if (!(await verifyPassword(password, member?.password_hash))) throw wrongPasswordError(field)
  await resetCount(sql, 'own_password', who)
  return 'right'
}

function wrongPasswordError(field: string): ApiError {
  const sentence = field === 'current_password' ? 'The current password is incorrect.' : 'Incorrect password.'
  return new ApiError('incorrect_password', sentence, {
    fields: { [field]: sentence },
    data: { customerError: sentence },
  })
}
