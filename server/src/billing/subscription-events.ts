import type { Sql } from '../platform/db.ts'

type SubscriptionEvent = {
  kind: string
  reference?: string
  detail?: string
  now: Date
  /** The staff member who did it. */
  staff_id?: number | null
}

/** Records an event of a subscription; returns false if it was recorded before, so that it happens once. */
export async function recordSubscriptionEvent(
  sql: Sql,
  subscriptionId: number,
  { kind, reference = '', detail = '', now, staff_id = null }: SubscriptionEvent,
): Promise<boolean> {
  const inserted = await sql`
    insert into subscription_event (subscription_id, kind, reference, detail, at, staff_id)
    values (${subscriptionId}, ${kind}, ${reference}, ${detail}, ${now}, ${staff_id})
    on conflict (subscription_id, kind, reference) do nothing`
  return inserted.count > 0
}
