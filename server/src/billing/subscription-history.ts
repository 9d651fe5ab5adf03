import type { subscriptions } from '@dubplate/contract'
import { toDecimal } from '../gateways/money.ts'
import type { Sql } from '../platform/db.ts'

type HistoryRow = Omit<subscriptions.SubscriptionEvent, 'at' | 'amount' | 'by'> & {
  at: Date
  amount_minor: number | null
  by_id: number | null
  by_name: string | null
}

/** The history of a subscription, oldest first: its recorded events, its payments and its refunds. */
export async function readHistory(sql: Sql, subscriptionId: number): Promise<subscriptions.SubscriptionEvent[]> {
  const rows = await sql<HistoryRow[]>`
    with event as (
      select e.at, 0 as n, e.kind, e.detail, null::int as amount_minor, null::bigint as charge_id,
        null::bigint as refund_id, e.staff_id
      from subscription_event e where e.subscription_id = ${subscriptionId} and e.kind not in ('attempt', 'refund_attempted')
      union all
      select s.created_at, -1, 'ordered', '', null, null, null, null
      from subscription s where s.subscription_id = ${subscriptionId}
      union all
      select c.at, 1, case c.status when 'paid' then 'paid' when 'failed' then 'failed' else 'started' end, c.failure_reason,
        c.amount_minor, c.charge_id, null, null
      from charge c where c.subscription_id = ${subscriptionId}
      union all
      select r.at, 2, 'refunded', r.reason, r.amount_minor, r.charge_id, r.refund_id, r.staff_id
      from refund r join charge c using (charge_id) where c.subscription_id = ${subscriptionId})
    select h.at, h.kind, h.detail, h.amount_minor, h.charge_id, i.invoice_id,
      i.year || '-' || lpad(i.serial::text, greatest(5, length(i.serial::text)), '0') as invoice_number,
      m.customer_id as by_id, m.dj_name as by_name
    from event h left join customer m on m.customer_id = h.staff_id
      left join invoice i on i.charge_id = h.charge_id and i.refund_id is not distinct from h.refund_id
    order by h.at, h.n, h.charge_id`
  return rows.map(({ at, amount_minor, by_id, by_name, ...row }) => ({
    ...row,
    at: at.toISOString(),
    amount: amount_minor === null ? null : toDecimal(amount_minor),
    by: by_id === null ? null : { customer_id: by_id, dj_name: by_name ?? '' },
  }))
}
