import { countryOf } from '../membership/countries.ts'
import type { Sql } from '../platform/db.ts'
import type { InvoiceSettings } from '../platform/payment-config.ts'
import {
  type Buyer,
  formatDate,
  formatInvoiceNumber,
  type Invoice,
  type InvoiceLine,
  type Serial,
} from './issued-invoices.ts'

/**
 * Invoices and credit notes. Once issued, they never change: they contain the names, addresses and lines of that day.
 * Their numbers are one sequence per year (UTC) without gaps.
 */

export type IssuedInvoice = { invoice_id: number; number: string }

/**
 * Returns the tax in an amount that includes it, rounded to the smallest unit; the percentage has at most two decimals.
 */
export function includedTax(total_minor: number, percent: number): number {
  const hundredths = Math.round(percent * 100)
  return Math.round((total_minor * hundredths) / (10_000 + hundredths))
}

type Charge = {
  charge_id: number
  customer_id: number
  status: string
  reason: string
  amount_minor: number
  discount_minor: number
  currency: string
  period_start: Date
  period_end: Date
  plan_title: string
  coupon_code: string | null
}

/** Reads a charge and locks it, so that its invoice is issued only once. */
async function lockCharge(sql: Sql, chargeId: number): Promise<Charge> {
  const [charge] = await sql<Charge[]>`
    select c.charge_id, c.customer_id, c.status, c.reason, c.amount_minor, c.discount_minor, c.currency, c.period_start,
      c.period_end, p.title as plan_title, o.code as coupon_code
    from charge c join plan p using (plan_id) join subscription s using (subscription_id)
      left join coupon o on o.coupon_id = s.coupon_id
    where c.charge_id = ${chargeId} for no key update of c`
  if (charge?.status !== 'paid') throw new Error(`Charge ${chargeId} is not paid, so it cannot be invoiced`)
  return charge
}

/**
 * Issues the invoice of a paid charge, in the caller's transaction, or returns the existing one. The number of the year
 * is locked until that transaction ends, and is reused after a rollback, so issue it late in the transaction.
 */
export async function issueInvoice(
  sql: Sql,
  settings: InvoiceSettings,
  chargeId: number,
  now: Date,
): Promise<IssuedInvoice> {
  const charge = await lockCharge(sql, chargeId)
  const [issuedInvoice] = await sql<(Serial & { invoice_id: number })[]>`
    select invoice_id, year, serial from invoice where charge_id = ${chargeId} and kind = 'invoice'`
  if (issuedInvoice) return { invoice_id: issuedInvoice.invoice_id, number: formatInvoiceNumber(issuedInvoice) }
  const { tax, seller } = settings
  const tax_minor = includedTax(charge.amount_minor, tax.percent)
  return insert(sql, {
    kind: 'invoice',
    charge_id: chargeId,
    refund_id: null,
    customer_id: charge.customer_id,
    issued_at: now,
    seller,
    buyer: await findBuyer(sql, charge.customer_id),
    lines: buildLines(charge),
    currency: charge.currency,
    net_minor: charge.amount_minor - tax_minor,
    tax_minor,
    total_minor: charge.amount_minor,
    tax_percent: tax.percent,
    tax_label: tax.label,
  })
}

function buildLines(charge: Charge): InvoiceLine[] {
  const { plan_title, amount_minor, discount_minor, coupon_code } = charge
  const period = `${formatDate(charge.period_start)} – ${formatDate(charge.period_end)}`
  const what = charge.reason === 'upgrade' ? `Plan change to ${plan_title}` : plan_title
  const chargedLine = { text: `${what}, ${period}`, amount_minor: amount_minor + discount_minor, plan_title }
  if (discount_minor === 0) return [chargedLine]
  return [chargedLine, { text: coupon_code ? `Coupon ${coupon_code}` : 'Discount', amount_minor: -discount_minor }]
}

type Customer = Omit<Buyer, 'name' | 'region' | 'country'> & {
  firstname: string
  lastname: string
  country_id: string
  region_id: string
}

async function findBuyer(sql: Sql, customerId: number): Promise<Buyer> {
  const [customer] = await sql<Customer[]>`
    select firstname, lastname, dj_name, street, postcode, city, region_id, country_id, email
    from customer where customer_id = ${customerId}`
  if (!customer) throw new Error(`Member ${customerId} not found`)
  const { firstname, lastname, country_id, region_id, ...address } = customer
  const country = countryOf(country_id)
  return {
    ...address,
    name: `${firstname} ${lastname}`.trim() || customer.dj_name,
    region: country?.region.find(({ id }) => id === region_id)?.name ?? '',
    country: country?.name ?? '',
  }
}

type Refund = { charge_id: number; amount_minor: number }

type CorrectedInvoice = Pick<Invoice, 'customer_id' | 'buyer' | 'lines' | 'currency' | 'tax_percent' | 'tax_label'> & {
  credited_minor: number
  credited_tax_minor: number
}

/**
 * Issues the credit note of a refund, in the caller's transaction, or returns the existing one. It has the buyer and
 * the tax rate of the invoice it corrects, and refunds exactly its tax once the full amount was refunded.
 */
export async function issueCreditNote(
  sql: Sql,
  settings: InvoiceSettings,
  refundId: number,
  now: Date,
): Promise<IssuedInvoice> {
  const [refund] = await sql<Refund[]>`select charge_id, amount_minor from refund where refund_id = ${refundId}`
  if (!refund) throw new Error(`Refund ${refundId} not found`)
  // Also locks the charge.
  const { invoice_id } = await issueInvoice(sql, settings, refund.charge_id, now)
  const [issuedInvoice] = await sql<(Serial & { invoice_id: number })[]>`
    select invoice_id, year, serial from invoice where refund_id = ${refundId}`
  if (issuedInvoice) return { invoice_id: issuedInvoice.invoice_id, number: formatInvoiceNumber(issuedInvoice) }
  const original = await findCorrectedInvoice(sql, invoice_id)
  const total = refund.amount_minor
  const tax = includedTax(original.credited_minor + total, original.tax_percent) - original.credited_tax_minor
  const [chargedLine] = original.lines
  return insert(sql, {
    kind: 'credit_note',
    charge_id: refund.charge_id,
    refund_id: refundId,
    customer_id: original.customer_id,
    issued_at: now,
    seller: settings.seller,
    buyer: original.buyer,
    lines: [{ ...chargedLine, text: `Refund: ${chargedLine?.text ?? ''}`, amount_minor: -total }],
    currency: original.currency,
    net_minor: tax - total,
    tax_minor: -tax,
    total_minor: -total,
    tax_percent: original.tax_percent,
    tax_label: original.tax_label,
  })
}

async function findCorrectedInvoice(sql: Sql, invoiceId: number): Promise<CorrectedInvoice> {
  const [original] = await sql<CorrectedInvoice[]>`
    select i.customer_id, i.buyer, i.lines, i.currency, i.tax_percent, i.tax_label,
      coalesce(-sum(n.total_minor), 0)::int as credited_minor, coalesce(-sum(n.tax_minor), 0)::int as credited_tax_minor
    from invoice i left join invoice n on n.charge_id = i.charge_id and n.kind = 'credit_note'
    where i.invoice_id = ${invoiceId} group by i.invoice_id`
  if (!original) throw new Error(`Invoice ${invoiceId} not found`)
  return original
}

type NewInvoice = Omit<
  Invoice,
  'invoice_id' | 'number' | 'paid_with' | 'paid_at' | 'period_start' | 'period_end' | 'corrects'
> & {
  charge_id: number
  refund_id: number | null
}

async function insert(sql: Sql, { seller, buyer, lines, ...invoice }: NewInvoice): Promise<IssuedInvoice> {
  const serial = await nextNumber(sql, invoice.issued_at.getUTCFullYear())
  const row = { ...invoice, ...serial, seller: sql.json(seller), buyer: sql.json(buyer), lines: sql.json(lines) }
  const [issuedInvoice] = await sql<{ invoice_id: number }[]>`insert into invoice ${sql(row)} returning invoice_id`
  if (!issuedInvoice) throw new Error('Invoice insert returned no id')
  return { ...issuedInvoice, number: formatInvoiceNumber(serial) }
}

/** The row of the year stays locked until the transaction ends, and a rollback restores it, so no number is lost. */
async function nextNumber(sql: Sql, year: number): Promise<Serial> {
  const [number] = await sql<{ last_serial: number }[]>`
    insert into invoice_number as n (year, last_serial) values (${year}, 1)
    on conflict (year) do update set last_serial = n.last_serial + 1 returning last_serial`
  if (!number) throw new Error(`Invoice number sequence for ${year} returned no number`)
  return { year, serial: number.last_serial }
}
