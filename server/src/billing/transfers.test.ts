import { checkout, payments, staff as staffCalls } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { agreementOf, aPlan, booksOf } from '../../test/paying.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { readConfig } from '../platform/config.ts'
import { lookAt } from './renewals.ts'

const read = readConfig({ SECRET: 'x'.repeat(32) })
const config = { payments: { ...read.payments, gateways: ['manual' as const], transferInstructions: 'IBAN DE00 1234' } }

let pool: TestPool
let plan = 0
let staff = ''
beforeAll(async () => {
  pool = await openTestPool({ everyAskFromElsewhere: true, config })
  plan = await aPlan(pool.world, { title: 'Standard', price_minor: 1500 })
  staff = (await aMember(pool.world, { staff_role: 'billing', group_id: 4 })).token
})
afterAll(() => pool.close())

async function anOrder() {
  const member = await aMember(pool.world, { payment_profile_status: 'unpaid' })
  const ordered = await pool.ask(checkout.payByTransfer, { subscription: plan }, member.token)
  return { ...member, ...ordered }
}
const markPaid = (subscription_id: number) => pool.ask(payments.markPaid, { subscription_id }, staff)
const inDays = (days: number) => ({ ...pool.world, now: () => new Date(Date.now() + days * 86_400_000) })

test('a transfer is ordered with its reference, and opens nothing before staff say that it came', async () => {
  const order = await anOrder()
  expect(order).toMatchObject({ reference: expect.stringMatching(/^DUB-\d{6}$/), instructions: 'IBAN DE00 1234' })
  expect((await booksOf(pool.world, order.customer_id)).access).toBe('unpaid')
  const { payments: waiting, counts } = await pool.ask(payments.getPayments, { state: 'waiting' }, staff)
  expect(waiting.map(({ subscription_id }) => subscription_id)).toContain(order.profile_id)
  const desk = await pool.ask(staffCalls.getDesk, {}, staff)
  expect(desk.transfers_waiting).toBe(counts.waiting)
  expect(counts.waiting).toBe(1)
  const [letter] = await pool.world.sql<{ body: string }[]>`
    select body from outgoing_mail where to_address = ${order.email}`
  expect(letter?.body).toContain(order.reference)
  expect((await markPaid(order.profile_id)).payment).toMatchObject({ status: 'paid', amount: '15.00' })
  expect(await booksOf(pool.world, order.customer_id)).toMatchObject({ access: 'paid', ledger: 1500, invoices: 1 })
})

test('marked twice at once, a transfer has come once', async () => {
  const order = await anOrder()
  await Promise.allSettled(Array.from({ length: 4 }, () => markPaid(order.profile_id)))
  expect(await booksOf(pool.world, order.customer_id)).toMatchObject({ ledger: 1500, invoices: 1 })
  expect(await refusalOf(markPaid(order.profile_id))).toMatchObject({ code: 'no_payment_due' })
})

test('the next period is asked for by letter, waits with the grace, and ends when nothing comes', async () => {
  const order = await anOrder()
  await markPaid(order.profile_id)
  await lookAt(inDays(29), order.profile_id)
  const subjects = await pool.world.sql<{ subject: string; body: string }[]>`
    select subject, body from outgoing_mail where to_address = ${order.email} order by mail_id desc limit 1`
  expect(subjects[0]?.body).toContain(order.reference)
  await lookAt(inDays(32), order.profile_id)
  expect((await booksOf(pool.world, order.customer_id)).access).toBe('paid')
  await lookAt(inDays(36), order.profile_id)
  expect((await booksOf(pool.world, order.customer_id)).access).toBe('unpaid')
  await lookAt(inDays(50), order.profile_id)
  expect(await agreementOf(pool, order.token)).toMatchObject({ profile_status: 'Ended' })
})

test('an order that nobody pays is forgotten after two weeks, and another one may be made', async () => {
  const order = await anOrder()
  await lookAt(inDays(15), order.profile_id)
  expect(await agreementOf(pool, order.token)).toBeNull()
  expect(await pool.ask(checkout.payByTransfer, { subscription: plan }, order.token)).toMatchObject({ status: true })
})

test('only staff of payments see and mark them', async () => {
  const [{ token }, order] = [await aMember(pool.world, { staff_role: 'curator', group_id: 4 }), await anOrder()]
  const marked = pool.ask(payments.markPaid, { subscription_id: order.profile_id }, token)
  expect(await refusalOf(marked)).toMatchObject({ status: 403, code: 'insufficient_role' })
})

test('what staff did with money is in the audit, without a word about the member', async () => {
  const order = await anOrder()
  const { payment } = await markPaid(order.profile_id)
  await pool.ask(payments.refundPayment, { charge_id: payment.charge_id ?? 0, reason: 'Paid by mistake' }, staff)
  const deeds = await pool.world.sql<{ action: string }[]>`
    select action from audit where subject in (${`subscription ${order.profile_id}`}, ${`charge ${payment.charge_id}`}) order by audit_id`
  expect(deeds.map(({ action }) => action)).toEqual(['payment marked as paid', 'payment refunded'])
})
