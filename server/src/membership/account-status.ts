import type { StaffRole } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isLastAdmin } from './admins.ts'
import { invalidateLinks } from './mailed-links.ts'
import { endSessions } from './session.ts'

/** Changes by staff to a member's status, each in the caller's transaction. */

export type LockedMember = {
  customer_id: number
  group_id: number
  group_name: string
  status: 'active' | 'suspended'
  staff_role: StaffRole | null
}

/** Locks a member's row until the end of the transaction. Throws `unknown_member`, also for a deleted member. */
export async function lockMember(sql: Sql, customerId: number): Promise<LockedMember> {
  const [member] = await sql<LockedMember[]>`
    select c.customer_id, c.group_id, g.name as group_name, c.status, c.staff_role
    from customer c join customer_group g using (group_id)
    where c.customer_id = ${customerId} and c.status <> 'deleted' for no key update of c`
  if (!member) throw new ApiError('unknown_member', 'Member not found.')
  return member
}

/** Returns the group's name. Throws `unknown_group`. */
export async function setGroup(sql: Sql, customerId: number, groupId: number): Promise<string> {
  const [group] = await sql<{ name: string }[]>`select name from customer_group where group_id = ${groupId}`
  if (!group) throw new ApiError('unknown_group', 'Group not found.')
  await sql`update customer set group_id = ${groupId} where customer_id = ${customerId}`
  return group.name
}

/**
 * Suspends a member and ends all their sessions. Throws `last_admin`, and `conflict` when someone else did it first.
 */
export async function suspendMember(sql: Sql, customerId: number): Promise<void> {
  await ensureAdminRemains(sql, customerId)
  const updated = await sql`
    update customer set status = 'suspended' where customer_id = ${customerId} and status = 'active'`
  if (updated.count === 0) throw new ApiError('conflict', 'This member is already suspended.')
  await endSessions(sql, customerId)
  await invalidateLinks(sql, customerId, ['sign_in'])
}

/** Throws `conflict` when someone else did it first. */
export async function liftSuspension(sql: Sql, customerId: number): Promise<void> {
  const updated = await sql`
    update customer set status = 'active' where customer_id = ${customerId} and status = 'suspended'`
  if (updated.count === 0) throw new ApiError('conflict', 'This member isn’t suspended.')
}

/**
 * Gives a member a staff role or removes it. Without a role they are signed out, and signing in follows the rules for
 * members. Throws `last_admin`.
 */
export async function setStaffRole(sql: Sql, customerId: number, role: StaffRole | null): Promise<void> {
  if (role !== 'admin') await ensureAdminRemains(sql, customerId)
  await sql`update customer set staff_role = ${role} where customer_id = ${customerId}`
  if (role === null) await endSessions(sql, customerId)
}

async function ensureAdminRemains(sql: Sql, customerId: number): Promise<void> {
  if (!(await isLastAdmin(sql, customerId))) return
  throw new ApiError('last_admin', 'This is the only admin. Make someone else an admin first.')
}
