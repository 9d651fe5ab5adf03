import { billing } from '@dubplate/contract'
import readExcelFile from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCharge, aRefund, SELLER } from '../../test/billing-makers.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { MAX_INVOICES_PER_FILE } from './invoice-links.ts'
import { issueCreditNote, issueInvoice } from './invoices.ts'

let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>
let later_seconds = 0
beforeAll(async () => {
  pool = await openTestPool()
  const { now } = pool.ctx
  pool.ctx.now = () => new Date(now().getTime() + later_seconds * 1000)
})
beforeEach(async () => {
  later_seconds = 0
  member = await aMember(pool.ctx)
})
afterAll(() => pool.close())

const createCharge = (customer_id = member.customer_id) => aCharge(pool.ctx, { customer_id })
const issue = (chargeId: number, day = '2026-11-10') =>
  pool.ctx.sql.begin((sql) => issueInvoice(sql, SELLER, chargeId, new Date(`${day}T12:00:00Z`)))
type Input = Parameters<typeof pool.ask<typeof billing.getInvoice>>[1]
const link = (input: Input, token = member.token) => pool.ask(billing.getInvoice, input, token)
const fetch = (url: string) => pool.app.inject({ url })
const day = (text: string) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}

test('a member downloads one invoice as a PDF named after it, which is not cached', async () => {
  const chargeId = await createCharge()
  const { number } = await issue(chargeId)
  const { url, file } = await link({ history_id: chargeId * 2, format: 'pdf' })
  expect(file).toBe(`${number}.pdf`)
  const response = await fetch(url)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${number}.pdf"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
})

test('downloads a credit note by the entry of its refund', async () => {
  const chargeId = await createCharge()
  await issue(chargeId)
  const refundId = await aRefund(pool.ctx, { charge_id: chargeId, amount_minor: 500 })
  const { number } = await pool.ctx.sql.begin((sql) => issueCreditNote(sql, SELLER, refundId, new Date()))
  const { url, file } = await link({ history_id: refundId * 2 + 1, format: 'excel' })
  expect(file).toBe(`${number}.xlsx`)
  const [sheet] = await readExcelFile((await fetch(url)).rawPayload)
  expect(sheet?.data[1]?.slice(0, 3)).toEqual([number, expect.any(Date), 'Credit note'])
})

test('downloads all invoices issued in a period, first and last day included, in one file', async () => {
  const numbers: string[] = []
  for (const at of ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01']) {
    numbers.push((await issue(await createCharge(), at)).number)
  }
  const days = { startDate: day('2026-11-01'), endDate: day('2026-11-30') }
  const sheet = await link({ format: 'excel', ...days })
  expect(sheet.file).toBe('invoices-2026-11-01-2026-11-30.xlsx')
  const [read] = await readExcelFile((await fetch(sheet.url)).rawPayload)
  expect(read?.data.slice(1).map(([number]) => number)).toEqual([numbers[1], numbers[2], 'Total'])
  const pdf = await link({ format: 'pdf', ...days })
  expect((await fetch(pdf.url)).rawPayload.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2)
  const all = await link({ format: 'excel' })
  expect(all.file).toBe('invoices.xlsx')
  expect((await readExcelFile((await fetch(all.url)).rawPayload))[0]?.data).toHaveLength(6)
  expect((await link({ format: 'pdf', startDate: day('2026-11-30') })).file).toBe('invoices-from-2026-11-30.pdf')
  expect((await link({ format: 'pdf', endDate: day('2026-11-30') })).file).toBe('invoices-until-2026-11-30.pdf')
})

test('explains when there is nothing to invoice', async () => {
  const failed = await aCharge(pool.ctx, { customer_id: member.customer_id, status: 'failed' })
  expect(await errorOf(link({ format: 'pdf' }))).toMatchObject({
    code: 'no_invoices',
    message: 'There are no invoices for this period.',
  })
  expect(await errorOf(link({ format: 'pdf', history_id: failed * 2 }))).toMatchObject({ code: 'no_invoices' })
  expect(await errorOf(link({ format: 'pdf', startDate: day('2026-02-30') }))).toMatchObject({
    code: 'invalid_request',
  })
})

test('members cannot download documents of another member', async () => {
  const other = await aMember(pool.ctx)
  const chargeId = await createCharge(other.customer_id)
  await issue(chargeId)
  const refundId = await aRefund(pool.ctx, { charge_id: chargeId, amount_minor: 500 })
  for (const history_id of [chargeId * 2, refundId * 2 + 1, 2_000_000_000]) {
    expect(await errorOf(link({ format: 'pdf', history_id }))).toMatchObject({ code: 'unknown_payment' })
  }
  expect(await errorOf(link({ format: 'pdf' }))).toMatchObject({ code: 'no_invoices' })
})

test('a link only works for the member, and expires after ten minutes and with the session', async () => {
  const { sql } = pool.ctx
  const chargeId = await createCharge()
  await issue(chargeId)
  const { url } = await link({ history_id: chargeId * 2, format: 'pdf' })
  const other = await createCharge((await aMember(pool.ctx)).customer_id)
  const [, , signed = '', file = ''] = url.split('/')
  const another = signed.replace(`.${chargeId * 2}.`, `.${other * 2}.`)
  expect(another).not.toBe(signed)
  expect((await fetch(`/invoices/${another}/${file}`)).json()).toMatchObject({ code: 'invalid_link' })
  later_seconds = 9 * 60
  expect((await fetch(url)).statusCode).toBe(200)
  later_seconds = 11 * 60
  expect((await fetch(url)).json()).toMatchObject({ code: 'link_expired' })
  later_seconds = 0
  await sql`delete from session where customer_id = ${member.customer_id}`
  expect((await fetch(url)).json()).toMatchObject({ code: 'link_expired' })
})

test('refuses more than five hundred invoices in a file, with a message', async () => {
  const { sql } = pool.ctx
  const chargeId = await createCharge()
  const { invoice_id } = await issue(chargeId)
  await sql`
    insert into refund (charge_id, gateway, gateway_ref, amount_minor, at)
    select ${chargeId}, 'sandbox', 'many-' || n, 1, now() from generate_series(1, ${MAX_INVOICES_PER_FILE}) n`
  await sql`
    insert into invoice (kind, year, serial, charge_id, refund_id, customer_id, issued_at, seller, buyer, lines, currency, net_minor,
      tax_minor, total_minor, tax_percent, tax_label)
    select 'credit_note', 2026, 1000 + r.refund_id, i.charge_id, r.refund_id, i.customer_id, '2026-11-10T12:00:00Z', seller, buyer, lines,
      currency, -1, 0, -1, tax_percent, tax_label
    from invoice i join refund r using (charge_id) where i.invoice_id = ${invoice_id}`
  expect(await errorOf(link({ format: 'excel' }))).toMatchObject({
    code: 'too_many_invoices',
    message: 'A file can contain up to 500 invoices. Choose a shorter period.',
  })
})
