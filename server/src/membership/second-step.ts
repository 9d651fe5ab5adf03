import type { Sql } from '../platform/db.ts'
import { countUp } from '../platform/rate.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { hashToken } from './asker.ts'
import { letIn } from './entry.ts'
import { signOut, type Visit } from './session.ts'
import { beginTry, forgetTries, orTakenBack } from './sign-in-tries.ts'
import { takeCode, wrongCode } from './two-step.ts'
import { warnOfWrongCodes } from './wrong-codes.ts'

const CODES_TRIED = 5
/** Longer than a second step may take. */
const MINUTES = 15

type Begun = { session_id: number; customer_id: number; email: string }

/**
 * Ends a sign-in with a code of the app or a recovery code; answers the token of the session. Refuses `invalid_code`,
 * `two_factor_expired` after five minutes or five wrong codes, `rate_limited` after many wrong codes over several sign-ins,
 * and what keeps a member out (see `letIn`).
 */
export async function takeSecondStep(
  world: Pick<World, 'sql' | 'sealing' | 'now' | 'settings'>,
  given: { token: string; code: string },
  visit: Visit,
): Promise<string> {
  const { sql } = world
  const begun = await findBegun(sql, given.token)
  const tries = await countUp(sql, 'second_step', String(begun.session_id), MINUTES)
  if (tries > CODES_TRIED) throw await over(sql, begun)
  const under = await beginTry(sql, begun.email, visit.ip)
  const isRight = await orTakenBack(sql, under, () => takeCode(world, begun.customer_id, given.code))
  if (!isRight) {
    if (tries < CODES_TRIED) throw wrongCode()
    await warnOfWrongCodes(world, begun)
    throw await over(sql, begun)
  }
  await signOut(sql, begun.session_id)
  await forgetTries(sql, under)
  return letIn(sql, begun.customer_id, visit, { steps: 'all' })
}

async function findBegun(sql: Sql, token: string): Promise<Begun> {
  const [begun] = await sql<Begun[]>`
    select s.session_id, s.customer_id, lower(c.email) as email from session s join customer c using (customer_id)
    where s.token_hash = ${hashToken(token)} and s.purpose = 'second_step' and s.expires_at > now()`
  if (!begun) throw new Refusal('two_factor_expired', 'Your sign-in timed out. Sign in again.')
  return begun
}

async function over(sql: Sql, { session_id }: Begun): Promise<Refusal> {
  await signOut(sql, session_id)
  return new Refusal('two_factor_expired', 'Too many incorrect codes. Sign in again.')
}
