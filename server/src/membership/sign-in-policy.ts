import type { staff } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type ClientInfo, openSession } from './session.ts'

/** What decides whether someone can sign in. */
export type AccountState = {
  status: 'active' | 'suspended' | 'deleted'
  staff_role: string | null
  state: staff.ApplicationState | null
  reason: string | null
  has_two_factor: boolean
}

/**
 * Opens a session for a member whose identity was verified, and returns its token. Throws the errors of
 * `requireActiveAccount` and `requireApprovedApplication`, and `two_factor_required` with a token that can only be used
 * for the second step. With `steps: 'all'` the second step was completed.
 */
export async function openSessionFor(
  sql: Sql,
  customerId: number,
  client: ClientInfo,
  { steps }: { steps: 'first' | 'all' } = { steps: 'first' },
): Promise<string> {
  const accountState = await findAccountState(sql, customerId)
  requireActiveAccount(accountState)
  const needsApplication = !accountState.staff_role && accountState.state === null
  requireApprovedApplication(
    accountState,
    needsApplication ? { token: await openSession(sql, customerId, 'applicant', client) } : undefined,
  )
  if (accountState.has_two_factor && steps === 'first') {
    const token = await openSession(sql, customerId, 'second_step', client)
    throw new ApiError('two_factor_required', 'Enter the code from your authenticator app.', { data: { token } })
  }
  return openSession(sql, customerId, 'member', client)
}

/** Undefined when no customer has this id. */
export async function findAccountState(sql: Sql, customerId: number): Promise<AccountState | undefined> {
  const [accountState] = await sql<AccountState[]>`
    select c.status, c.staff_role, a.state, a.reason,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as has_two_factor
    from customer c left join dj_application a using (customer_id) where c.customer_id = ${customerId}`
  return accountState
}

/** Throws `session_expired` for a deleted account, and `account_suspended`. */
export function requireActiveAccount(accountState: Pick<AccountState, 'status'> | undefined): asserts accountState {
  if (!accountState || accountState.status === 'deleted')
    throw new ApiError('session_expired', 'This account no longer exists.')
  if (accountState.status === 'suspended') {
    throw new ApiError('account_suspended', 'This account is suspended. Contact support.')
  }
}

/** Throws unless the DJ application is approved, with data {token} if it was not submitted yet. Staff need none. */
export function requireApprovedApplication(
  { staff_role, state, reason }: Pick<AccountState, 'staff_role' | 'state' | 'reason'>,
  data?: { token: string },
): void {
  if (staff_role || state === 'approved') return
  if (state === null) {
    throw new ApiError('dj_application_missing', 'You have not submitted DJ Application.', { data })
  }
  if (state === 'pending') {
    throw applicationPendingError()
  }
  const reasonSuffix = reason ? ` ${reason}` : ''
  throw new ApiError('dj_application_declined', `Your DJ application was declined.${reasonSuffix}`)
}

export const applicationPendingError = () =>
  new ApiError('dj_application_pending', 'Your DJ application is in review. Sign in again later to see the decision.')
