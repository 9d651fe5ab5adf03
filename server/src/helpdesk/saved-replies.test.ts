import { support } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'
import { waitForBlocked } from '../../test/wait-until.ts'

let pool: TestPool
let staffMember: Awaited<ReturnType<typeof aMember>>
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({ settings: { poolName: 'Night & Shift' } })
  staffMember = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  member = await aMember(pool.ctx)
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from saved_reply`
})

const list = async () => (await pool.ask(support.getSavedReplies, {}, staffMember.token)).answers
const save = async (params: { saved_reply_id?: number; version?: number; title?: string; answer?: string } = {}) =>
  (await pool.ask(support.saveSavedReply, { title: 'Resume', answer: '<p>Hi</p>', ...params }, staffMember.token))
    .answer
const fill = async (saved_reply_id: number, ticket_number: number) =>
  (await pool.ask(support.fillSavedReply, { saved_reply_id, ticket_number }, staffMember.token)).html

test('a saved reply is cleaned, and values filled in for a ticket are escaped', async () => {
  const { sql } = pool.ctx
  const answer =
    '<p onclick="x()">Hello {dj_name}, about #{ticket_number} “{subject}”: <a href="https://x.test/{dj_name}">this</a>, and <a href="{subject}">that</a>.<script>x()</script></p><p>{pool_name} { spaced } {Not_One}</p>'
  const { saved_reply_id, answer: savedHtml } = await save({ answer })
  expect(savedHtml).not.toMatch(/script|onclick/)
  const ticket_number = await aTicket(pool, member.token, { subject: 'javascript:alert(1)' })
  await sql`update customer set dj_name = '<img src=x onerror=alert(1)>"' where customer_id = ${member.customer_id}`
  const html = await fill(saved_reply_id, ticket_number)
  expect(html).toContain(`Hello &lt;img src=x onerror=alert(1)&gt;", about #${ticket_number} “javascript:alert(1)”`)
  expect(html).toContain('<p>Night &amp; Shift { spaced } {Not_One}</p>')
  expect(html).not.toMatch(/<img|href="javascript|onerror="/)
  // The stored text is not trusted either.
  await sql`update saved_reply set answer = '<p>{dj_name}<img src=x onerror=y></p>'`
  expect(await fill(saved_reply_id, ticket_number)).not.toContain('<img')
  expect((await list())[0]?.answer).toBe('<p>{dj_name}</p>')
})

test('refuses unknown placeholders, which would be sent to a customer', async () => {
  const rejected = await errorOf(save({ answer: '<p>Dear {dj_nam}</p>' }))
  expect(rejected).toMatchObject({ status: 400, code: 'invalid_request', message: expect.stringContaining('{dj_nam}') })
  expect(rejected.message).toContain('{dj_name}')
  expect(await errorOf(save({ answer: '<p><br></p>' }))).toMatchObject({ message: 'Enter an answer.' })
  expect(await list()).toEqual([])
})

test('lists the most used first and counts each use', async () => {
  const [seldom, often] = [await save({ title: 'Seldom' }), await save({ title: 'Often' })]
  const ticket_number = await aTicket(pool, member.token)
  await fill(often.saved_reply_id, ticket_number)
  await fill(often.saved_reply_id, ticket_number)
  await fill(seldom.saved_reply_id, ticket_number)
  expect((await list()).map(({ title, used }) => [title, used])).toEqual([
    ['Often', 2],
    ['Seldom', 1],
  ])
  expect(Date.now() - Date.parse((await list())[0]?.last_used_at ?? '')).toBeLessThan(60_000)
  expect(await errorOf(fill(often.saved_reply_id, 999_999))).toMatchObject({ status: 404, code: 'unknown_ticket' })
  expect(await errorOf(fill(999_999, ticket_number))).toMatchObject({ status: 404, code: 'unknown_saved_reply' })
})

test('refuses the second of two edits of the same saved reply (409 conflict), and a name that is taken', async () => {
  const { saved_reply_id, version } = await save()
  const changed = await save({ saved_reply_id, version, answer: '<p>One</p>' })
  expect(changed).toMatchObject({ version: version + 1, answer: '<p>One</p>', written_by: expect.any(String) })
  expect(await errorOf(save({ saved_reply_id, version, answer: '<p>Two</p>' }))).toMatchObject({
    ...{ status: 409, code: 'conflict' },
    message: expect.stringMatching(/^DJ .+ changed this saved reply\. Reload/),
  })
  expect((await list())[0]?.answer).toBe('<p>One</p>')
  expect(await errorOf(save({ title: 'RESUME' }))).toMatchObject({ status: 409, code: 'name_taken' })
  // A reply may keep its own name.
  await save({ saved_reply_id, version: version + 1, title: 'RESUME' })
  const both = await Promise.allSettled([save({ title: 'Both' }), save({ title: 'both' })])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('of two saved replies given the same name at once, the second is refused', async () => {
  const { sql } = pool.ctx
  const [one, two] = [await save({ title: 'Resume' }), await save({ title: 'Refund' })]
  const concurrentUpdate = await sql.begin(async (first) => {
    await first`update saved_reply set title = 'Both' where saved_reply_id = ${one.saved_reply_id}`
    const { saved_reply_id, version } = two
    const second = errorOf(save({ saved_reply_id, version, title: 'both' }))
    await waitForBlocked(sql, 1)
    return { second }
  })
  expect(await concurrentUpdate.second).toMatchObject({
    code: 'name_taken',
    message: 'A saved reply named “both” already exists.',
  })
  expect((await list()).map(({ title }) => title).sort()).toEqual(['Both', 'Refund'])
})

test('records every change in the audit log with the values before and after', async () => {
  const { saved_reply_id, version } = await save({ answer: '<p>Old</p>' })
  await save({ saved_reply_id, version, answer: '<p>New</p>' })
  const remove = () => pool.ask(support.removeSavedReply, { saved_reply_id }, staffMember.token)
  await remove()
  expect(await errorOf(remove())).toMatchObject({ status: 404, code: 'unknown_saved_reply' })
  const auditActions = await pool.ctx.sql`
    select action, before, after from audit where subject = ${`saved reply ${saved_reply_id}`} order by audit_id`
  const [old, now] = ['<p>Old</p>', '<p>New</p>'].map((answer) => ({ title: 'Resume', answer }))
  expect(auditActions).toEqual([
    { action: 'saved reply created', before: null, after: old },
    { action: 'saved reply updated', before: old, after: now },
    { action: 'saved reply deleted', before: now, after: null },
  ])
})

test('the queue shows the median wait of waiting tickets and the median time to the first reply', async () => {
  const { sql } = pool.ctx
  await sql`delete from ticket`
  const readResponseTimes = async () => (await pool.ask(support.getQueue, {}, staffMember.token)).response_times
  expect(await readResponseTimes()).toEqual({ median_seconds: null, first_reply_seconds: null })
  for (const hours of [1, 3, 9]) {
    const ticket_number = await aTicket(pool, member.token)
    await sql`update ticket set waiting_since = now() - make_interval(hours => ${hours}) where ticket_number = ${ticket_number}`
  }
  expect((await readResponseTimes()).median_seconds).toBeCloseTo(3 * 3600, -2)
  const ticket_number = await aTicket(pool, member.token)
  await sql`update ticket set created_at = now() - interval '2 hours' where ticket_number = ${ticket_number}`
  for (const details of ['First', 'Second'])
    await pool.ask(support.answerTicket, { ticket_number, details, after_reply_id: 1e9 }, staffMember.token)
  expect((await readResponseTimes()).first_reply_seconds).toBeCloseTo(2 * 3600, -2)
})
