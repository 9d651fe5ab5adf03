import { toDecimal } from '../gateways/money.ts'
import { periodEnd } from '../gateways/periods.ts'
import { issueInvoice } from '../invoices/invoices.ts'
import type { Sql } from '../platform/db.ts'
import type { InvoiceSettings } from '../platform/payment-config.ts'

const features = (...lines: string[]) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`

const PLANS = [
  {
    title: 'Standard',
    description: 'Every genre and every version.',
    features: features(
      'All songs as 320 kbit/s MP3',
      'Clean, Dirty, Intro and other versions',
      'Crate of up to 100 songs',
    ),
    price_minor: 1499,
    trial_price_minor: 100,
    is_premium: false,
  },
  {
    title: 'Premium',
    description: 'For DJs who play every weekend.',
    features: features(
      'Everything in Standard',
      'Top 20s and spotlights',
      'Download your whole crate as a zip',
      'Support within 24 hours',
    ),
    price_minor: 2499,
    trial_price_minor: 499,
    is_premium: true,
  },
]

const COUPONS = [
  { code: 'WELCOME20', percent: 20, payments: 1 },
  { code: 'THREE5', amount_minor: 500, currency: 'USD', payments: 3 },
  { code: 'FRIENDS', percent: 100, payments: 1, max_uses: 5 },
  { code: 'SUMMER', percent: 50, payments: 1, ends_at: new Date('2025-09-01T00:00:00Z') },
]

const EMPTY_COUPON = { percent: null, amount_minor: null, currency: null, max_uses: null, ends_at: null }

const MONTHS_PAID = 5
const DAYS_LEFT = 12
const DAY_MS = 86_400_000

/** Adds plans, coupons and a subscription of the demo's DJ: paid with a test card, with an invoice for each month. */
export async function fillBilling(sql: Sql, { dj, now, invoice }: { dj: number; now: Date; invoice: InvoiceSettings }) {
  const plans = await sql<{ plan_id: number }[]>`
    insert into plan ${sql(PLANS.map((plan, position) => ({ ...plan, position })))} returning plan_id`
  await sql`insert into coupon ${sql(COUPONS.map((coupon) => ({ ...EMPTY_COUPON, ...coupon })))}`
  const [plan] = plans
  if (plan) await addSubscription(sql, { dj, now, invoice, plan_id: plan.plan_id })
}

type Subscriber = { dj: number; now: Date; invoice: InvoiceSettings; plan_id: number }

async function addSubscription(sql: Sql, { dj, now, invoice, plan_id }: Subscriber): Promise<void> {
  const anchor = periodEnd(new Date(now.getTime() + DAYS_LEFT * DAY_MS), 'month', -MONTHS_PAID)
  const paid_until = periodEnd(anchor, 'month', MONTHS_PAID)
  const card = { card_brand: 'Visa', card_last_four: '4242', card_expires_on: cardEnd(now) }
  const gateway_ref = `sandbox-demo-${dj}`
  const subscription = {
    ...{ customer_id: dj, plan_id, gateway: 'sandbox', gateway_ref, method: 'credit_card', ...card },
    ...{ price_minor: 1499, first_price_minor: 100, currency: 'USD', interval: 'month', is_trial: true },
    ...{ status: 'active', paid_until, access_until: new Date(paid_until.getTime() + 3 * DAY_MS) },
    ...{ checkout_ends_at: anchor, created_at: anchor, next_check_at: now },
  }
  const [inserted] = await sql<{ subscription_id: number }[]>`
    insert into subscription ${sql(subscription)} returning subscription_id`
  if (!inserted) throw new Error('Subscription insert returned no id')
  const { subscription_id } = inserted
  await sql`
    insert into sandbox_account (ref, behaviour, brand, last_four, expires_on, checkout)
    values (${gateway_ref}, 'pays', 'Visa', '4242', ${card.card_expires_on}, ${sql.json({ subscription_id })})`
  for (let n = 1; n <= MONTHS_PAID; n += 1) {
    const at = n === 1 ? anchor : periodEnd(anchor, 'month', n - 1)
    const charge = {
      ...{
        subscription_id,
        customer_id: dj,
        plan_id,
        gateway: 'sandbox',
        gateway_ref: `sandbox-${subscription_id}-${n}`,
      },
      ...{ reason: n === 1 ? 'first' : 'renewal', status: 'paid', amount_minor: n === 1 ? 100 : 1499, currency: 'USD' },
      ...{ is_trial: n === 1, period_start: at, period_end: periodEnd(anchor, 'month', n), at },
      ...{ method: 'credit_card', paid_with: 'Visa 4242' },
    }
    await addCharge(sql, charge, invoice)
  }
}

type Charge = { customer_id: number; amount_minor: number; currency: string; at: Date } & Record<string, unknown>

/** Adds a charge with its ledger row and its invoice, which is marked as sent. */
async function addCharge(sql: Sql, charge: Charge, invoice: InvoiceSettings): Promise<void> {
  const [paid] = await sql<{ charge_id: number }[]>`insert into charge ${sql(charge as never)} returning charge_id`
  if (!paid) throw new Error(`Insert of a charge of ${toDecimal(charge.amount_minor)} returned no id`)
  const { customer_id, amount_minor, currency, at } = charge
  await sql`insert into ledger ${sql({ customer_id, ...paid, amount_minor, currency, at })}`
  await issueInvoice(sql, invoice, paid.charge_id, at)
  await sql`update invoice set mailed_at = ${at} where charge_id = ${paid.charge_id}`
}

/** Two years from now, at the end of the month. */
const cardEnd = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear() + 2, now.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
