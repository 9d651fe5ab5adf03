import type { Sql } from '../platform/db.ts'

/** Keeps why somebody left, in their words. */
export async function saveFeedback(sql: Sql, customerId: number, message: string): Promise<Record<string, never>> {
  await sql`insert into cancel_feedback (customer_id, message) values (${customerId}, ${message})`
  return {}
}
