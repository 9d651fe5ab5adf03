import { addressOf } from '../platform/client-network.ts'
import type { Sql } from '../platform/db.ts'

export type AuditAction = {
  staff_id: number
  /** What was done, in a word or two of the trade: `application approved`. */
  action: string
  /** What it was done to: `customer 7`. */
  subject: string
  before?: object
  after?: object
  ip: string
}

/**
 * Writes down what staff did, in the transaction that does it. Nothing of it is ever taken away: so no words about a
 * person, nor their address, go in.
 */
export async function recordAudit(
  sql: Sql,
  { staff_id, action, subject, before, after, ip }: AuditAction,
): Promise<void> {
  await sql`
    insert into audit (staff_id, action, subject, before, after, ip)
    values (${staff_id}, ${action}, ${subject}, ${before ? sql.json(before as never) : null},
      ${after ? sql.json(after as never) : null}, ${addressOf(ip)})`
}
