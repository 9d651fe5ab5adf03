import type { Sql } from '../platform/db.ts'

/**
 * Records what staff have done in the demo's past, as the back office would have: decided applications, suspended
 * members, refunded payments and ended subscriptions.
 */
export async function fillAudit(sql: Sql, staff: number): Promise<void> {
  await sql`
    insert into audit (at, staff_id, action, subject, before, after)
    select at, ${staff}, action, subject, before, after from (
      select decided_at as at, 'application ' || state as action, 'customer ' || customer_id as subject,
        jsonb_build_object('state', 'pending') as before, jsonb_build_object('state', state) as after
      from dj_application where decided_by is not null
      union all
      select at, 'member suspended', 'customer ' || customer_id, jsonb_build_object('status', 'active'),
        jsonb_build_object('status', 'suspended')
      from staff_note where kind = 'suspended'
      union all
      select at, 'payment refunded', 'charge ' || charge_id, null,
        jsonb_build_object('refunded', to_char(amount_minor / 100.0, 'FM999990.00'))
      from refund
      union all
      select at, 'subscription ended', 'subscription ' || subscription_id, jsonb_build_object('status', 'active'),
        jsonb_build_object('status', 'ended')
      from subscription_event where kind = 'staff_ended') done
    where at < now() order by at`
}
