import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCharge, aRefund, SELLER } from '../../test/billing-makers.ts'
import { type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { sendDueMail } from '../platform/outbox.ts'
import { createMailer } from '../platform/smtp.ts'
import { issueCreditNote, issueInvoice } from './invoices.ts'
import { mailReceipts } from './receipts.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

let pool: TestPool
let server: MailServer
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({ config: { publicUrl: 'https://pool.test' }, settings: { poolName: 'Night Shift' } })
  server = await openMailServer()
})
beforeEach(async () => {
  const { sql } = pool.ctx
  await sql`truncate invoice, invoice_number`
  await sql`delete from outgoing_mail`
  server.mails.length = 0
  member = await aMember(pool.ctx)
})
afterAll(async () => {
  await Promise.all([server.close(), pool.close()])
})

async function issue(overrides: { customer_id?: number; amount_minor?: number } = {}) {
  const chargeId = await aCharge(pool.ctx, { customer_id: member.customer_id, ...overrides })
  const issuedInvoice = await pool.ctx.sql.begin((sql) => issueInvoice(sql, SELLER, chargeId, NOW))
  return { ...issuedInvoice, charge_id: chargeId }
}
const mails = () => pool.ctx.sql<
  { subject: string; to: string; owner: string; body: string; attachment_name: string }[]
>`
  select subject, to_address as "to", owner, body, attachment_name from outgoing_mail order by mail_id`
const unmailed = () => pool.ctx.sql`select invoice_id from invoice where mailed_at is null`

test('sends a receipt with the invoice attached after a payment', async () => {
  const { number } = await issue()
  await mailReceipts(pool.ctx)
  const post = createMailer({ ...pool.ctx, config: { ...pool.ctx.config, smtpUrl: server.url } })
  await sendDueMail(pool.ctx, post)
  post?.close()
  const [mail] = server.mails
  expect(mail?.subject).toBe('Your receipt from Night Shift')
  expect(mail?.to?.[0]?.address).toBe(member.email)
  expect(mail?.text).toContain(
    'Thanks for your payment of 19.99 EUR for Club plan, 1 Nov 2026 – 1 Dec 2026, paid via Visa ending 4242.',
  )
  expect(mail?.text).toContain('https://pool.test/account/billing')
  const [file] = mail?.attachments ?? []
  expect(file).toMatchObject({ filename: `${number}.pdf`, mimeType: 'application/pdf' })
  expect(
    Buffer.from(file?.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect(await mails()).toMatchObject([{ owner: `customer ${member.customer_id}` }])
})

test('sends an email with the credit note after a refund', async () => {
  const { charge_id, number } = await issue()
  await mailReceipts(pool.ctx)
  const refundId = await aRefund(pool.ctx, { charge_id, amount_minor: 500 })
  const note = await pool.ctx.sql.begin((sql) => issueCreditNote(sql, SELLER, refundId, NOW))
  await mailReceipts(pool.ctx)
  const [, mail] = await mails()
  expect(mail).toMatchObject({ subject: 'Your refund from Night Shift', attachment_name: `${note.number}.pdf` })
  expect(mail?.body).toContain('We’ve refunded 5.00 EUR to your original payment method (Visa ending 4242).')
  expect(mail?.body).toContain(`Credit note ${note.number} for invoice ${number} is attached.`)
})

test('says that there was nothing to pay when a coupon covers the full amount', async () => {
  await issue({ amount_minor: 0 })
  await mailReceipts(pool.ctx)
  expect((await mails())[0]?.body).toContain('There was nothing to pay.')
})

test('concurrent workers write one email for each invoice', async () => {
  for (let n = 0; n < 12; n++) await issue()
  await Promise.all(Array.from({ length: 4 }, () => mailReceipts(pool.ctx)))
  await mailReceipts(pool.ctx)
  const files = (await mails()).map(({ attachment_name }) => attachment_name)
  expect(files).toHaveLength(12)
  expect(new Set(files).size).toBe(12)
  expect(await unmailed()).toEqual([])
})

test('if a worker dies while writing an email, another worker writes it', async () => {
  const { sql } = pool.ctx
  await issue()
  // The email is already in the outbox then.
  await sql.unsafe(`
    create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$;
    create trigger broken_off before update on invoice for each row execute function break_off()`)
  await mailReceipts(pool.ctx)
  expect(await mails()).toEqual([])
  expect(await unmailed()).toHaveLength(1)
  await sql.unsafe('drop trigger broken_off on invoice; drop function break_off')
  await mailReceipts(pool.ctx)
  await mailReceipts(pool.ctx)
  expect(await mails()).toHaveLength(1)
})

test('an invoice that cannot be created does not delay others', async () => {
  const { sql } = pool.ctx
  const broken = await issue()
  await issue()
  await sql`update invoice set seller = 'null' where invoice_id = ${broken.invoice_id}`
  await mailReceipts(pool.ctx)
  expect(await mails()).toHaveLength(1)
  expect(await unmailed()).toEqual([{ invoice_id: broken.invoice_id }])
})

test('sends no email to a deleted member and does not check the invoice again', async () => {
  const { sql } = pool.ctx
  await issue()
  await sql`update customer set status = 'deleted', deleted_at = now() where customer_id = ${member.customer_id}`
  await mailReceipts(pool.ctx)
  expect(await mails()).toEqual([])
  expect(await unmailed()).toEqual([])
})
