import { billing } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCharge, aRefund, SELLER } from '../../test/billing-makers.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { openHistoryId } from './billing-history.ts'
import { issueCreditNote, issueInvoice } from './invoices.ts'

let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool()
})
beforeEach(async () => {
  member = await aMember(pool.ctx)
})
afterAll(() => pool.close())

const on = (day: string) => new Date(`${day}T10:00:00Z`)
const history = (input: Parameters<typeof pool.ask<typeof billing.getBilling>>[1] = {}) =>
  pool.ask(billing.getBilling, input, member.token)
const charge = (overrides: Partial<Parameters<typeof aCharge>[1]> = {}) =>
  aCharge(pool.ctx, { customer_id: member.customer_id, ...overrides })
const issue = (chargeId: number) => pool.ctx.sql.begin((sql) => issueInvoice(sql, SELLER, chargeId, pool.ctx.now()))

test('lists payments, failed payments and refunds, with their invoices', async () => {
  const { sql } = pool.ctx
  const paid = await charge({ at: on('2026-09-01') })
  const whole = await charge({ at: on('2026-10-01'), paid_with: '' })
  const part = await charge({ at: on('2026-11-01') })
  await charge({ at: on('2026-11-02'), status: 'failed' })
  await charge({ at: on('2026-11-03'), status: 'started' })
  const invoice = await issue(paid)
  await aRefund(pool.ctx, { charge_id: whole, amount_minor: 1999, at: on('2026-10-05') })
  const refund_id = await aRefund(pool.ctx, { charge_id: part, amount_minor: 500, at: on('2026-11-05') })
  const note = await sql.begin((sql) => issueCreditNote(sql, SELLER, refund_id, pool.ctx.now()))
  const { billing_history, pagination } = await history()
  const entries = billing_history.map(({ payment_date, status, amount, invoice_number }) => [
    payment_date.slice(0, 10),
    status,
    amount,
    invoice_number,
  ])
  expect(entries).toEqual([
    ['2026-11-05', 'credit_note', '-5.00', note.number],
    ['2026-11-02', 'failed', '19.99', null],
    ['2026-11-01', 'partly_refunded', '19.99', expect.any(String)],
    ['2026-10-05', 'credit_note', '-19.99', null],
    ['2026-10-01', 'refunded', '19.99', null],
    ['2026-09-01', 'paid', '19.99', invoice.number],
  ])
  expect(pagination).toEqual({ page: 1, perPageLimit: 10, totalCount: 6 })
  expect(billing_history[0]).toMatchObject({
    plan_name: 'Club plan',
    currency: 'EUR',
    payment_method: 'Visa ending 4242',
  })
  expect(billing_history[4]?.payment_method).toBe('Card')
  const ids = billing_history.map(({ history_id }) => history_id)
  expect(new Set(ids).size).toBe(6)
  expect(ids.map(openHistoryId).filter((one) => one.refund_id === refund_id)).toHaveLength(1)
  expect(ids.map(openHistoryId).filter((one) => one.charge_id === part)).toHaveLength(1)
})

test('a member only sees their own history', async () => {
  const other = await aMember(pool.ctx)
  await aCharge(pool.ctx, { customer_id: other.customer_id })
  expect((await history()).billing_history).toEqual([])
})

test('has ten entries per page and returns the total number', async () => {
  for (let n = 1; n <= 12; n++) await charge({ at: on(`2026-10-${String(n).padStart(2, '0')}`), amount_minor: n * 100 })
  const amounts = async (input: Parameters<typeof history>[0]) =>
    (await history(input)).billing_history.map(({ amount }) => Number(amount))
  expect(await amounts({})).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  expect(await amounts({ page: 2 })).toEqual([2, 1])
  expect(await amounts({ page: 2, order: 'payment_date', orderDir: 'ASC' })).toEqual([11, 12])
  expect((await history({ page: 9 })).pagination).toEqual({ page: 9, perPageLimit: 10, totalCount: 12 })
})

test('orders amounts as numbers, with refunds below payments', async () => {
  const charge_id = await charge({ amount_minor: 900 })
  await charge({ amount_minor: 10_000 })
  await aRefund(pool.ctx, { charge_id, amount_minor: 100 })
  const { billing_history } = await history({ order: 'amount', orderDir: 'ASC' })
  expect(billing_history.map(({ amount }) => amount)).toEqual(['-1.00', '9.00', '100.00'])
})

test('dates are whole days in UTC, the last one included', async () => {
  for (const at of [
    '2026-10-31T23:59:59.999Z',
    '2026-11-01T00:00:00Z',
    '2026-11-30T23:59:59.999Z',
    '2026-12-01T00:00:00Z',
  ]) {
    await charge({ at: new Date(at) })
  }
  const first = { day: 1, month: 11, year: 2026 }
  const last = { day: 30, month: 11, year: 2026 }
  const dates = async (input: Parameters<typeof history>[0]) =>
    (await history({ ...input, orderDir: 'ASC' })).billing_history.map(({ payment_date }) => payment_date.slice(0, 10))
  expect(await dates({ start_date: first, end_date: last })).toEqual(['2026-11-01', '2026-11-30'])
  expect(await dates({ start_date: first })).toEqual(['2026-11-01', '2026-11-30', '2026-12-01'])
  expect(await dates({ end_date: last })).toEqual(['2026-10-31', '2026-11-01', '2026-11-30'])
  const rejected = await errorOf(history({ end_date: { day: 31, month: 11, year: 2026 } }))
  expect(rejected).toMatchObject({ code: 'invalid_request', message: '31/11/2026 isn’t a valid date.' })
})
