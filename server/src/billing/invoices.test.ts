import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCharge, aRefund, SELLER } from '../../test/billing-makers.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { projectRoot } from '../platform/project-root.ts'
import { type IssuedInvoice, includedTax, issueCreditNote, issueInvoice } from './invoices.ts'
import { findInvoices, type Invoice } from './issued-invoices.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

let pool: TestPool
let customer_id: number
beforeAll(async () => {
  pool = await openTestPool()
})
beforeEach(async () => {
  await pool.ctx.sql`truncate invoice, invoice_number`
  customer_id = (await aMember(pool.ctx)).customer_id
})
afterAll(() => pool.close())

const issue = (chargeId: number, now = NOW, settings = SELLER) =>
  pool.ctx.sql.begin((sql) => issueInvoice(sql, settings, chargeId, now))
const credit = (refundId: number, settings = SELLER) =>
  pool.ctx.sql.begin((sql) => issueCreditNote(sql, settings, refundId, NOW))

async function read(invoiceId: number): Promise<Invoice> {
  const [invoice] = await findInvoices(pool.ctx.sql, { invoice_ids: [invoiceId] })
  if (!invoice) throw new Error('no invoice')
  return invoice
}

test('an invoice shows seller, customer, items and payment method as of its date', async () => {
  const { sql } = pool.ctx
  await sql`
    update customer set firstname = 'Ünal', lastname = 'Çağlayan', street = 'Long Street 5', postcode = '34000', city = 'İstanbul',
      country_id = 'DE', region_id = 'DE-BE' where customer_id = ${customer_id}`
  const chargeId = await aCharge(pool.ctx, { customer_id, discount_minor: 500, coupon_code: 'NIGHTS20' })
  const { invoice_id, number } = await issue(chargeId)
  expect(number).toBe('2026-00001')
  const invoice = await read(invoice_id)
  expect(invoice).toMatchObject({
    kind: 'invoice',
    number: '2026-00001',
    issued_at: NOW,
    seller: SELLER.seller,
    buyer: { name: 'Ünal Çağlayan', street: 'Long Street 5', city: 'İstanbul', region: 'Berlin', country: 'Germany' },
    lines: [
      { text: 'Club plan, 1 Nov 2026 – 1 Dec 2026', amount_minor: 2499, plan_title: 'Club plan' },
      { text: 'Coupon NIGHTS20', amount_minor: -500 },
    ],
    currency: 'EUR',
    net_minor: 1680,
    tax_minor: 319,
    total_minor: 1999,
    tax_percent: 19,
    paid_with: 'Visa ending 4242',
    corrects: null,
  })
})

test('an issued invoice stays the same when the member, the plan or the pool is renamed', async () => {
  const { sql } = pool.ctx
  const chargeId = await aCharge(pool.ctx, { customer_id })
  const { invoice_id } = await issue(chargeId)
  const before = await read(invoice_id)
  await sql`update customer set firstname = 'Somebody', lastname = 'Else', email = ${`e${customer_id}@x.test`} where customer_id = ${customer_id}`
  await sql`update plan set title = 'Another plan' where plan_id = (select plan_id from charge where charge_id = ${chargeId})`
  await issue(chargeId, NOW, {
    seller: { name: 'New name', lines: [], tax_number: '' },
    tax: { label: 'GST', percent: 5 },
  })
  expect(await read(invoice_id)).toEqual(before)
})

test('the code never updates an invoice, except for when it was emailed', () => {
  const source = path.join(projectRoot, 'server', 'src')
  const writes = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(source, name), 'utf8').replace(/\s+/g, ' '))
    .flatMap((text) => text.match(/\b(update invoice |delete from invoice )[^`]*/g) ?? [])
  expect(writes).not.toEqual([])
  for (const write of writes) expect(write).toMatch(/^update invoice set mailed_at = \S+ where /)
})

test('a charge has one invoice, even when it is issued twice at once, and no number is lost', async () => {
  const { sql } = pool.ctx
  const chargeId = await aCharge(pool.ctx, { customer_id })
  let secondInvoice: Promise<IssuedInvoice> | undefined
  const first = await sql.begin(async (sql) => {
    const issuedInvoice = await issueInvoice(sql, SELLER, chargeId, NOW)
    secondInvoice = issue(chargeId)
    await waitForBlocked(pool.ctx.sql, 1)
    return issuedInvoice
  })
  expect(await secondInvoice).toEqual(first)
  expect(await issue(chargeId)).toEqual(first)
  const next = await issue(await aCharge(pool.ctx, { customer_id }))
  expect(next.number).toBe('2026-00002')
})

test('numbers have no gaps, even when twenty are issued at once and some are rolled back', async () => {
  const { sql } = pool.ctx
  const charges = await Promise.all(Array.from({ length: 20 }, () => aCharge(pool.ctx, { customer_id })))
  await Promise.allSettled(
    charges.map((chargeId, n) =>
      sql.begin(async (sql) => {
        await issueInvoice(sql, SELLER, chargeId, NOW)
        if (n % 3 === 0) throw new Error('undone')
      }),
    ),
  )
  const rows = await sql<{ serial: number }[]>`select serial from invoice order by serial`
  expect(rows.map(({ serial }) => serial)).toEqual(Array.from({ length: 13 }, (_, n) => n + 1))
})

test('numbers start at one in each year, by the UTC date of issue', async () => {
  const dates = ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z', '2027-01-01T00:00:01Z'].map((at) => new Date(at))
  const issuedNumbers = []
  for (const at of dates) issuedNumbers.push((await issue(await aCharge(pool.ctx, { customer_id }), at)).number)
  expect(issuedNumbers).toEqual(['2026-00001', '2027-00001', '2027-00002'])
})

test('an unpaid charge gets no invoice and uses no number', async () => {
  for (const status of ['started', 'failed'] as const) {
    const chargeId = await aCharge(pool.ctx, { customer_id, status })
    await expect(issue(chargeId)).rejects.toThrow('not paid')
  }
  expect((await issue(await aCharge(pool.ctx, { customer_id }))).number).toBe('2026-00001')
})

test('a credit note is in the same sequence, negative, and names its buyer and the invoice it corrects', async () => {
  const { sql } = pool.ctx
  const chargeId = await aCharge(pool.ctx, { customer_id })
  await issue(chargeId)
  await sql`update customer set dj_name = 'Former member' where customer_id = ${customer_id}`
  const refundId = await aRefund(pool.ctx, { charge_id: chargeId, amount_minor: 1999 })
  const [one, two] = await Promise.all([credit(refundId), credit(refundId)])
  expect(one).toEqual(two)
  const note = await read(one.invoice_id)
  expect(note).toMatchObject({
    kind: 'credit_note',
    number: '2026-00002',
    corrects: '2026-00001',
    lines: [{ text: 'Refund: Club plan, 1 Nov 2026 – 1 Dec 2026', amount_minor: -1999 }],
    net_minor: -1680,
    tax_minor: -319,
    total_minor: -1999,
  })
  expect(note.buyer.dj_name).not.toBe('Former member')
})

test('partial refunds add up to exactly the tax that was charged, at the rate of the invoice', async () => {
  const chargeId = await aCharge(pool.ctx, { customer_id })
  await issue(chargeId)
  const later = { ...SELLER, tax: { label: 'VAT', percent: 7 } }
  const taxes: number[] = []
  for (const amount_minor of [7, 7, 7, 1978]) {
    const { invoice_id } = await credit(await aRefund(pool.ctx, { charge_id: chargeId, amount_minor }), later)
    const note = await read(invoice_id)
    expect(note.tax_percent).toBe(19)
    expect(note.net_minor + note.tax_minor).toBe(-amount_minor)
    taxes.push(note.tax_minor)
  }
  expect(taxes).toEqual([-1, -1, -1, -316])
})

test('the tax in a price is a whole number of the smallest unit, and never more than the price', () => {
  expect([19, 0, 7.7, 25, 8.25].map((percent) => includedTax(1999, percent))).toEqual([319, 0, 143, 400, 152])
  expect(includedTax(0, 19)).toBe(0)
  expect(includedTax(1, 99.99)).toBe(0)
})
