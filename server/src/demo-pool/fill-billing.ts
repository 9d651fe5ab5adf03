import type { DemoSubscription } from '@dubplate/demo/world'
import { issueCreditNote, issueInvoice } from '../billing/invoices.ts'
import { CHECKOUT_MINUTES, daysAfter, firstPaidAt } from '../billing/subscription-state.ts'
import { type CouponTerms, termsOf } from '../gateways/amounts.ts'
import type { Terms } from '../gateways/gateway.ts'
import { periodEnd } from '../gateways/periods.ts'
import type { Sql } from '../platform/db.ts'
import type { InvoiceSettings } from '../platform/payment-config.ts'
import { behaviourFor, eventsOf, generateHistory, type SubscriptionHistory } from './subscription-history.ts'

const CURRENCY = 'USD'

const features = (...lines: string[]) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`

const PLANS = [
  {
    title: 'Standard',
    description: 'Every genre and every version.',
    features: features('All songs as 320 kbit/s MP3', 'Clean, Dirty, Intro and other versions'),
    monthly_downloads: 300,
    has_top20_packs: false,

    price_minor: 1499,
    trial_price_minor: 100,
    is_premium: false,
  },
  {
    title: 'Premium',
    description: 'For DJs who play every weekend.',
    features: features('Everything in Standard', 'Support within 24 hours'),
    monthly_downloads: null,
    has_top20_packs: true,

    price_minor: 2499,
    trial_price_minor: 499,
    is_premium: true,
  },
]

const COUPONS = [
  { code: 'WELCOME20', percent: 20, payments: 1 },
  { code: 'THREE5', amount_minor: 500, currency: CURRENCY, payments: 3 },
  { code: 'FRIENDS', percent: 100, payments: 1, max_uses: 5 },
  { code: 'SUMMER', percent: 50, payments: 1, ends_at: new Date('2025-09-01T00:00:00Z') },
]

const EMPTY_COUPON = { percent: null, amount_minor: null, currency: null, max_uses: null, ends_at: null }

const DJ_MONTHS_PAID = 5
const DJ_DAYS_LEFT = 12

/** When the demo's DJ subscribed: they have paid five months, and the next payment is due in twelve days. */
export const djSubscribedAt = (now: Date): Date => periodEnd(daysAfter(now, DJ_DAYS_LEFT), 'month', -DJ_MONTHS_PAID)

const djSubscription = (now: Date): DemoSubscription => ({
  ...{ plan: 'Standard', method: 'credit_card', card: { brand: 'Visa', last_four: '4242' }, coupon: '' },
  ...{ started_at: djSubscribedAt(now), refunds: [] },
})

type Subscriber = { customer_id: number; subscription: DemoSubscription }
type BillingOptions = {
  subscribers: readonly Subscriber[]
  dj: number
  staff: number
  now: Date
  invoice: InvoiceSettings
}
/** A subscription of the demo, as it was added. */
type Added = Subscriber & {
  subscription_id: number
  terms: Terms
  coupon: Coupon | undefined
  history: SubscriptionHistory
}

/** The time in which each member could download, by customer_id. */
export type PaidAccess = ReadonlyMap<number, { from: Date; until: Date }>

/**
 * Adds plans, coupons, and the subscriptions with all that was paid and refunded, with an invoice or a credit note for
 * each. Sets which members can download now. Sends no emails.
 */
export async function fillBilling(sql: Sql, options: BillingOptions): Promise<PaidAccess> {
  const { subscribers, dj, staff, now, invoice } = options
  const plans = await sql<Plan[]>`
    insert into plan ${sql(PLANS.map((plan, position) => ({ ...plan, currency: CURRENCY, position })))}
    returning plan_id, title, price_minor, trial_price_minor`
  const coupons = await sql<Coupon[]>`
    insert into coupon ${sql(COUPONS.map((coupon) => ({ ...EMPTY_COUPON, ...coupon })))}
    returning coupon_id, code, percent, amount_minor, payments`
  // The DJ's comes last and is therefore first in the list of staff.
  const all = [...subscribers, { customer_id: dj, subscription: djSubscription(now) }]
  const added = await addSubscriptions(
    sql,
    all.map((subscriber) => plan(subscriber, { plans, coupons, now })),
    now,
  )
  await addMovements(sql, added, { staff, invoice })
  await addEvents(sql, added, { staff, now })
  await sql`
    update customer c set payment_profile_status = 'paid'
    where exists (select 1 from subscription s where s.customer_id = c.customer_id and s.access_until > ${now})`
  return new Map(
    added.flatMap(({ customer_id, history: { access } }) => (access ? [[customer_id, access] as const] : [])),
  )
}

type Plan = { plan_id: number; title: string; price_minor: number; trial_price_minor: number }
type Coupon = CouponTerms & { coupon_id: number; code: string }
type Planned = Omit<Added, 'subscription_id'>

function plan(
  { customer_id, subscription }: Subscriber,
  { plans, coupons, now }: { plans: readonly Plan[]; coupons: readonly Coupon[]; now: Date },
): Planned {
  const chosen = plans.find(({ title }) => title === subscription.plan)
  if (!chosen) throw new Error(`Plan ${subscription.plan} not found`)
  const coupon = coupons.find(({ code }) => code === subscription.coupon)
  const terms = termsOf({ ...chosen, currency: CURRENCY, interval: 'month' }, { isNew: true, coupon })
  return { customer_id, subscription, terms, coupon, history: generateHistory(subscription, terms, now) }
}

async function addSubscriptions(sql: Sql, planned: readonly Planned[], now: Date): Promise<Added[]> {
  const rows = await sql<{ subscription_id: number; customer_id: number }[]>`
    insert into subscription ${sql(planned.map((one) => toRow(sql, one, now)) as never)}
    returning subscription_id, customer_id`
  const idOf = new Map(rows.map(({ subscription_id, customer_id }) => [customer_id, subscription_id]))
  const added = planned.map((one) => ({ ...one, subscription_id: idOf.get(one.customer_id) ?? 0 }))
  const accounts = added.map(({ customer_id, subscription_id, subscription }) => ({
    ...{ ref: refOf(customer_id), behaviour: behaviourFor(subscription) },
    ...{ brand: subscription.card.brand, last_four: subscription.card.last_four },
    ...{ expires_on: cardEnd(subscription, now), approval: subscription.method === 'paypal' ? 'approved' : 'none' },
    ...{ checkout: sql.json({ subscription_id }), created_at: subscription.started_at },
  }))
  await sql`insert into sandbox_account ${sql(accounts as never)}`
  const uses = added.flatMap(({ coupon, customer_id, subscription_id, subscription: { started_at: at } }) =>
    coupon ? [{ coupon_id: coupon.coupon_id, customer_id, subscription_id, at }] : [],
  )
  if (uses.length > 0) await sql`insert into coupon_use ${sql(uses)}`
  return added
}

/** The sandbox's name of a member's account. */
const refOf = (customerId: number): string => `sandbox-demo-${customerId}`

function toRow(sql: Sql, { customer_id, subscription, terms, coupon, history }: Planned, now: Date) {
  const { method, card, started_at, cancelled_at, ended } = subscription
  const { state, charges, is_cancelled, has_ended, is_abandoned, next_check_at } = history
  const { plan_id, price_minor, first_price_minor, currency, interval } = terms
  const [first] = charges
  return {
    ...{ customer_id, plan_id, gateway: 'sandbox', gateway_ref: refOf(customer_id), method },
    ...{ card_brand: card.brand, card_last_four: card.last_four, card_expires_on: cardEnd(subscription, now) },
    ...{ price_minor, first_price_minor, currency, interval, is_trial: first?.is_trial ?? false },
    coupon_id: coupon?.coupon_id ?? null,
    coupon_terms: coupon ? sql.json(couponTerms(coupon)) : null,
    checkout_ends_at: daysAfter(started_at, CHECKOUT_MINUTES / (24 * 60)),
    ...{ is_cancelled, has_ended, is_abandoned, cancelled_as_of: cancelled_at ?? ended?.at ?? null },
    ...{ ended_at: ended?.at ?? null, failure_reason: is_abandoned ? (first?.failure_reason ?? '') : '' },
    ...{ status: state.status, paid_since: firstPaidAt(charges), paid_until: state.paid_until },
    ...{ access_until: state.access_until, next_check_at },
    created_at: started_at,
  }
}

const couponTerms = ({ percent, amount_minor, payments }: CouponTerms): CouponTerms => ({
  percent,
  amount_minor,
  payments,
})

/** Two years from now, at the end of the month; null without a card. */
const cardEnd = ({ card }: DemoSubscription, now: Date): string | null =>
  card.last_four === ''
    ? null
    : new Date(Date.UTC(now.getUTCFullYear() + 2, now.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)

const chargeRef = ({ subscription_id }: Added, n: number): string => `sandbox-${subscription_id}-${n}`

/** A payment or refund in the ledger. */
type Movement = { customer_id: number; charge_id: number; refund_id: number | null; amount_minor: number; at: Date }

/** Adds payments, refunds, their ledger entries and their invoices, all in the order in which they happened. */
async function addMovements(
  sql: Sql,
  added: readonly Added[],
  { staff, invoice }: { staff: number; invoice: InvoiceSettings },
): Promise<void> {
  const charges = added
    .flatMap((one) => one.history.charges.map((charge) => ({ one, ...charge })))
    .sort((a, b) => a.period_start.getTime() - b.period_start.getTime())
  const rows = await sql<{ charge_id: number; gateway_ref: string }[]>`
    insert into charge ${sql(charges.map(({ one, n, is_void: _, ...charge }) => toChargeRow(one, n, charge)))}
    returning charge_id, gateway_ref`
  const idOf = new Map(rows.map(({ charge_id, gateway_ref }) => [gateway_ref, charge_id]))
  const payments = charges.flatMap(({ one, n, status, amount_minor, period_start: at }): Movement[] => {
    const { customer_id } = one
    const charge_id = idOf.get(chargeRef(one, n)) ?? 0
    return status === 'paid' ? [{ customer_id, charge_id, refund_id: null, amount_minor, at }] : []
  })
  const refunds = await addRefunds(sql, added, { staff, idOf })
  const movements = [...payments, ...refunds].sort((a, b) => a.at.getTime() - b.at.getTime())
  await sql`insert into ledger ${sql(movements.map((movement) => ({ ...movement, currency: CURRENCY })))}`
  for (const { charge_id, refund_id, at } of movements) {
    await (refund_id === null
      ? issueInvoice(sql, invoice, charge_id, at)
      : issueCreditNote(sql, invoice, refund_id, at))
  }
  await sql`update invoice set mailed_at = issued_at where mailed_at is null`
}

type ChargeValues = Omit<SubscriptionHistory['charges'][number], 'n' | 'is_void'>

const toChargeRow = (one: Added, n: number, charge: ChargeValues) => ({
  ...{ subscription_id: one.subscription_id, customer_id: one.customer_id, plan_id: one.terms.plan_id },
  ...{ gateway: 'sandbox', gateway_ref: chargeRef(one, n), currency: CURRENCY, method: one.subscription.method },
  paid_with: `${one.subscription.card.brand} ${one.subscription.card.last_four}`.trim(),
  ...charge,
  at: charge.period_start,
})

async function addRefunds(
  sql: Sql,
  added: readonly Added[],
  { staff, idOf }: { staff: number; idOf: ReadonlyMap<string, number> },
): Promise<Movement[]> {
  const refunds = added
    .flatMap((one) =>
      one.history.refunds.map(({ n, ...refund }) => ({ charge_id: idOf.get(chargeRef(one, n)) ?? 0, one, refund })),
    )
    .sort((a, b) => a.refund.at.getTime() - b.refund.at.getTime())
  if (refunds.length === 0) return []
  const rows = refunds.map(({ charge_id, refund }) => ({
    ...{ charge_id, gateway: 'sandbox', gateway_ref: `refund-${charge_id}-0-${refund.amount_minor}`, staff_id: staff },
    ...refund,
  }))
  const inserted = await sql<{ refund_id: number; charge_id: number }[]>`
    insert into refund ${sql(rows)} returning refund_id, charge_id`
  return refunds.map(({ charge_id, one: { customer_id }, refund: { amount_minor, at } }) => ({
    ...{ customer_id, charge_id, amount_minor: -amount_minor, at },
    refund_id: inserted.find((row) => row.charge_id === charge_id)?.refund_id ?? 0,
  }))
}

async function addEvents(
  sql: Sql,
  added: readonly Added[],
  { staff, now }: { staff: number; now: Date },
): Promise<void> {
  const rows = added.flatMap((one) =>
    eventsOf(one.subscription, one.history, { refOf: (n) => chargeRef(one, n), now }).map(
      ({ isByStaff, ...event }) => ({
        ...{ subscription_id: one.subscription_id, staff_id: isByStaff ? staff : null },
        ...event,
      }),
    ),
  )
  await sql`insert into subscription_event ${sql(rows)}`
}
