import { checkout, payments, staff as staffCalls } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan, readAgreement, readBooks } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { readConfig } from '../platform/config.ts'
import { processSubscription } from './renewals.ts'

const read = readConfig({ SECRET: 'x'.repeat(32) })
const config = { payments: { ...read.payments, gateways: ['manual' as const], transferInstructions: 'IBAN DE00 1234' } }

let pool: TestPool
let plan = 0
let staff = ''
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true, config })
  plan = await aPlan(pool.ctx, { title: 'Standard', price_minor: 1500 })
  staff = (await aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })).token
})
afterAll(() => pool.close())

async function makeOrder() {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const ordered = await pool.ask(checkout.payByTransfer, { subscription: plan }, member.token)
  return { ...member, ...ordered }
}
const markPaid = (subscription_id: number) => pool.ask(payments.markPaid, { subscription_id }, staff)
const inDays = (days: number) => ({ ...pool.ctx, now: () => new Date(Date.now() + days * 86_400_000) })

test('orders a transfer with its reference, and gives no access before staff mark it as received', async () => {
  const order = await makeOrder()
  expect(order).toMatchObject({ reference: expect.stringMatching(/^DUB-\d{6}$/), instructions: 'IBAN DE00 1234' })
  expect((await readBooks(pool.ctx, order.customer_id)).access).toBe('unpaid')
  const { payments: waiting, counts } = await pool.ask(payments.getPayments, { state: 'waiting' }, staff)
  expect(waiting.map(({ subscription_id }) => subscription_id)).toContain(order.profile_id)
  const dashboard = await pool.ask(staffCalls.getDashboard, {}, staff)
  expect(dashboard.transfers_waiting).toBe(counts.waiting)
  expect(counts.waiting).toBe(1)
  const [email] = await pool.ctx.sql<{ body: string }[]>`
    select body from outgoing_mail where to_address = ${order.email}`
  expect(email?.body).toContain(order.reference)
  expect((await markPaid(order.profile_id)).payment).toMatchObject({ status: 'paid', amount: '15.00' })
  expect(await readBooks(pool.ctx, order.customer_id)).toMatchObject({ access: 'paid', ledger: 1500, invoices: 1 })
})

test('counts a transfer once when it is marked twice at the same time', async () => {
  const order = await makeOrder()
  await Promise.allSettled(Array.from({ length: 4 }, () => markPaid(order.profile_id)))
  expect(await readBooks(pool.ctx, order.customer_id)).toMatchObject({ ledger: 1500, invoices: 1 })
  expect(await errorOf(markPaid(order.profile_id))).toMatchObject({ code: 'no_payment_due' })
})

test('asks for the next period by email, allows a grace period, and ends when nothing is paid', async () => {
  const order = await makeOrder()
  await markPaid(order.profile_id)
  await processSubscription(inDays(29), order.profile_id)
  const subjects = await pool.ctx.sql<{ subject: string; body: string }[]>`
    select subject, body from outgoing_mail where to_address = ${order.email} order by mail_id desc limit 1`
  expect(subjects[0]?.body).toContain(order.reference)
  await processSubscription(inDays(32), order.profile_id)
  expect((await readBooks(pool.ctx, order.customer_id)).access).toBe('paid')
  await processSubscription(inDays(36), order.profile_id)
  expect((await readBooks(pool.ctx, order.customer_id)).access).toBe('unpaid')
  await processSubscription(inDays(50), order.profile_id)
  expect(await readAgreement(pool, order.token)).toMatchObject({ profile_status: 'Ended' })
})

test('deletes an unpaid order after two weeks, and allows another one', async () => {
  const order = await makeOrder()
  await processSubscription(inDays(15), order.profile_id)
  expect(await readAgreement(pool, order.token)).toBeNull()
  expect(await pool.ask(checkout.payByTransfer, { subscription: plan }, order.token)).toMatchObject({ status: true })
})

test('lets only staff with access to payments see and mark transfers', async () => {
  const [{ token }, order] = [await aMember(pool.ctx, { staff_role: 'curator', group_id: 4 }), await makeOrder()]
  const marked = pool.ask(payments.markPaid, { subscription_id: order.profile_id }, token)
  expect(await errorOf(marked)).toMatchObject({ status: 403, code: 'insufficient_role' })
})

test('records what staff did with payments in the audit log, without personal data of the member', async () => {
  const order = await makeOrder()
  const { payment } = await markPaid(order.profile_id)
  await pool.ask(payments.refundPayment, { charge_id: payment.charge_id ?? 0, reason: 'Paid by mistake' }, staff)
  const auditEntries = await pool.ctx.sql<{ action: string }[]>`
    select action from audit where subject in (${`subscription ${order.profile_id}`}, ${`charge ${payment.charge_id}`}) order by audit_id`
  expect(auditEntries.map(({ action }) => action)).toEqual(['payment marked as paid', 'payment refunded'])
})
