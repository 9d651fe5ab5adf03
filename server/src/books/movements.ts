import type { Sql } from '../platform/db.ts'

/** From one moment to before another. */
export type DateRange = { from: Date; to: Date }

/** A line of the ledger with what it was invoiced as; amounts below zero on refunds. */
export type Movement = {
  ledger_id: number
  at: Date
  kind: 'Payment' | 'Refund'
  /** Of the invoice or credit note; null where there is none, which the books are refused for. */
  number: string | null
  /** Of a refund: the invoice its credit note corrects. */
  corrects: string | null
  customer_id: number
  /** As it was issued to. */
  buyer: string
  country: string
  plan: string
  net_minor: number
  tax_percent: number
  tax_label: string
  tax_minor: number
  /** Of the invoice. */
  total_minor: number
  /** Of the ledger. */
  amount_minor: number
  currency: string
  gateway: string
  method: string
  paid_with: string
  gateway_ref: string
}

const invoiceNumber = (sql: Sql, invoice: 'i' | 'o') => {
  const [year, serial] = invoice === 'i' ? [sql`i.year`, sql`i.serial`] : [sql`o.year`, sql`o.serial`]
  return sql`${year} || '-' || lpad(${serial}::text, greatest(5, length(${serial}::text)), '0')`
}

/**
 * Every movement of money within some days, each once, whether it was invoiced or not. What is shown, summed and handed out
 * as the books is all read from here.
 */
export const movementRows = (sql: Sql, { from, to }: DateRange) => sql`
  select l.ledger_id, l.at, case when l.refund_id is null then 'Payment' else 'Refund' end as kind,
    ${invoiceNumber(sql, 'i')} as number, case when l.refund_id is not null then ${invoiceNumber(sql, 'o')} end as corrects,
    l.customer_id, coalesce(i.buyer->>'name', '') as buyer, coalesce(i.buyer->>'country', '') as country,
    c.plan_id, p.title as plan, i.net_minor, i.tax_percent, i.tax_label, i.tax_minor, i.total_minor,
    l.amount_minor, l.currency, i.currency as invoiced_in, c.gateway, c.method, c.paid_with,
    coalesce(r.gateway_ref, c.gateway_ref) as gateway_ref
  from ledger l join charge c using (charge_id) join plan p using (plan_id)
    left join refund r on r.refund_id = l.refund_id
    left join invoice i on i.charge_id = l.charge_id and i.refund_id is not distinct from l.refund_id
    left join invoice o on l.refund_id is not null and o.charge_id = l.charge_id and o.kind = 'invoice'
  where l.at >= ${from} and l.at < ${to}`
