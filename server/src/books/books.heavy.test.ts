import { readdir } from 'node:fs/promises'
import { books, type InputOf } from '@dubplate/contract'
import readExcelFile from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SELLER } from '../../test/billing-makers.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { fc, runCount } from '../../test/properties.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { applyEvents } from '../billing/ledger.ts'
import type { Fact } from '../gateways/gateway.ts'
import { readConfig } from '../platform/config.ts'
import { scratchFolder } from '../platform/scratch.ts'

let pool: TestPool
let staff = ''
beforeAll(async () => {
  const { payments } = readConfig({ SECRET: 'x'.repeat(32) })
  pool = await openTestPool({
    usesUniqueAddresses: true,
    config: { payments: { ...payments, gateways: ['manual'], invoice: SELLER } },
  })
  staff = (await aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })).token
})
afterAll(() => pool.close())

const CURRENCIES = ['EUR', 'USD', 'GBP']
const PLANS = ['Standard', 'Premium, yearly', '=cmd|calc']

let paymentCount = 0
const minorOf = (decimal: string): number => Math.round(Number(decimal) * 100)

/** Its time is the first or the last of its month (counted from 0), or in between. */
type PaymentOptions = {
  currency: number
  plan: number
  amount_minor: number
  back: number[]
  month: number
  on?: 'first' | 'last' | 'between'
}

const paymentTime = ({ month, on = 'between' }: PaymentOptions): Date => {
  if (on === 'between') return new Date(Date.UTC(2025, month, 15, 12))
  return new Date(on === 'first' ? Date.UTC(2025, month, 1) : Date.UTC(2025, month + 1, 1) - 1)
}

/** A payment with its refunds, each as its provider would report it, in its own month. */
async function pay(payment: PaymentOptions): Promise<void> {
  const { currency, plan, amount_minor, back } = payment
  const { sql } = pool.ctx
  const { customer_id } = await aMember(pool.ctx)
  await sql`update customer set firstname = '+49', lastname = 'Öz, "DJ"', country_id = 'DE' where customer_id = ${customer_id}`
  const code = CURRENCIES[currency] ?? 'EUR'
  const [row] = await sql<{ plan_id: number }[]>`
    insert into plan (title, price_minor, currency) values (${`${PLANS[plan]} ${++paymentCount}`}, 1000, ${code}) returning plan_id`
  const plan_id = row?.plan_id ?? 0
  const [subscription] = await sql<{ subscription_id: number }[]>`
    insert into subscription (customer_id, plan_id, gateway, method, price_minor, first_price_minor, currency, interval,
      checkout_ends_at)
    values (${customer_id}, ${plan_id}, 'manual', 'bank_transfer', 1000, 1000, ${code}, 'month', now() + interval '1 day')
    returning subscription_id`
  const subscription_id = subscription?.subscription_id ?? 0
  const at = paymentTime(payment)
  const ctx = { ...pool.ctx, now: () => at }
  const charge_ref = `charge-${paymentCount}`
  const applyFacts = (event_id: string, facts: Fact[]) =>
    applyEvents(ctx, 'manual', [{ event_id, at, gateway_ref: null, subscription_id, facts }])
  await applyFacts(charge_ref, [
    {
      ...{
        kind: 'charge',
        charge_ref,
        status: 'paid',
        reason: 'first',
        amount_minor,
        discount_minor: 0,
        currency: code,
      },
      ...{ is_trial: false, failure_reason: '', period_start: at.toISOString() },
      period_end: new Date(at.getTime() + 30 * 86_400_000).toISOString(),
    },
  ])
  let left = amount_minor
  for (const [n, share] of back.entries()) {
    const amount = Math.floor((left * share) / 100)
    if (amount === 0) continue
    left -= amount
    const refund_ref = `${charge_ref}-back-${n}`
    await applyFacts(refund_ref, [{ kind: 'refund', refund_ref, charge_ref, amount_minor: amount }])
  }
}

const payment = fc.record({
  currency: fc.integer({ min: 0, max: 2 }),
  plan: fc.integer({ min: 0, max: 2 }),
  amount_minor: fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.constantFrom(0, 1, 99, 999_999_999)),
  back: fc.array(fc.constantFrom(1, 33, 50, 100), { maxLength: 3 }),
  month: fc.integer({ min: 0, max: 2 }),
  on: fc.constantFrom('first' as const, 'last' as const, 'between' as const),
})

const monthOf = (month: number) => ({
  from: { year: 2025, month: month + 1, day: 1 },
  to: { year: 2025, month: month + 1, day: new Date(Date.UTC(2025, month + 1, 0)).getUTCDate() },
})
const QUARTER = { from: monthOf(0).from, to: monthOf(2).to }

let fetches = 0
/** Uses another IP address each time, because downloads are rate-limited by address. */
const fetchFile = (url: string) => pool.app.inject({ url, remoteAddress: `10.9.0.${++fetches % 250}` })

async function fetched(input: InputOf<typeof books.getBooksFile>) {
  const { url, file } = await pool.ask(books.getBooksFile, input, staff)
  return { file, reply: await fetchFile(url) }
}

/** Splits a line of CSV into its cells (RFC 4180). */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

async function csvRows(days: typeof QUARTER): Promise<Record<string, string>[]> {
  const { reply } = await fetched({ ...days, format: 'csv' })
  expect(reply.statusCode).toBe(200)
  const [head = '', ...lines] = reply.body
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
  const names = cellsOf(head)
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, n) => [names[n] ?? '', cell])))
}

type CurrencyTotals = Record<string, number>
const sumByCurrency = (rows: { currency: string; minor: number }[]): CurrencyTotals => {
  const sums: CurrencyTotals = {}
  for (const { currency, minor } of rows) sums[currency] = (sums[currency] ?? 0) + minor
  return sums
}

const sumsOf = async (table: 'ledger' | 'invoice'): Promise<CurrencyTotals> => {
  const { sql } = pool.ctx
  const rows =
    table === 'ledger'
      ? await sql<{ currency: string; minor: number }[]>`
          select currency, sum(amount_minor)::bigint as minor from ledger group by currency`
      : await sql<{ currency: string; minor: number }[]>`
          select currency, sum(total_minor)::bigint as minor from invoice group by currency`
  return sumByCurrency([...rows])
}

test('the file, the sheet, the invoices and the ledger agree for any payments and refunds', {
  tags: 'property',
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 6 }), async (payments) => {
      for (const each of payments) await pay(each)
      const rows = await csvRows(QUARTER)
      const ledger = await sumsOf('ledger')
      expect(
        sumByCurrency(rows.map((row) => ({ currency: row.Currency ?? '', minor: minorOf(row.Total ?? '') }))),
      ).toEqual(ledger)
      expect(await sumsOf('invoice')).toEqual(ledger)
      for (const { Net, Tax, Total } of rows) {
        expect(minorOf(Net ?? '') + minorOf(Tax ?? '')).toBe(minorOf(Total ?? ''))
      }
      const sheet = await pool.ask(books.getMonthSheet, QUARTER, staff)
      const totals = (all: { currency: string; total: string }[]) =>
        sumByCurrency(all.map(({ currency, total }) => ({ currency, minor: minorOf(total) })))
      expect([totals(sheet.sums), totals(sheet.by_plan), totals(sheet.by_gateway)]).toEqual([ledger, ledger, ledger])
      expect(sheet.balance_error).toBe('')
      for (const { gross, refunds, total, net, tax } of sheet.sums) {
        expect(minorOf(gross) - minorOf(refunds)).toBe(minorOf(total))
        expect(minorOf(net) + minorOf(tax)).toBe(minorOf(total))
      }
    }),
    { numRuns: runCount(25), endOnFailure: true },
  )
  // Consecutive months share no movement and leave none out.
  const months = await Promise.all([0, 1, 2].map((month) => csvRows(monthOf(month)).catch(() => [])))
  expect(months.flat().length).toBe((await csvRows(QUARTER)).length)
})

test('the workbook has the same rows, with dates and amounts as typed cells, and a summary sheet', async () => {
  await pay({ currency: 0, plan: 2, amount_minor: 1999, back: [50], month: 5 })
  const { file, reply } = await fetched({ ...monthOf(5), format: 'excel' })
  expect(file).toBe('books-2025-06-01-2025-06-30.xlsx')
  const [movements, sums] = await readExcelFile(reply.rawPayload)
  const [head, paid, back, ...rest] = movements?.data ?? []
  expect(rest).toEqual([])
  const row = (cells: typeof paid) => Object.fromEntries((head ?? []).map((name, n) => [String(name), cells?.[n]]))
  expect(row(paid)).toMatchObject({
    ...{ Date: new Date('2025-06-15T00:00:00Z'), Type: 'Payment', Name: '+49 Öz, "DJ"', Country: 'Germany' },
    ...{
      Net: 16.8,
      'Tax %': 19,
      Tax: 3.19,
      Total: 19.99,
      Currency: 'EUR',
      Gateway: 'manual',
      'Payment method': 'Bank transfer',
    },
  })
  expect(String(row(paid).Plan)).toMatch(/^=cmd\|calc/)
  expect(row(back)).toMatchObject({ Type: 'Refund', Total: -9.99, 'Corrects invoice': row(paid).Number })
  expect(sums?.data[1]?.slice(0, 6)).toEqual(['EUR', 1, 1, 19.99, 9.99, 10])
})

test('the CSV file has no formulas, and plain numbers as amounts', async () => {
  const [paid, back] = await csvRows(monthOf(5))
  expect(paid).toMatchObject({ Name: `'+49 Öz, "DJ"`, Total: '19.99' })
  expect(paid?.Plan).toMatch(/^'=cmd/)
  expect(back?.Total).toBe('-9.99')
  const [auditEntry] = await pool.ctx.sql<{ after: object }[]>`
    select after from audit where action = 'report exported' and subject = 'books' order by audit_id desc limit 1`
  expect(auditEntry?.after).toEqual({ from: '2025-06-01', to: '2025-06-30', format: 'csv', lines: 2 })
})

test('a period without movements has no books', async () => {
  const emptyMonth = pool.ask(books.getBooksFile, { ...monthOf(9), format: 'csv' }, staff)
  expect(await errorOf(emptyMonth)).toMatchObject({ status: 404, code: 'no_transactions' })
  const reversedRange = pool.ask(books.getMonthSheet, { from: monthOf(5).to, to: monthOf(5).from }, staff)
  expect(await errorOf(reversedRange)).toMatchObject({ code: 'invalid_request' })
})

test('deletes the file of books from the server after a download, complete or interrupted', async () => {
  const { sql, storage } = pool.ctx
  await pay({ currency: 1, plan: 0, amount_minor: 1500, back: [], month: 8 })
  const { url } = await pool.ask(books.getBooksFile, { ...monthOf(8), format: 'csv' }, staff)
  const left = async () => readdir(await scratchFolder(storage))
  expect((await fetchFile(url)).statusCode).toBe(200)
  await waitUntil(async () => expect(await left()).toEqual([]))
  // Nothing is exported if its audit log entry cannot be written.
  await sql`alter table audit rename to audit_away`
  const broken = await fetchFile(url)
  await sql`alter table audit_away rename to audit`
  expect(broken.statusCode).toBe(500)
  expect(await left()).toEqual([])
})

test('refuses to export a period whose ledger and invoices differ, and says why', async () => {
  const { sql } = pool.ctx
  await pay({ currency: 1, plan: 0, amount_minor: 1500, back: [], month: 7 })
  const downloadStatus = async () =>
    (await errorOf(pool.ask(books.getBooksFile, { ...monthOf(7), format: 'csv' }, staff))).message
  const balanceError = async () => (await pool.ask(books.getMonthSheet, monthOf(7), staff)).balance_error
  const within = sql`issued_at >= '2025-08-01' and issued_at < '2025-09-01'`
  await sql`update invoice set total_minor = total_minor - 100, net_minor = net_minor - 100 where ${within}`
  expect(await downloadStatus()).toContain('1 ledger entry in USD has an invoice with a different amount.')
  expect(await balanceError()).toBe('1 ledger entry in USD has an invoice with a different amount.')
  await sql`update invoice set total_minor = total_minor + 100, net_minor = net_minor + 100 where ${within}`
  expect(await balanceError()).toBe('')
  const { url } = await pool.ask(books.getBooksFile, { ...monthOf(7), format: 'csv' }, staff)
  await sql`update ledger set at = at + interval '1 month' where at >= '2025-08-01' and at < '2025-09-01'`
  expect(await balanceError()).toBe('The ledger total is 0.00 USD; the invoice total is 15.00.')
  await sql`update ledger set at = at - interval '1 month' where at >= '2025-09-01'`
  await sql`delete from invoice where ${within}`
  expect(await downloadStatus()).toContain('1 ledger entry in USD has no invoice.')
  // Also when they stop matching between the link and the download.
  const expired = await fetchFile(url)
  expect([expired.statusCode, expired.json().code]).toEqual([409, 'ledger_mismatch'])
})

type PeriodOptions = {
  interval?: 'month' | 'year'
  amount_minor: number
  from: string
  to: string
  is_trial?: boolean
  back?: number
  ended_at?: string
  customer_id?: number
}

/** A paid period. */
async function aPeriod({
  interval = 'month',
  amount_minor,
  from,
  to,
  is_trial = false,
  back = 0,
  ...overrides
}: PeriodOptions) {
  const { sql } = pool.ctx
  const customer_id = overrides.customer_id ?? (await aMember(pool.ctx)).customer_id
  const [plan] = await sql<{ plan_id: number }[]>`
    insert into plan (title, price_minor, currency) values (${`Period ${++paymentCount}`}, 1000, 'EUR') returning plan_id`
  const [subscription] = await sql<{ subscription_id: number }[]>`
    insert into subscription ${sql({
      ...{
        customer_id,
        ...plan,
        gateway: 'manual',
        method: 'bank_transfer',
        price_minor: 1000,
        first_price_minor: 1000,
      },
      ...{ currency: 'EUR', interval, checkout_ends_at: from, status: 'ended', ended_at: overrides.ended_at ?? null },
    })} returning subscription_id`
  const [charge] = await sql<{ charge_id: number }[]>`
    insert into charge ${sql({
      ...{
        customer_id,
        ...plan,
        ...subscription,
        gateway: 'manual',
        gateway_ref: `period-${paymentCount}`,
        reason: 'first',
      },
      ...{ status: 'paid', amount_minor, currency: 'EUR', is_trial, method: 'bank_transfer', at: from },
      ...{ period_start: from, period_end: to },
    })} returning charge_id`
  if (back > 0) {
    const refund = { ...charge, gateway: 'manual', gateway_ref: `back-${paymentCount}`, amount_minor: back, at: from }
    await sql`insert into refund ${sql(refund)}`
  }
  return { customer_id }
}

test('monthly recurring revenue counts the periods running at the time, without members who have left', async () => {
  const june = { from: { year: 2024, month: 6, day: 1 }, to: { year: 2024, month: 6, day: 30 } }
  const [from, to] = ['2024-06-10T00:00:00Z', '2024-07-10T00:00:00Z']
  await aPeriod({ amount_minor: 1500, from, to })
  await aPeriod({ amount_minor: 12_000, interval: 'year', from, to: '2025-06-10T00:00:00Z' })
  await aPeriod({ amount_minor: 100, is_trial: true, from, to })
  await aPeriod({ amount_minor: 1500, back: 500, from, to })
  await aPeriod({ amount_minor: 1500, back: 1500, from, to })
  await aPeriod({ amount_minor: 1500, ended_at: '2024-06-20T00:00:00Z', from, to })
  // One member was there at the start and left; another stayed with a second subscription.
  await aPeriod({ amount_minor: 1500, from: '2024-05-15T00:00:00Z', to: '2024-06-15T00:00:00Z' })
  const { customer_id } = await aPeriod({
    amount_minor: 1500,
    from: '2024-05-20T00:00:00Z',
    to: '2024-06-20T00:00:00Z',
  })
  await aPeriod({ amount_minor: 700, from: '2024-06-20T00:00:00Z', to: '2024-07-20T00:00:00Z', customer_id })
  const { monthly, members } = await pool.ask(books.getMonthSheet, june, staff)
  expect(monthly).toEqual([{ currency: 'EUR', amount: '42.00' }])
  expect(members).toEqual({ at_start: 2, joined: 4, left: 1, at_end: 5 })
})

test('a month that has not begun has the members of today, at its start and at its end', async () => {
  const year = new Date().getUTCFullYear() + 2
  const january = { from: { year, month: 1, day: 1 }, to: { year, month: 1, day: 31 } }
  const { members: before } = await pool.ask(books.getMonthSheet, january, staff)
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
  await aPeriod({ amount_minor: 1500, from: day(-1), to: day(1) })
  const { members } = await pool.ask(books.getMonthSheet, january, staff)
  const count = before.at_end + 1
  expect(members).toEqual({ at_start: count, joined: 0, left: 0, at_end: count })
})
