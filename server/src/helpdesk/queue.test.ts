import { helpdesk, staff, support } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'

let pool: TestPool
let staffMember: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool()
  staffMember = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from ticket`
})

const queue = (params: object = {}) => pool.ask(support.getQueue, params, staffMember.token)
const subjects = async (params: object = {}) => (await queue(params)).tickets.map(({ subject }) => subject)
const answer = (ticket_number: number) =>
  pool.ask(support.answerTicket, { ticket_number, details: 'x', after_reply_id: 0 }, staffMember.token)

test('sorts overdue tickets first, then by priority, then by waiting time', async () => {
  const { token } = await aMember(pool.ctx)
  await aTicket(pool, token, { subject: 'normal', priority: 1 })
  await aTicket(pool, token, { subject: 'high', priority: 2 })
  const low = await aTicket(pool, token, { subject: 'low and late', priority: 0 })
  await aTicket(pool, token, { subject: 'normal, later', priority: 1 })
  await pool.ctx.sql`update ticket set waiting_since = now() - interval '49 hours' where ticket_number = ${low}`
  expect(await subjects()).toEqual(['low and late', 'high', 'normal', 'normal, later'])
  const { tickets, counts } = await queue()
  expect(tickets.map(({ is_overdue }) => is_overdue)).toEqual([true, false, false, false])
  expect(counts).toEqual({ waiting: 4, answered: 0, close: 0, all: 4, late: 1 })
})

test('an answered ticket leaves the queue and returns when its customer replies', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token)
  expect((await pool.ask(staff.getDashboard, {}, staffMember.token)).tickets_waiting).toBe(1)
  await answer(ticket_number)
  expect(await subjects()).toEqual([])
  expect(await subjects({ state: 'answered' })).toEqual(['The download stops'])
  expect((await pool.ask(staff.getDashboard, {}, staffMember.token)).tickets_waiting).toBe(0)
  await pool.ask(helpdesk.replyToTicket, { ticket_number, details: 'x' }, token)
  expect(await subjects()).toEqual(['The download stops'])
})

test('a member who writes twice has been waiting since the first message', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token)
  await pool.ctx.sql`update ticket set waiting_since = now() - interval '25 hours'`
  await pool.ask(helpdesk.replyToTicket, { ticket_number, details: 'Hello?' }, token)
  expect((await queue()).tickets[0]?.is_overdue).toBe(true)
})

test('the queue can be searched by subject, member, email address and number', async () => {
  const { token, email } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token, { subject: '100 % silent' })
  await aTicket(pool, token, { subject: '1000 loud' })
  expect(await subjects({ search: '100 sil' })).toEqual(['100 % silent'])
  expect(await subjects({ search: '%' })).toEqual(['100 % silent'])
  expect(await subjects({ search: email })).toHaveLength(2)
  expect(await subjects({ search: `#${ticket_number}` })).toEqual(['100 % silent'])
  expect(await subjects({ search: 'nobody' })).toEqual([])
})

test('a ticket can be assigned only to staff who answer tickets', async () => {
  const member = await aMember(pool.ctx)
  const colleague = await aMember(pool.ctx, { group_id: 4, staff_role: 'admin', application: 'none' })
  const ticket_number = await aTicket(pool, member.token)
  const assignTo = (assigned_to: number) =>
    pool.ask(support.changeTicket, { ticket_number, assigned_to }, staffMember.token)
  expect((await errorOf(assignTo(member.customer_id))).code).toBe('staff_member_required')
  expect((await assignTo(colleague.customer_id)).ticket.assigned_to?.customer_id).toBe(colleague.customer_id)
  expect(await subjects({ mine: true })).toEqual([])
  await assignTo(staffMember.customer_id)
  expect(await subjects({ mine: true })).toEqual(['The download stops'])
  expect((await assignTo(0)).ticket.assigned_to).toBeNull()
})

test('assigns the ticket to the first person who answers', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token)
  expect((await answer(ticket_number)).ticket.assigned_to?.customer_id).toBe(staffMember.customer_id)
})

test('staff can move, close and reopen a ticket, and each change is in the audit log', async () => {
  const { token } = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, token)
  const change = (what: object) => pool.ask(support.changeTicket, { ticket_number, ...what }, staffMember.token)
  const { departments } = await pool.ask(helpdesk.getDepartments, {}, token)
  const { ticket } = await change({ department_id: departments[1]?.id, status: 'close' })
  expect(ticket).toMatchObject({ department: 'Payments and plans', status: 'close' })
  expect((await change({ status: 'open' })).ticket.status).toBe('open')
  expect((await errorOf(change({ department_id: 99 }))).code).toBe('unknown_department')
  const auditActions = await pool.ctx.sql`select action from audit where subject = ${`ticket ${ticket_number}`}`
  expect(auditActions.map(({ action }) => action)).toEqual(['ticket updated', 'ticket updated'])
})

test('FAQs keep the order chosen by staff; unpublished ones are only shown to staff', async () => {
  const save = async (question: string, published = true) =>
    (
      await pool.ask(
        support.saveFaq,
        { question, answer: `<p>${question}<script>x()</script></p>`, published },
        staffMember.token,
      )
    ).faq
  const [one, two, three] = [await save('one'), await save('two', false), await save('three')]
  await pool.ask(support.orderFaqs, { faq_ids: [three.faq_id, one.faq_id] }, staffMember.token)
  const { faqs } = await pool.ask(helpdesk.getFaqs, {})
  expect(faqs).toEqual([
    { faq_id: three.faq_id, question: 'three', answer: '<p>three</p>' },
    { faq_id: one.faq_id, question: 'one', answer: '<p>one</p>' },
  ])
  expect((await pool.ask(support.getFaqs, {}, staffMember.token)).faqs.map(({ question }) => question)).toEqual([
    'three',
    'one',
    'two',
  ])
  await pool.ask(support.removeFaq, { faq_id: two.faq_id }, staffMember.token)
  expect((await errorOf(pool.ask(support.removeFaq, { faq_id: two.faq_id }, staffMember.token))).code).toBe(
    'unknown_faq',
  )
  const blank = pool.ask(support.saveFaq, { question: 'q', answer: '<p></p>' }, staffMember.token)
  expect((await errorOf(blank)).message).toBe('Enter an answer.')
  const auditActions = await pool.ctx.sql<{ action: string }[]>`
    select action from audit where subject like 'faq%' order by audit_id`
  expect(auditActions.map(({ action }) => action)).toEqual([
    ...['FAQ created', 'FAQ created', 'FAQ created', 'FAQs reordered', 'FAQ deleted'],
  ])
})
