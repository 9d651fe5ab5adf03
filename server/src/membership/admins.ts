import type { Sql } from '../platform/db.ts'

/**
 * Whether this is the only admin who can sign in, as part of the caller's transaction. The rows of all admins are held
 * until it ends, so that the last two cannot both go at once.
 */
export async function isLastAdmin(sql: Sql, customerId: number): Promise<boolean> {
  const admins = await sql<{ customer_id: number }[]>`
    select customer_id from customer
    where staff_role = 'admin' and status = 'active' order by customer_id for no key update`
  return admins.length <= 1 && admins[0]?.customer_id === customerId
}
