import { helpdesk } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'
import { waitForBlocked } from '../../test/wait-until.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const submit = (token: string, change: object) =>
  pool.request(
    helpdesk.submitTicket,
    { HelpdeskTickets: { department_id: 1, priority_id: 1, subject: 'Help', details: '<p>Please</p>', ...change } },
    token,
  )

test('a new ticket is open, waits for staff and is shown as it was written', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token, { details: '<p>It <b>stops</b>.</p>' })
  const { ticket, replies, pagination } = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  expect(ticket).toMatchObject({
    status: 'open',
    awaiting_reply_from: 'staff',
    subject: 'The download stops',
    details: '<p>It <b>stops</b>.</p>',
    department: 'Downloads and player',
    priority: 'Normal',
    closed_at: null,
  })
  expect(replies).toEqual([])
  expect(pagination).toEqual({ page: 1, perPageLimit: 10, totalCount: 0 })
})

test('reports missing fields with the messages of the form', async () => {
  const { token } = await aMember(pool.ctx)
  const response = await submit(token, { department_id: '', priority_id: null, subject: ' ', details: '' })
  expect(response.statusCode).toBe(400)
  expect(response.json().errors).toEqual([
    'Please select the department',
    'Please select the priority',
    'Subject cannot be blank!',
    'Description cannot be blank!',
  ])
})

test('a description of tags without text is blank', async () => {
  const { token } = await aMember(pool.ctx)
  const response = await submit(token, { details: '<p><br></p><script>1</script>' })
  expect(response.json()).toMatchObject({
    code: 'invalid_request',
    fields: { 'HelpdeskTickets.details': 'Description cannot be blank!' },
  })
})

test('a blank description is reported together with other missing fields', async () => {
  const { token } = await aMember(pool.ctx)
  const input = { HelpdeskTickets: { subject: '', details: '<p></p>', department_id: 0, priority_id: 1 } }
  expect((await pool.request(helpdesk.submitTicket, input, token)).json().fields).toEqual({
    'HelpdeskTickets.department_id': 'Please select the department',
    'HelpdeskTickets.subject': 'Subject cannot be blank!',
    'HelpdeskTickets.details': 'Description cannot be blank!',
  })
  const deleted = {
    HelpdeskTickets: { subject: 'Hello', details: '<p></p>', department_id: 99_999, priority_id: 99_999 },
  }
  expect((await pool.request(helpdesk.submitTicket, deleted, token)).json().fields).toEqual({
    'HelpdeskTickets.details': 'Description cannot be blank!',
    'HelpdeskTickets.department_id': 'Please select the department',
    'HelpdeskTickets.priority_id': 'Please select the priority',
  })
})

test('refuses a deleted department or priority', async () => {
  const { token } = await aMember(pool.ctx)
  expect((await submit(token, { department_id: 99 })).json().code).toBe('unknown_department')
  expect((await submit(token, { priority_id: 99 })).json().code).toBe('unknown_priority')
})

test('plain text keeps its lines, and its special characters are escaped', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token, { details: 'BPM < 100\nand more\n\nThanks' })
  const { ticket } = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  expect(ticket.details).toBe('<p>BPM &lt; 100<br />and more</p><p>Thanks</p>')
})

test('removes scripts when a ticket is saved, and again when it is read', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token, { details: '<p onclick="x()">a</p><script>x()</script>' })
  const [stored] = await pool.ctx.sql`select details from ticket where ticket_number = ${ticket_number}`
  expect(stored?.details).toBe('<p>a</p>')
  await pool.ctx.sql`
    update ticket set details = '<p onclick="x()">b</p><img src=x onerror=x()>' where ticket_number = ${ticket_number}`
  const { ticket } = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  expect(ticket.details).toBe('<p>b</p>')
})

test('has ten tickets per page, most recently changed first, with the number of each status', async () => {
  const { token } = await aMember(pool.ctx)
  const { sql } = pool.ctx
  const numbers: number[] = []
  for (let n = 0; n < 3; n++) numbers.push(await aTicket(pool, token, { subject: `Ticket ${n}` }))
  const customer = sql`(select customer_id from ticket where ticket_number = ${numbers[0] ?? 0})`
  await sql`
    insert into ticket (customer_id, department_id, priority_id, subject, details, modified_at, status, closed_at)
    select ${customer}, 1, 1, 'Old ' || n, 'x', now() - n * interval '1 day', 'close', now() from generate_series(1, 9) n`
  const all = await pool.ask(helpdesk.getTickets, {}, token)
  expect(all.summary).toEqual({ total: 12, open: 3, close: 9 })
  expect(all.tickets).toHaveLength(10)
  expect(all.tickets.slice(0, 4).map(({ subject }) => subject)).toEqual(['Ticket 2', 'Ticket 1', 'Ticket 0', 'Old 1'])
  const closed = await pool.ask(helpdesk.getTickets, { status: 'close', page: 1 }, token)
  expect(closed.pagination).toEqual({ page: 1, perPageLimit: 10, totalCount: 9 })
  expect(new Set(closed.tickets.map(({ status }) => status))).toEqual(new Set(['close']))
  const recent = await pool.ask(helpdesk.getRecentTickets, {}, token)
  expect(recent.tickets.map(({ subject }) => subject)).toEqual(['Ticket 2', 'Ticket 1', 'Ticket 0', 'Old 1', 'Old 2'])
  expect((await pool.ask(helpdesk.getTickets, { page: 3 }, token)).tickets).toEqual([])
})

test('returns not found for a ticket of another member', async () => {
  const [owner, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const ticket_number = await aTicket(pool, owner.token)
  for (const call of [helpdesk.getTicket, helpdesk.closeTicket, helpdesk.reopenTicket]) {
    expect(await errorOf(pool.ask(call, { ticket_number }, other.token))).toMatchObject({
      status: 404,
      code: 'unknown_ticket',
    })
  }
  const reply = pool.ask(helpdesk.replyToTicket, { ticket_number, details: 'x' }, other.token)
  expect((await errorOf(reply)).code).toBe('unknown_ticket')
  expect((await pool.ask(helpdesk.getTickets, {}, other.token)).tickets).toEqual([])
})

test('a ticket can be closed and reopened; reopened by its customer it waits for staff', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token)
  await pool.ctx.sql`update ticket set awaiting_reply_from = 'customer' where ticket_number = ${ticket_number}`
  expect(await pool.ask(helpdesk.closeTicket, { ticket_number }, token)).toEqual({ status: 'close' })
  const closed = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  expect(closed.ticket).toMatchObject({ status: 'close', closed_at: expect.any(String) })
  expect(await pool.ask(helpdesk.reopenTicket, { ticket_number }, token)).toEqual({ status: 'open' })
  const opened = await pool.ask(helpdesk.getTicket, { ticket_number }, token)
  expect(opened.ticket).toMatchObject({ status: 'open', closed_at: null, awaiting_reply_from: 'staff' })
})

test('refuses the eleventh ticket within an hour', async () => {
  const { token } = await aMember(pool.ctx)
  for (let n = 0; n < 10; n++) expect((await submit(token, {})).statusCode).toBe(200)
  expect((await submit(token, {})).json().code).toBe('rate_limited')
})

test('a ticket sent while its member’s account is being deleted is deleted too', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { sql } = pool.ctx
  const deleting = await sql.reserve()
  await deleting`begin`
  await deleting`update customer set status = 'deleted', deleted_at = now() where customer_id = ${customer_id}`
  const sent = errorOf(aTicket(pool, token)).catch((error: Error) => error)
  await Promise.race([sent, waitForBlocked(sql, 1)])
  await deleting`commit`
  deleting.release()
  expect(await sent).toMatchObject({ code: 'session_expired' })
  expect(await sql`select 1 from ticket where customer_id = ${customer_id}`).toHaveLength(0)
})
