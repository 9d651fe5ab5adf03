import type { Sql } from '../platform/db.ts'
import { hashPassword } from './password.ts'

export const LEAST_PASSWORD_LETTERS = 10

const STAFF_GROUP = 4

/** Opens an account with every right of staff. False when the address has an account, which stays as it was. */
export async function createStaff(
  sql: Sql,
  staff: { email: string; name: string; password: string },
): Promise<boolean> {
  const added = await sql`
    insert into customer (email, dj_name, password_hash, group_id, staff_role)
    values (${staff.email.trim().toLowerCase()}, ${staff.name}, ${await hashPassword(staff.password)}, ${STAFF_GROUP}, 'admin')
    on conflict do nothing returning customer_id`
  return added.length === 1
}
