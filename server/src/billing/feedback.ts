import type { Sql } from '../platform/db.ts'

/** Saves the reason a member gave for leaving. */
export async function saveFeedback(sql: Sql, customerId: number, message: string): Promise<Record<string, never>> {
  await sql`insert into cancel_feedback (customer_id, message) values (${customerId}, ${message})`
  return {}
}
