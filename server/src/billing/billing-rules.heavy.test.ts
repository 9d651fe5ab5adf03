import { billing, checkout } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { advanceDays, aPlan, cardForm, payByCard, readAgreement, readBooks } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import type { Fact, Gateway, GatewayEvent } from '../gateways/gateway.ts'
import { applyEvents } from './ledger.ts'
import { refundCharge } from './refunds.ts'
import { readSubscription } from './subscriptions.ts'

/** Single rules: when an email is sent, what is not a change of plan, which of two simultaneous changes counts. */

let pool: TestPool
let [standard, premium, yearly, inEuros] = [0, 0, 0, 0]
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  const { ctx } = pool
  standard = await aPlan(ctx, { title: 'Standard', price_minor: 1500 })
  premium = await aPlan(ctx, { title: 'Premium', price_minor: 3000 })
  yearly = await aPlan(ctx, { title: 'A year', price_minor: 12000 })
  inEuros = await aPlan(ctx, { title: 'In euros', price_minor: 3000 })
  await ctx.sql`update plan set interval = 'year' where plan_id = ${yearly}`
  await ctx.sql`update plan set currency = 'EUR' where plan_id = ${inEuros}`
})
afterAll(() => pool.close())

const aVisitor = () => aMember(pool.ctx, { payment_profile_status: 'unpaid' })
const emailsTo = async (email: string) =>
  (await pool.ctx.sql<{ subject: string }[]>`select subject from outgoing_mail where to_address = ${email}`).map(
    ({ subject }) => subject,
  )

test('removes anything executable from a plan’s description', async () => {
  await pool.ctx.sql`
    update plan set features = '<ul><li onclick="x()">MP3 320</li></ul><script>x()</script>' where plan_id = ${standard}`
  const { plans } = await pool.ask(billing.getPlans, {})
  expect(plans.find(({ id }) => id === standard)?.features).toBe('<ul><li>MP3 320</li></ul>')
})

test('notifies members who pay by the year two weeks before the payment, not earlier', async () => {
  const { token, customer_id, email } = await aVisitor()
  await payByCard(pool, token, { plan: yearly })
  await advanceDays(pool, customer_id, 345)
  expect(await emailsTo(email)).toEqual([])
  await advanceDays(pool, customer_id, 10)
  expect(await emailsTo(email)).toEqual(['Your next Dubplate payment'])
})

test('notifies a member whose card expires before the next payment', async () => {
  const { token, customer_id, email } = await aVisitor()
  const soon = new Date(Date.now() + 5 * 86_400_000)
  const expire_date = `${String(soon.getUTCMonth() + 1).padStart(2, '0')}/${String(soon.getUTCFullYear()).slice(2)}`
  const formData = { ...cardForm('4242 4242 4242 4242'), expire_date }
  await pool.ask(checkout.payByCard, { formData, subscription: standard }, token)
  // The last day of its month is before the second payment at the latest.
  await advanceDays(pool, customer_id, 60)
  expect(await emailsTo(email)).toContain('Your card expires before your next Dubplate payment')
  const notices = await pool.ctx.sql`select text from notification where customer_id = ${customer_id}`
  expect(notices).toMatchObject([
    { text: 'Your card expires before the next Standard payment. Update your payment details.' },
  ])
})

test.each([
  ['a plan with another interval', () => yearly],
  ['a plan in another currency', () => inEuros],
])('does not treat %s as a change of plan', async (_what, plan) => {
  const { token } = await aVisitor()
  await payByCard(pool, token, { plan: standard })
  const asked = pool.ask(billing.quotePlanChange, { plan_id: plan() }, token)
  expect(await errorOf(asked)).toMatchObject({ code: 'already_on_plan' })
})

test('allows no change of plan for a cancelled subscription until it is resumed', async () => {
  const { token } = await aVisitor()
  await payByCard(pool, token, { plan: standard })
  await pool.ask(billing.cancelBilling, {}, token)
  const quote = () => pool.ask(billing.quotePlanChange, { plan_id: premium }, token)
  expect(await errorOf(quote())).toMatchObject({ code: 'no_active_subscription' })
  await pool.ask(billing.resumeBilling, {}, token)
  expect(Number((await quote()).due_now)).toBeGreaterThan(14)
})

let n = 0
const event = (subscription_id: number, facts: Fact[], at = new Date()): GatewayEvent => ({
  ...{ event_id: `evt_small_${++n}`, at, gateway_ref: `sub_small_${subscription_id}`, subscription_id, facts },
})

/** A member with a period that was paid through an external provider. */
async function aSubscriberElsewhere() {
  const { sql } = pool.ctx
  const { customer_id, token } = await aVisitor()
  const terms = { price_minor: 1500, first_price_minor: 1500, currency: 'USD', interval: 'month' }
  const waiting = {
    gateway: 'stripe',
    method: 'credit_card',
    checkout_ends_at: new Date(Date.now() + 3_600_000),
    ...terms,
  }
  const [added] = await sql<{ subscription_id: number }[]>`
    insert into subscription ${sql({ customer_id, plan_id: standard, ...waiting })} returning subscription_id`
  const subscription_id = added?.subscription_id ?? 0
  const paid: Fact = {
    ...{ kind: 'charge', charge_ref: `in_small_${subscription_id}`, status: 'paid', reason: 'first', currency: 'USD' },
    ...{
      amount_minor: 1500,
      discount_minor: 0,
      is_trial: false,
      failure_reason: '',
      period_start: new Date().toISOString(),
    },
    period_end: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  }
  await applyEvents(pool.ctx, 'stripe', [event(subscription_id, [paid])])
  return { customer_id, token, subscription_id }
}

test('counts the cancellation when a subscription is cancelled and resumed in the same second', async () => {
  const at = new Date('2026-11-01T10:00:00Z')
  for (const order of [
    [true, false],
    [false, true],
  ]) {
    const { subscription_id } = await aSubscriberElsewhere()
    const events = order.map((is_cancelled) => event(subscription_id, [{ kind: 'cancelled', is_cancelled }], at))
    await applyEvents(pool.ctx, 'stripe', events)
    expect(await readSubscription(pool.ctx.sql, subscription_id)).toMatchObject({ status: 'cancel_scheduled' })
  }
})

test('cancels the subscription at the provider when staff refund it in full', async () => {
  const { customer_id, subscription_id } = await aSubscriberElsewhere()
  const asked: string[] = []
  const provider = {
    ...{ name: 'stripe', methods: [], renews: 'gateway', cards: 'hosted', upgrades: 'now' },
    refund: async () => {
      asked.push('refund')
      const charge_ref = `in_small_${subscription_id}`
      return [
        event(subscription_id, [
          { kind: 'refund', refund_ref: `re_${subscription_id}`, charge_ref, amount_minor: 1500 },
        ]),
      ]
    },
    cancel: async () => {
      asked.push('cancel')
      return [event(subscription_id, [{ kind: 'cancelled', is_cancelled: true }])]
    },
  } as unknown as Gateway
  const ctx = { ...pool.ctx, gateways: new Map([['stripe' as const, provider]]) }
  const [charge] = await ctx.sql<{ charge_id: number }[]>`
    select charge_id from charge where customer_id = ${customer_id}`
  await refundCharge(ctx, { charge_id: charge?.charge_id ?? 0, amount_minor: undefined, reason: '', staff_id: null })
  expect(asked).toEqual(['refund', 'cancel'])
  expect(await readBooks(ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 0, invoiced: 0 })
})

test('ends a pending checkout when an abandoned one is paid after all', async () => {
  const { sql } = pool.ctx
  const { customer_id, token } = await aVisitor()
  const first = await pool.ask(checkout.payByPaypal, { subscription: standard }, token)
  await pool.ask(billing.cancelBilling, {}, token)
  const second = await pool.ask(checkout.payByPaypal, { subscription: premium }, token)
  const { payApproved, readAccount } = await import('../gateways/sandbox.ts')
  const left = await readSubscription(sql, first.profile_id ?? 0)
  const account = await readAccount(sql, left?.gateway_ref ?? '')
  if (!account) throw new Error('no account')
  await applyEvents(pool.ctx, 'sandbox', await payApproved(sql, account, new Date()))
  expect(await readAgreement(pool, token)).toMatchObject({ subscription_title: 'Standard', profile_status: 'Active' })
  expect(await readSubscription(sql, second.profile_id ?? 0)).toMatchObject({ status: 'failed' })
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'paid', ledger: 1500, invoices: 1 })
})
