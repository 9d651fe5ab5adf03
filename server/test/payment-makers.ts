import { billing, checkout, type planFeatures } from '@dubplate/contract'
import type { AppContext } from '../src/app-context.ts'
import { applyEvents } from '../src/billing/ledger.ts'
import { moveClock } from '../src/billing/staff-payments.ts'
import type { TestPool } from './pool.ts'

/** Helpers for tests about payments. */

type PlanOverrides = Partial<planFeatures.StoredPlanFeatures> & {
  title?: string
  price_minor?: number
  trial_price_minor?: number
  is_premium?: boolean
  is_published?: boolean
}

let plans = 0

export async function aPlan({ sql }: AppContext, overrides: PlanOverrides = {}): Promise<number> {
  const plan = { title: `Plan ${++plans}`, price_minor: 1499, ...overrides }
  const [added] = await sql<{ plan_id: number }[]>`insert into plan ${sql(plan)} returning plan_id`
  if (!added) throw new Error('no plan')
  return added.plan_id
}

type CouponOverrides = {
  percent?: number | null
  amount_minor?: number | null
  payments?: number | null
  max_uses?: number
  ends_at?: Date
  plan_ids?: number[]
}

let coupons = 0

export async function aCoupon({ sql }: AppContext, overrides: CouponOverrides): Promise<string> {
  const code = `COUPON${++coupons}`
  await sql`insert into coupon ${sql({ code, currency: overrides.amount_minor ? 'USD' : null, ...overrides })}`
  return code
}

export const CARDS = {
  pays: '4242 4242 4242 4242',
  declines: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  expired: '4000 0000 0000 0069',
  asks: '4000 0025 0000 3155',
  failsOnRenewal: '4000 0000 0000 0341',
  nobodys: '4111 1111 1111 1111',
}

export const cardForm = (card_number: string, overrides: Partial<billing.PaymentForm> = {}): billing.PaymentForm => ({
  ...{ cardholder_name: 'Ada Mix', card_number, card_type: 'Visa', expire_date: '12/30', ccv: '123', ...overrides },
})

type CardPayment = { plan: number; card?: string; coupon?: string }

/** Pays by card, in one step. */
export const payByCard = (pool: TestPool, token: string, { plan, card = CARDS.pays, coupon = '' }: CardPayment) =>
  pool.ask(checkout.payByCard, { formData: cardForm(card), coupon, subscription: plan }, token)

/** Advances the clock of one member by days, one after the other. */
export const advanceDays = ({ ctx }: TestPool, customer_id: number, days: number) =>
  moveClock(ctx, { customer_id, days })

/** The days of the currently paid month: 28 to 31. */
export async function countPaidDays({ ctx }: TestPool): Promise<number> {
  const [month] = await ctx.sql<{ days: number }[]>`
    select extract(day from now() + interval '1 month' - now())::int as days`
  return month?.days ?? 0
}

/** The remaining value of a month's price after this many days. */
export const remainingValue = async (pool: TestPool, price: number, daysElapsed: number): Promise<number> =>
  price * (1 - daysElapsed / (await countPaidDays(pool)))

export const readAgreement = async (pool: TestPool, token: string) =>
  (await pool.ask(billing.getAgreement, {}, token)).agreement

/** A member's access, charges, invoices and ledger. */
export async function readBooks({ sql }: AppContext, customerId: number) {
  const [member] = await sql<{ payment_profile_status: string }[]>`
    select payment_profile_status from customer where customer_id = ${customerId}`
  const charges = await sql<{ status: string; amount_minor: number; reason: string }[]>`
    select status, amount_minor, reason from charge where customer_id = ${customerId} order by period_start, charge_id`
  const [sums] = await sql<{ ledger: number; charged: number; refunded: number; invoiced: number; invoices: number }[]>`
    select (select coalesce(sum(amount_minor), 0)::int from ledger where customer_id = ${customerId}) as ledger,
      (select coalesce(sum(amount_minor), 0)::int from charge where customer_id = ${customerId} and status = 'paid') as charged,
      (select coalesce(sum(r.amount_minor), 0)::int from refund r join charge c using (charge_id)
        where c.customer_id = ${customerId}) as refunded,
      (select coalesce(sum(total_minor), 0)::int from invoice where customer_id = ${customerId}) as invoiced,
      (select count(*)::int from invoice where customer_id = ${customerId} and kind = 'invoice') as invoices`
  return { access: member?.payment_profile_status, charges: [...charges], ...sums }
}

export { applyEvents }
