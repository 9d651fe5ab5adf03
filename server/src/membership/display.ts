import type { membership } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

/** Saves a member's display and sound settings. */
export async function saveDisplay(sql: Sql, customerId: number, display: membership.Display) {
  await sql`update customer set display = ${sql.json(display)} where customer_id = ${customerId}`
  return display
}
