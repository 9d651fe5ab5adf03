import { addressOf } from '../platform/client-network.ts'
import type { Sql } from '../platform/db.ts'

export type AuditAction = {
  staff_id: number
  /** The action in one or two words: `application approved`. */
  action: string
  /** What was changed: `customer 7`. */
  subject: string
  before?: object
  after?: object
  ip: string
}

/**
 * Records a staff action, in the transaction of the change. Entries are never deleted, so they must not contain text
 * about a person or their address.
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
