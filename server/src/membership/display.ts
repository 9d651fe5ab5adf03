import type { membership } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

/** Keeps how a member wants the site to look and sound. */
export async function saveDisplay(sql: Sql, customerId: number, display: membership.Display) {
  await sql`update customer set display = ${sql.json(display)} where customer_id = ${customerId}`
  return display
}
