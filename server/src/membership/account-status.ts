import type { StaffRole } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isLastAdmin } from './admins.ts'
import { endSessions } from './session.ts'

/** What staff change of a member's standing, each as part of the caller's transaction. */

export type LockedMember = {
  customer_id: number
  group_id: number
  group_name: string
  status: 'active' | 'suspended'
  staff_role: StaffRole | null
}

/** A member whose row stays as it is until the transaction ends. Throws `unknown_member`, also for one who left. */
export async function lockMember(sql: Sql, customerId: number): Promise<LockedMember> {
  const [held] = await sql<LockedMember[]>`
    select c.customer_id, c.group_id, g.name as group_name, c.status, c.staff_role
    from customer c join customer_group g using (group_id)
    where c.customer_id = ${customerId} and c.status <> 'deleted' for no key update of c`
  if (!held) throw new ApiError('unknown_member', 'Member not found.')
  return held
}

/** Answers the group's name. Throws `unknown_group`. */
export async function setGroup(sql: Sql, customerId: number, groupId: number): Promise<string> {
  const [group] = await sql<{ name: string }[]>`select name from customer_group where group_id = ${groupId}`
  if (!group) throw new ApiError('unknown_group', 'Group not found.')
  await sql`update customer set group_id = ${groupId} where customer_id = ${customerId}`
  return group.name
}

/** Shuts a member out, with every session. Throws `last_admin`, and `conflict` where somebody was first. */
export async function suspendMember(sql: Sql, customerId: number): Promise<void> {
  await ensureAdminRemains(sql, customerId)
  const done = await sql`
    update customer set status = 'suspended' where customer_id = ${customerId} and status = 'active'`
  if (done.count === 0) throw new ApiError('conflict', 'This member is already suspended.')
  await endSessions(sql, customerId)
}

/** Throws `conflict` where somebody was first. */
export async function liftSuspension(sql: Sql, customerId: number): Promise<void> {
  const done = await sql`
    update customer set status = 'active' where customer_id = ${customerId} and status = 'suspended'`
  if (done.count === 0) throw new ApiError('conflict', 'This member isn’t suspended.')
}

/**
 * Makes somebody staff, or takes it away: then they are signed out, and the door decides as for everybody. Throws
 * `last_admin`.
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
