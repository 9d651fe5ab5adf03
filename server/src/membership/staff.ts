import type { Sql } from '../platform/db.ts'
import { hashPassword } from './password.ts'
import { rejectWeakPassword } from './password-strength.ts'

const STAFF_GROUP_ID = 4

/**
 * Creates an admin account. Returns false when the address already has an account, which does not change. Throws
 * `weak_password`.
 */
export async function createStaff(
  sql: Sql,
  staff: { email: string; name: string; password: string },
): Promise<boolean> {
  await rejectWeakPassword(staff.password, [staff.name, staff.email], 'password')
  const added = await sql`
    insert into customer (email, dj_name, password_hash, group_id, staff_role)
    values (${staff.email.trim().toLowerCase()}, ${staff.name}, ${await hashPassword(staff.password)}, ${STAFF_GROUP_ID}, 'admin')
    on conflict do nothing returning customer_id`
  return added.length === 1
}
