import type { membership } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

/** Saves a member's display and sound settings. */
export async function saveDisplay(sql: Sql, customerId: number, display: membership.Display) {
  await sql`update customer set display = ${sql.json(display)} where customer_id = ${customerId}`
  return display
}

/** Saves the versions a member prefers. */
export async function savePreferredVersions(sql: Sql, customerId: number, preferred: membership.PreferredVersions) {
  await sql`update customer set preferred_versions = ${sql.json(preferred)} where customer_id = ${customerId}`
  return preferred
}

/** Returns the versions a member prefers; null if they have not chosen any. */
export async function getPreferredVersions(sql: Sql, customerId: number): Promise<membership.PreferredVersions | null> {
  const [member] = await sql<{ preferred_versions: membership.PreferredVersions | null }[]>`
    select preferred_versions from customer where customer_id = ${customerId}`
  return member?.preferred_versions ?? null
}
