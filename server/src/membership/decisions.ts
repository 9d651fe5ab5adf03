import type { ParsedInputOf, staff } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { invalidateLinks } from './mailed-links.ts'
import { endSessions } from './session.ts'

type ApplicationState = staff.ApplicationState
type Decision = ParsedInputOf<typeof staff.decideApplication>['decision']

export type DecidedApplication = {
  customer_id: number
  state: ApplicationState
  reason: string
  version: number
  email: string
  email_verified: boolean
  dj_name: string
}

const TRANSITIONS: Record<Decision, { from: ApplicationState[]; to: ApplicationState }> = {
  approve: { from: ['pending'], to: 'approved' },
  decline: { from: ['pending'], to: 'declined' },
  reopen: { from: ['approved', 'declined'], to: 'pending' },
}

export type DecisionParams = {
  customer_id: number
  decision: Decision
  reason: string
  /** The version the decision is based on. */
  version: number
  staff_id: number
}

/**
 * Changes an application, in one statement, so that only the first of two simultaneous decisions succeeds. Returns
 * undefined for the second, and when the application is not in a state this decision can change. Revoking an approval
 * ends the member's sessions and the sign-in link of the approval.
 */
export async function changeApplication(sql: Sql, params: DecisionParams): Promise<DecidedApplication | undefined> {
  const { from, to } = TRANSITIONS[params.decision]
  const isDecided = to !== 'pending'
  const [changed] = await sql<DecidedApplication[]>`
    update dj_application a
    set state = ${to}, reason = ${params.decision === 'decline' ? params.reason : ''}, version = version + 1,
      decided_at = ${isDecided ? sql`now()` : null}, decided_by = ${isDecided ? params.staff_id : null}
    from customer c
    where a.customer_id = ${params.customer_id} and c.customer_id = a.customer_id and a.version = ${params.version}
      and a.state = any(${from})
    returning a.customer_id, a.state, a.reason, a.version, c.email, c.email_verified,
      c.dj_name`
  if (changed?.state === 'pending') {
    await endSessions(sql, params.customer_id)
    await invalidateLinks(sql, params.customer_id, ['sign_in'])
  }
  return changed
}

/** Returns false when the application does not exist or has another version. */
export async function writeNote(
  sql: Sql,
  { customer_id, note, version }: { customer_id: number; note: string; version: number },
): Promise<boolean> {
  const updated = await sql`
    update dj_application set note = ${note}, version = version + 1
    where customer_id = ${customer_id} and version = ${version}`
  return updated.count > 0
}
