import type { Sql } from '../platform/db.ts'

/** A range of time, excluding `to`. */
export type DateRange = { from: Date; to: Date }

/** A ledger entry with its invoice; amounts of refunds are negative. */
export type Movement = {
  ledger_id: number
  at: Date
  kind: 'Payment' | 'Refund'
  /** Number of the invoice or credit note; null when there is none, in which case the books cannot be exported. */
  number: string | null
  /** For a refund: the invoice that its credit note corrects. */
  corrects: string | null
  customer_id: number
  /** The name on the invoice. */
  buyer: string
  country: string
  plan: string
  net_minor: number
  tax_percent: number
  tax_label: string
  tax_minor: number
  /** Total of the invoice. */
  total_minor: number
  /** Amount of the ledger entry. */
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
 * Every movement of money in a range of days, each once, with or without an invoice. Everything that is shown, totalled
 * and exported as the books is read from here.
 *
 * Each payment is looked up by its id: without OFFSET 0, PostgreSQL reads all payments of a large pool for one month.
 * The invoice that a credit note corrects is a subquery, so it is not read where that column is not used.
 */
export const movementRows = (sql: Sql, { from, to }: DateRange) => sql`
  select l.ledger_id, l.at, case when l.refund_id is null then 'Payment' else 'Refund' end as kind,
    i.invoice_id, ${invoiceNumber(sql, 'i')} as number,
    case when l.refund_id is not null then (
      select ${invoiceNumber(sql, 'o')} from invoice o where o.charge_id = l.charge_id and o.kind = 'invoice') end as corrects,
    l.customer_id, coalesce(i.buyer->>'name', '') as buyer, coalesce(i.buyer->>'country', '') as country,
    c.plan_id, p.title as plan, i.net_minor, i.tax_percent, i.tax_label, i.tax_minor, i.total_minor,
    l.amount_minor, l.currency, i.currency as invoiced_in, c.gateway, c.method, c.paid_with,
    coalesce(r.gateway_ref, c.gateway_ref) as gateway_ref
  from ledger l
    cross join lateral (select * from charge where charge.charge_id = l.charge_id offset 0) c
    join plan p on p.plan_id = c.plan_id
    left join refund r on r.refund_id = l.refund_id
    left join invoice i on i.charge_id = l.charge_id and i.refund_id is not distinct from l.refund_id
  where l.at >= ${from} and l.at < ${to}`
