import type { AppContext } from '../src/app-context.ts'
import type { Invoice } from '../src/billing/issued-invoices.ts'
import type { InvoiceSettings } from '../src/platform/payment-config.ts'

let n = 0

export const SELLER: InvoiceSettings = {
  seller: { name: 'Night Shift', lines: ['Torstraße 12', '10119 Berlin'], tax_number: 'DE123456789' },
  tax: { label: 'VAT', percent: 19 },
}

type ChargeOverrides = {
  customer_id: number
  plan_title?: string
  amount_minor?: number
  discount_minor?: number
  coupon_code?: string
  currency?: string
  status?: 'started' | 'failed' | 'paid'
  reason?: 'first' | 'renewal' | 'upgrade'
  paid_with?: string
  at?: Date
}

/** Creates a charge of an ended subscription, so that a member may have any number of them. */
export async function aCharge({ sql }: AppContext, overrides: ChargeOverrides): Promise<number> {
  const made = ++n
  const currency = overrides.currency ?? 'EUR'
  const [plan] = await sql<{ plan_id: number }[]>`
    insert into plan (title, price_minor, currency) values (${overrides.plan_title ?? 'Club plan'}, 1999, ${currency}) returning plan_id`
  const coupon = overrides.coupon_code
    ? (await sql`insert into coupon (code, percent) values (${overrides.coupon_code}, 20) returning coupon_id`)[0]
    : undefined
  const [subscription] = await sql<{ subscription_id: number }[]>`
    insert into subscription (customer_id, plan_id, gateway, gateway_ref, method, price_minor, first_price_minor, currency, interval,
      coupon_id, checkout_ends_at, status)
    values (${overrides.customer_id}, ${plan?.plan_id ?? 0}, 'sandbox', ${`sub-made-${made}`}, 'credit_card', 1999, 1999, ${currency}, 'month',
      ${coupon?.coupon_id ?? null}, now(), 'ended')
    returning subscription_id`
  const [charge] = await sql<{ charge_id: number }[]>`
    insert into charge (subscription_id, customer_id, plan_id, gateway, gateway_ref, reason, status, amount_minor, discount_minor,
      currency, period_start, period_end, method, paid_with, at)
    values (${subscription?.subscription_id ?? 0}, ${overrides.customer_id}, ${plan?.plan_id ?? 0}, 'sandbox', ${`charge-made-${made}`},
      ${overrides.reason ?? 'first'}, ${overrides.status ?? 'paid'}, ${overrides.amount_minor ?? 1999}, ${overrides.discount_minor ?? 0},
      ${currency}, '2026-11-01T10:00:00Z', '2026-12-01T10:00:00Z', 'credit_card', ${overrides.paid_with ?? 'Visa 4242'},
      ${overrides.at ?? new Date('2026-11-01T10:00:00Z')})
    returning charge_id`
  if (!charge) throw new Error('no charge')
  return charge.charge_id
}

/** Creates a refund of a charge. */
export async function aRefund(
  { sql }: AppContext,
  overrides: { charge_id: number; amount_minor: number; at?: Date },
): Promise<number> {
  const [refund] = await sql<{ refund_id: number }[]>`
    insert into refund (charge_id, gateway, gateway_ref, amount_minor, at)
    values (${overrides.charge_id}, 'sandbox', ${`refund-made-${++n}`}, ${overrides.amount_minor}, ${overrides.at ?? new Date('2026-11-05T10:00:00Z')})
    returning refund_id`
  if (!refund) throw new Error('no refund')
  return refund.refund_id
}

/** Creates an invoice as it is read, for code that prints it. */
export const anInvoice = (overrides: Partial<Invoice> = {}): Invoice => ({
  invoice_id: 1,
  kind: 'invoice',
  number: '2026-00012',
  customer_id: 1,
  issued_at: new Date('2026-11-01T10:00:00Z'),
  seller: SELLER.seller,
  buyer: {
    name: 'Ünal Çağlayan',
    dj_name: 'DJ Tëst',
    street: 'Long Street 5',
    postcode: '34000',
    city: 'İstanbul',
    region: '',
    country: 'Türkiye',
    email: 'dj@example.test',
  },
  lines: [{ text: 'Club plan, 1 Nov 2026 to 1 Dec 2026', amount_minor: 1999, plan_title: 'Club plan' }],
  currency: 'EUR',
  net_minor: 1680,
  tax_minor: 319,
  total_minor: 1999,
  tax_percent: 19,
  tax_label: 'VAT',
  paid_with: 'Visa ending 4242',
  paid_at: new Date('2026-11-01T10:00:00Z'),
  period_start: new Date('2026-11-01T10:00:00Z'),
  period_end: new Date('2026-12-01T10:00:00Z'),
  corrects: null,
  ...overrides,
})
