import type { staff } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { openSession, type Visit } from './session.ts'

/** What decides whether somebody comes in. */
export type Standing = {
  status: 'active' | 'suspended' | 'deleted'
  staff_role: string | null
  state: staff.ApplicationState | null
  reason: string | null
  two_step: boolean
}

/**
 * Opens a session for a member whose identity is certain, and answers with its token. Refuses the states of a DJ
 * application, `account_suspended`, and `two_factor_required` with a token good only for that. With `steps: 'all'` the
 * second has been taken.
 */
export async function letIn(
  sql: Sql,
  customerId: number,
  visit: Visit,
  { steps }: { steps: 'first' | 'all' } = { steps: 'first' },
): Promise<string> {
  const found = await readStanding(sql, customerId)
  admitAccount(found)
  const isToApply = !found.staff_role && found.state === null
  admitApplication(found, isToApply ? { token: await openSession(sql, customerId, 'applicant', visit) } : undefined)
  if (found.two_step && steps === 'first') {
    const token = await openSession(sql, customerId, 'second_step', visit)
    throw new Refusal('two_factor_required', 'Enter the code from your authenticator app.', { data: { token } })
  }
  return openSession(sql, customerId, 'member', visit)
}

/** Undefined for a number nobody has. */
export async function readStanding(sql: Sql, customerId: number): Promise<Standing | undefined> {
  const [found] = await sql<Standing[]>`
    select c.status, c.staff_role, a.state, a.reason,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as two_step
    from customer c left join dj_application a using (customer_id) where c.customer_id = ${customerId}`
  return found
}

/** Refuses `session_expired` for an account that is gone, and `account_suspended`. */
export function admitAccount(found: Pick<Standing, 'status'> | undefined): asserts found {
  if (!found || found.status === 'deleted') throw new Refusal('session_expired', 'This account no longer exists.')
  if (found.status === 'suspended') {
    throw new Refusal('account_suspended', 'This account is suspended. Contact support.')
  }
}

/** Refuses the states of a DJ application but one, with data {token} for whoever has yet to send it. Staff need none. */
export function admitApplication(
  { staff_role, state, reason }: Pick<Standing, 'staff_role' | 'state' | 'reason'>,
  data?: { token: string },
): void {
  if (staff_role || state === 'approved') return
  if (state === null) {
    throw new Refusal('dj_application_missing', 'You have not submitted DJ Application.', { data })
  }
  if (state === 'pending') {
    throw new Refusal(
      'dj_application_pending',
      'Your DJ application is in review. We’ll email you when there’s a decision.',
    )
  }
  const because = reason ? ` ${reason}` : ''
  throw new Refusal('dj_application_declined', `Your DJ application was declined.${because}`)
}
