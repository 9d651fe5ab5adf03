import { account, billing, checkout, downloads, notices, payments } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import {
  aCoupon,
  advanceDays,
  aPlan,
  CARDS,
  cardForm,
  countPaidDays,
  payByCard,
  readAgreement,
  readBooks,
  remainingValue,
} from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { refundDuplicates } from './refunds.ts'
import { processDueSubscriptions, processSubscription } from './renewals.ts'

let pool: TestPool
let [standard, premium] = [0, 0]
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  standard = await aPlan(pool.ctx, { title: 'Standard', price_minor: 1500 })
  premium = await aPlan(pool.ctx, { title: 'Premium', price_minor: 3000, is_premium: true })
})
afterAll(() => pool.close())

async function aSubscriber(card = CARDS.pays, coupon = '') {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const { profile_id } = await payByCard(pool, member.token, { plan: standard, card, coupon })
  return { ...member, subscription_id: profile_id ?? 0 }
}
type Subscriber = Awaited<ReturnType<typeof aSubscriber>>

const passDays = ({ customer_id }: Subscriber, days: number) => advanceDays(pool, customer_id, days)
const books = ({ customer_id }: Subscriber) => readBooks(pool.ctx, customer_id)
const lettersTo = async ({ email }: Subscriber) =>
  (
    await pool.ctx.sql<{ subject: string }[]>`
      select subject from outgoing_mail where to_address = ${email} order by mail_id`
  ).map(({ subject }) => subject)
const aStaff = () => aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })
const lastChargeOf = async ({ customer_id }: Subscriber): Promise<number> => {
  const [charge] = await pool.ctx.sql<{ charge_id: number }[]>`
    select charge_id from charge where customer_id = ${customer_id} order by period_start desc, charge_id desc limit 1`
  return charge?.charge_id ?? 0
}

test('renews by itself each month, with an email before and an invoice after', async () => {
  const member = await aSubscriber()
  await passDays(member, 29)
  expect(await lettersTo(member)).toEqual(['Your next Dubplate payment'])
  await passDays(member, 34)
  expect(await books(member)).toMatchObject({ access: 'paid', ledger: 4500, invoices: 3, charged: 4500 })
  expect((await books(member)).charges.map(({ reason }) => reason)).toEqual(['first', 'renewal', 'renewal'])
})

test('keeps access for three days after a failed renewal, retries, and ends after two weeks', async () => {
  const member = await aSubscriber(CARDS.failsOnRenewal)
  await passDays(member, (await countPaidDays(pool)) + 1)
  const agreement = await readAgreement(pool, member.token)
  expect(agreement).toMatchObject({ profile_status: 'Past due', failure_reason: 'Your card was declined.' })
  expect((await books(member)).access).toBe('paid')
  await passDays(member, 3)
  expect((await books(member)).access).toBe('unpaid')
  const { versionIds } = await aSong(pool.ctx)
  const download = pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, member.token)
  expect(await errorOf(download)).toMatchObject({ code: 'subscription_required' })
  await passDays(member, 14)
  expect(await readAgreement(pool, member.token)).toMatchObject({ profile_status: 'Ended' })
  expect(await books(member)).toMatchObject({ ledger: 1500, invoices: 1 })
  const tries = await pool.ctx.sql`
    select 1 from subscription_event where subscription_id = ${member.subscription_id} and kind = 'attempt'`
  expect(tries.length).toBe(5)
  expect(await lettersTo(member)).toEqual([
    'Your next Dubplate payment',
    ...Array(5).fill('Your Dubplate payment failed'),
    'Your Dubplate subscription has ended',
  ])
})

test('shows a notification of a failed payment until it is opened or paid, and one of the end', async () => {
  const [dueMember, payingMember] = [await aSubscriber(CARDS.failsOnRenewal), await aSubscriber(CARDS.failsOnRenewal)]
  const newest = async ({ token }: Subscriber) => (await pool.ask(notices.getNotices, {}, token)).notices[0]
  const unread = async ({ token }: Subscriber) => (await pool.ask(notices.countUnread, {}, token)).unread
  for (const member of [dueMember, payingMember]) {
    await passDays(member, 32)
    expect(await newest(member)).toMatchObject({
      kind: 'payment',
      text: 'We couldn’t charge 15.00 USD for Standard. Update your payment details.',
      address: '/account/manage-subscription',
    })
    expect(await unread(member)).toBe(1)
  }
  await pool.ask(billing.updateCard, { formData: cardForm(CARDS.pays) }, payingMember.token)
  expect(await unread(payingMember)).toBe(0)
  await readAgreement(pool, dueMember.token)
  expect(await unread(dueMember)).toBe(0)
  await passDays(dueMember, 17)
  expect(await newest(dueMember)).toMatchObject({
    text: 'Your Standard subscription has ended.',
    address: '/subscription/plans',
  })
})

test('charges a new card at once for the failed payment, for the period that was due', async () => {
  const member = await aSubscriber(CARDS.failsOnRenewal)
  await passDays(member, 36)
  expect((await books(member)).access).toBe('unpaid')
  const { agreement } = await pool.ask(billing.updateCard, { formData: cardForm(CARDS.pays) }, member.token)
  expect(agreement).toMatchObject({ profile_status: 'Active', payment_method: { last_four: '4242' } })
  expect(await books(member)).toMatchObject({ access: 'paid', ledger: 3000, invoices: 2 })
})

test('keeps a cancelled subscription until the end of the paid period, and allows resuming it until then', async () => {
  const member = await aSubscriber()
  const cancelled = await pool.ask(billing.cancelBilling, {}, member.token)
  expect(cancelled.profile_status).toBe('Cancelled')
  expect((await books(member)).access).toBe('paid')
  expect((await pool.ask(billing.resumeBilling, {}, member.token)).agreement.profile_status).toBe('Active')
  await pool.ask(billing.cancelBilling, {}, member.token)
  await passDays(member, 40)
  expect(await readAgreement(pool, member.token)).toMatchObject({ profile_status: 'Ended', next_payment_date: null })
  expect(await books(member)).toMatchObject({ access: 'unpaid', ledger: 1500 })
  expect(await errorOf(pool.ask(billing.resumeBilling, {}, member.token))).toMatchObject({
    code: 'no_active_subscription',
  })
  expect(await payByCard(pool, member.token, { plan: standard })).toMatchObject({ status: true })
  expect(await lettersTo(member)).toContain('Your Dubplate subscription is cancelled')
})

test('charges a past-due member who cancels nothing more, and lets them subscribe again', async () => {
  const member = await aSubscriber(CARDS.failsOnRenewal)
  await passDays(member, 33)
  expect(await pool.ask(billing.cancelBilling, {}, member.token)).toMatchObject({ profile_status: 'Ended' })
  await passDays(member, 10)
  expect((await books(member)).ledger).toBe(1500)
  expect(await payByCard(pool, member.token, { plan: premium })).toMatchObject({ status: true })
})

test('saves the reason a member gives for leaving', async () => {
  const member = await aSubscriber()
  await pool.ask(billing.cancelFeedback, { message: ' Too few cumbias. ' }, member.token)
  const [kept] = await pool.ctx.sql`select message from cancel_feedback where customer_id = ${member.customer_id}`
  expect(kept).toEqual({ message: 'Too few cumbias.' })
})

test('charges a more expensive plan for the rest of the period now, and in full from the next', async () => {
  const member = await aSubscriber()
  await passDays(member, 15)
  const quoted = await pool.ask(billing.quotePlanChange, { plan_id: premium }, member.token)
  expect(Number(quoted.due_now)).toBeCloseTo(await remainingValue(pool, 15, 15), 1)
  const { agreement } = await pool.ask(billing.changePlan, { plan_id: premium, due_now: quoted.due_now }, member.token)
  expect(agreement).toMatchObject({ subscription_title: 'Premium', plan_price: '30.00', next_plan_id: null })
  const due = Math.round(Number(quoted.due_now) * 100)
  expect(await books(member)).toMatchObject({ ledger: 1500 + due, invoices: 2 })
  await passDays(member, 20)
  expect(await books(member)).toMatchObject({ ledger: 1500 + due + 3000, invoices: 3 })
})

test('changes nothing when the payment for a more expensive plan fails', async () => {
  const member = await aSubscriber(CARDS.failsOnRenewal)
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: premium }, member.token)
  const change = pool.ask(billing.changePlan, { plan_id: premium, due_now }, member.token)
  expect(await errorOf(change)).toMatchObject({ status: 402, code: 'payment_declined' })
  const agreement = await readAgreement(pool, member.token)
  expect(agreement).toMatchObject({ subscription_title: 'Standard', next_plan_id: null, profile_status: 'Active' })
})

test('charges nothing for a cheaper plan now, and less from the next period', async () => {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  await payByCard(pool, member.token, { plan: premium })
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: standard }, member.token)
  expect(due_now).toBe('0.00')
  const { agreement } = await pool.ask(billing.changePlan, { plan_id: standard, due_now }, member.token)
  expect(agreement).toMatchObject({ subscription_title: 'Premium', next_plan_id: standard, next_amount: '15.00' })
  await advanceDays(pool, member.customer_id, 35)
  expect(await readAgreement(pool, member.token)).toMatchObject({ subscription_title: 'Standard', next_plan_id: null })
  expect(await readBooks(pool.ctx, member.customer_id)).toMatchObject({ ledger: 4500 })
})

test('shows a changed quote again instead of charging it', async () => {
  const member = await aSubscriber()
  const change = pool.ask(billing.changePlan, { plan_id: premium, due_now: '1.00' }, member.token)
  expect(await errorOf(change)).toMatchObject({ status: 409, code: 'quote_changed' })
  const same = pool.ask(billing.quotePlanChange, { plan_id: standard }, member.token)
  expect(await errorOf(same)).toMatchObject({ code: 'already_on_plan' })
})

test('applies a coupon for three payments to three', async () => {
  const member = await aSubscriber(CARDS.pays, await aCoupon(pool.ctx, { amount_minor: 500, payments: 3 }))
  await passDays(member, 100)
  expect((await books(member)).charges.map(({ amount_minor }) => amount_minor)).toEqual([1000, 1000, 1000, 1500])
})

test('ends the subscription and removes access on a full refund, which is in the books once', async () => {
  const [member, staff] = [await aSubscriber(), await aStaff()]
  const charge_id = await lastChargeOf(member)
  const refund = () => pool.ask(payments.refundPayment, { charge_id, reason: 'Wrong plan' }, staff.token)
  const both = await Promise.allSettled([refund(), refund()])
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(await books(member)).toMatchObject({ access: 'unpaid', ledger: 0, invoiced: 0, refunded: 1500, invoices: 1 })
  expect(await errorOf(refund())).toMatchObject({ code: 'refund_exceeds_charge' })
  expect(await readAgreement(pool, member.token)).toMatchObject({ profile_status: 'Ended' })
  await passDays(member, 60)
  expect((await books(member)).ledger).toBe(0)
})

test('keeps access on a partial refund, and returns no more than was paid', async () => {
  const [member, staff] = [await aSubscriber(), await aStaff()]
  const charge_id = await lastChargeOf(member)
  const refund = (amount: string) => pool.ask(payments.refundPayment, { charge_id, amount }, staff.token)
  expect((await refund('5.00')).payment).toMatchObject({ status: 'partly_refunded', refunded: '5.00' })
  expect(await errorOf(refund('10.01'))).toMatchObject({ code: 'refund_exceeds_charge' })
  expect(await books(member)).toMatchObject({ access: 'paid', ledger: 1000, invoiced: 1000 })
  await pool.ask(payments.refundPayment, { charge_id }, staff.token)
  await passDays(member, 40)
  expect(await books(member)).toMatchObject({ access: 'unpaid', ledger: 0, invoiced: 0 })
  expect(await readAgreement(pool, member.token)).toMatchObject({ profile_status: 'Ended' })
})

test('charges a renewal once with eight workers at the same time', async () => {
  const member = await aSubscriber()
  await pool.ctx.sql`
    insert into sandbox_clock (customer_id, ahead_seconds) values (${member.customer_id}, ${32 * 86_400})`
  await Promise.all(Array.from({ length: 8 }, () => processSubscription(pool.ctx, member.subscription_id)))
  expect(await books(member)).toMatchObject({ ledger: 3000, charged: 3000, invoices: 2 })
})

test('completes a renewal whose worker ended between charging and recording it', async () => {
  const member = await aSubscriber()
  await pool.ctx.sql`
    insert into sandbox_clock (customer_id, ahead_seconds) values (${member.customer_id}, ${32 * 86_400})`
  const sandbox = pool.ctx.gateways.get('sandbox')
  const failingGateway = {
    ...sandbox,
    charge: async (...order: Parameters<NonNullable<NonNullable<typeof sandbox>['charge']>>) => {
      await sandbox?.charge?.(...order)
      throw new Error('The process ended.')
    },
  }
  const gateways = new Map([['sandbox', failingGateway]]) as unknown as typeof pool.ctx.gateways
  await expect(processSubscription({ ...pool.ctx, gateways }, member.subscription_id)).rejects.toThrow(
    'The process ended.',
  )
  expect((await books(member)).ledger).toBe(1500)
  while (await processDueSubscriptions(pool.ctx));
  expect(await books(member)).toMatchObject({ ledger: 3000, invoices: 2 })
  const charged = await pool.ctx.sql`
    select 1 from sandbox_charge where account_ref = (
      select gateway_ref from subscription where subscription_id = ${member.subscription_id})`
  expect(charged.length).toBe(2)
})

test('refunds a double payment', async () => {
  const { ctx } = pool
  const member = await aMember(ctx, { payment_profile_status: 'unpaid' })
  const left = await pool.ask(checkout.payByPaypal, { subscription: standard }, member.token)
  await payByCard(pool, member.token, { plan: standard })
  const [first] = await ctx.sql<{ gateway_ref: string }[]>`
    select gateway_ref from subscription where subscription_id = ${left.profile_id}`
  const { payApproved, readAccount } = await import('../gateways/sandbox.ts')
  const { applyEvents } = await import('./ledger.ts')
  const account = await readAccount(ctx.sql, first?.gateway_ref ?? '')
  if (!account) throw new Error('no account')
  await applyEvents(ctx, 'sandbox', await payApproved(ctx.sql, account, ctx.now()))
  expect(await readBooks(ctx, member.customer_id)).toMatchObject({ ledger: 3000, access: 'paid' })
  await refundDuplicates(ctx)
  await refundDuplicates(ctx)
  expect(await readBooks(ctx, member.customer_id)).toMatchObject({ ledger: 1500, refunded: 1500, access: 'paid' })
})

test('charges a deleted account nothing more, and keeps the books', async () => {
  const password = 'a good long password'
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid', password })
  await payByCard(pool, member.token, { plan: standard })
  await pool.ask(account.deleteAccount, { password }, member.token)
  await advanceDays(pool, member.customer_id, 40)
  expect(await readBooks(pool.ctx, member.customer_id)).toMatchObject({ ledger: 1500, invoices: 1, access: 'unpaid' })
})

test('leaves members admitted without a plan as they are', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  expect(await readAgreement(pool, token)).toBeNull()
  await advanceDays(pool, customer_id, 1)
  expect((await readBooks(pool.ctx, customer_id)).access).toBe('paid')
})
