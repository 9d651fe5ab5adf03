import { countAnew, countUp } from '../platform/rate.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Asker } from './asker.ts'
import { checkOwnPassword } from './own-password.ts'
import { takeCode, wrongCode } from './two-step.ts'
import { warnOfWrongCodes } from './wrong-codes.ts'

const MAX_CODES = 10
const WARN_AT = 5
const MINUTES = 15

type Tools = Pick<World, 'sql' | 'sealing' | 'now' | 'settings'>
type Entered = { password?: string | undefined; code?: string | undefined }

/**
 * Takes the second step, or the password of an account without one, again: this session is confirmed for 10 minutes.
 * Refuses `incorrect_password`, `invalid_code`, `sign_in_again` for an account with neither, and `rate_limited`.
 */
export async function confirmIdentity(
  tools: Tools,
  staff: Asker,
  { password = '', code = '' }: Entered,
): Promise<void> {
  if (staff.confirm_by === 'sign_in') {
    throw new Refusal('sign_in_again', 'Your account has no password. Sign out and sign in again to continue.')
  }
  if (staff.confirm_by === 'code') await takeCodeAgain(tools, staff, code)
  else await checkOwnPassword(tools.sql, staff.customer_id, password)
  await tools.sql`update session set confirmed_at = now() where session_id = ${staff.session_id}`
}

async function takeCodeAgain(tools: Tools, staff: Asker, code: string): Promise<void> {
  const who = String(staff.customer_id)
  const count = await countUp(tools.sql, 'confirm_code', who, MINUTES)
  if (count > MAX_CODES) {
    throw new Refusal('rate_limited', 'Too many wrong codes. Try again in 15 minutes.', {
      retryAfter_seconds: MINUTES * 60,
    })
  }
  if (!(await takeCode(tools, staff.customer_id, code))) {
    if (count === WARN_AT) await warnOfWrongCodes(tools, staff)
    throw wrongCode()
  }
  await countAnew(tools.sql, 'confirm_code', who)
}
