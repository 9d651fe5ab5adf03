import { account, helpdesk, notices, support } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket, uploadAttachments } from '../../test/ticket-makers.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import type { Sql } from '../platform/db.ts'
import { addCustomerReply } from './replies.ts'

let pool: TestPool
let staffToken: string
let staffId: number
beforeAll(async () => {
  pool = await openTestPool()
  const staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  staffToken = staff.token
  staffId = staff.customer_id
})
afterAll(() => pool.close())

let member: Awaited<ReturnType<typeof aMember>>
let ticket_number: number
beforeEach(async () => {
  member = await aMember(pool.ctx)
  ticket_number = await aTicket(pool, member.token)
})

const answer = (details: string, params: { after_reply_id?: number; close?: boolean; attachments?: string[] } = {}) =>
  pool.ask(support.answerTicket, { ticket_number, details, after_reply_id: 0, ...params }, staffToken)
const customerReply = (details: string, attachments: string[] = []) =>
  pool.ask(helpdesk.replyToTicket, { ticket_number, details, attachments }, member.token)
const read = (page = 1) => pool.ask(helpdesk.getTicket, { ticket_number, page }, member.token)
const emails = () => pool.ctx.sql<{ subject: string; body: string; headers: object | null }[]>`
  select subject, body, headers from outgoing_mail where to_address = ${member.email} order by mail_id`

test('a staff reply is labelled as such, and the ticket waits for its customer', async () => {
  await answer('<p>Try <b>again</b>.</p>')
  await customerReply('It works.')
  const { ticket, replies } = await read()
  expect(replies).toMatchObject([
    { admin_id: staffId, details: '<p>Try <b>again</b>.</p>', via: 'page', quoted: '' },
    { admin_id: 0, details: '<p>It works.</p>' },
  ])
  expect(ticket.awaiting_reply_from).toBe('staff')
})

test('a staff reply creates a notification and an email with its text and a reply address', async () => {
  await answer('<p>Try again.</p>')
  const { notices: notifications } = await pool.ask(notices.getNotices, {}, member.token)
  expect(notifications).toMatchObject([
    {
      kind: 'reply',
      text: 'You have a reply to “The download stops”.',
      address: `/ticket/details/${ticket_number}`,
    },
  ])
  const [email] = await emails()
  expect(email?.subject).toContain(String(ticket_number))
  expect(email?.body).toContain('Try again.')
  expect(email?.body).toContain(`/ticket/details/${ticket_number}`)
})

test('a member who turned off reply emails gets none, but still gets a notification', async () => {
  const by_email = { reply: false, upload: true, search: true }
  await pool.ask(notices.saveChoices, { by_email }, member.token)
  await answer('x')
  expect(await emails()).toEqual([])
  expect((await pool.ask(notices.countUnread, {}, member.token)).unread).toBe(1)
})

test('a reply is unread until its page is shown, and so is its notification', async () => {
  await answer('one')
  const unread = async () => (await pool.ask(helpdesk.getTickets, {}, member.token)).tickets[0]?.unread
  expect(await unread()).toBe(1)
  expect((await read()).ticket.unread).toBe(1)
  expect(await unread()).toBe(0)
  expect((await pool.ask(notices.countUnread, {}, member.token)).unread).toBe(0)
})

test('keeps the notification of a reply on a page that was not shown', async () => {
  const unread = async () => (await pool.ask(notices.countUnread, {}, member.token)).unread
  for (let n = 0; n < 10; n++) await customerReply(`${n}`)
  const [newest] = (await read(0)).replies.slice(-1)
  await answer('at last', { after_reply_id: newest?.id ?? 0 })
  await read(1)
  expect(await unread()).toBe(1)
  await read(2)
  expect(await unread()).toBe(0)
})

test('a reply by a staff member whose account was deleted is shown as one of staff', async () => {
  const password = 'a long enough password'
  const deleted = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none', password })
  await pool.ask(support.answerTicket, { ticket_number, details: 'x', after_reply_id: 0 }, deleted.token)
  await pool.ask(account.deleteAccount, { password }, deleted.token)
  expect((await read()).replies).toMatchObject([{ author: 'Staff' }])
  expect((await pool.ask(support.getTicket, { ticket_number }, staffToken)).ticket.assigned_to).toBeNull()
  const [{ id = 0 } = {}] = (await read()).replies
  const { ticket } = await pool.ask(
    support.answerTicket,
    { ticket_number, details: 'x', after_reply_id: id },
    staffToken,
  )
  expect(ticket.assigned_to?.customer_id).toBe(staffId)
})

test('the second of two simultaneous replies is a conflict', async () => {
  const { reply } = await answer('one')
  expect(await errorOf(answer('two'))).toMatchObject({ status: 409, code: 'reply_conflict' })
  await answer('two', { after_reply_id: reply.id })
  expect((await read()).replies).toHaveLength(2)
})

test('reports a conflict if another staff or customer reply arrived since the ticket was opened', async () => {
  const message = { customer_id: member.customer_id, details: 'Wait!', quoted: '', via: 'page', files: [] } as const
  const slow = await pool.ctx.sql.reserve()
  await slow`begin`
  await addCustomerReply(slow as unknown as Sql, { ...message, ticket_number, message_id: null })
  const answers = ['one', 'two'].map((details) => errorOf(answer(details)))
  await waitForBlocked(pool.ctx.sql, 2)
  await slow`commit`
  slow.release()
  expect((await Promise.all(answers)).map(({ code }) => code)).toEqual(['reply_conflict', 'reply_conflict'])
  const { id } = (await read()).replies[0] ?? { id: 0 }
  const both = ['one', 'two'].map((details) => answer(details, { after_reply_id: id }))
  const settled = await Promise.allSettled(both)
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a staff reply can close its ticket; a customer reply reopens it', async () => {
  const { ticket } = await answer('Done.', { close: true })
  expect(ticket.status).toBe('close')
  const { ticket: after } = await customerReply('Not quite.')
  expect(after).toMatchObject({ status: 'open', awaiting_reply_from: 'staff' })
})

test('refuses a blank reply', async () => {
  expect(await errorOf(customerReply('<p>&nbsp;</p>'))).toMatchObject({
    code: 'invalid_request',
    message: 'Message cannot be blank!',
  })
  expect(await errorOf(answer(' '))).toMatchObject({ code: 'invalid_request', message: 'Message cannot be blank!' })
})

test('has ten replies per page, oldest first; page 0 is the last', async () => {
  const { sql } = pool.ctx
  await sql`
    insert into reply (ticket_number, by_staff, details) select ${ticket_number}, false, 'reply ' || n from generate_series(1, 12) n`
  expect((await read()).replies.map(({ details }) => details).slice(0, 2)).toEqual(['reply 1', 'reply 2'])
  const last = await read(0)
  expect(last.replies.map(({ details }) => details)).toEqual(['reply 11', 'reply 12'])
  expect(last.pagination).toEqual({ page: 2, perPageLimit: 10, totalCount: 12 })
})

test('adds the same email only once', async () => {
  const reply = {
    ticket_number,
    customer_id: member.customer_id,
    details: '<p>By mail<img src=x onerror=x()></p>',
    quoted: '<script>x()</script><blockquote>before</blockquote>',
    via: 'mail',
    message_id: '<1@example>',
    files: [],
  } as const
  expect(await pool.ctx.sql.begin(async (sql) => addCustomerReply(sql, reply))).toMatchObject({
    reply_id: expect.any(Number),
  })
  expect(await pool.ctx.sql.begin(async (sql) => addCustomerReply(sql, reply))).toBe('duplicate')
  expect((await read()).replies).toMatchObject([
    { via: 'mail', details: '<p>By mail</p>', quoted: '<blockquote>before</blockquote>' },
  ])
})

test('a file can be attached to one reply only', async () => {
  const names = await uploadAttachments(pool, member.token, [{ name: 'plan.txt', bytes: Buffer.from('words') }])
  await customerReply('See there.', names)
  expect((await read()).replies[0]?.attachments).toMatchObject([{ filename: 'plan.txt', bytes: 5, is_image: false }])
  expect((await errorOf(customerReply('Again.', names))).code).toBe('unknown_attachment')
})

test('refuses to attach a file of another member', async () => {
  const other = await aMember(pool.ctx)
  const names = await uploadAttachments(pool, other.token, [{ name: 'theirs.txt', bytes: Buffer.from('x') }])
  expect((await errorOf(customerReply('Mine.', names))).code).toBe('unknown_attachment')
})
