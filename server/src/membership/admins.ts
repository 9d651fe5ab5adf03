import type { Sql } from '../platform/db.ts'

/**
 * Returns whether this is the only admin who can sign in, in the caller's transaction. Locks the rows of all admins, so
 * that the last two cannot both be removed at the same time.
 */
export async function isLastAdmin(sql: Sql, customerId: number): Promise<boolean> {
  const admins = await sql<{ customer_id: number }[]>`
    select customer_id from customer
    where staff_role = 'admin' and status = 'active' order by customer_id for no key update`
  return admins.length <= 1 && admins[0]?.customer_id === customerId
}
