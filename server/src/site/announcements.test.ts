import { announcements, site } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { openSession } from '../membership/session.ts'

let pool: TestPool
let staff: { customer_id: number; token: string }
let paid: string
let unpaid: string
beforeAll(async () => {
  pool = await openTestPool()
  staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator', payment_profile_status: 'unpaid' })
  paid = (await aMember(pool.ctx)).token
  unpaid = (await aMember(pool.ctx, { payment_profile_status: 'unpaid' })).token
})
afterAll(() => pool.close())
beforeEach(() => pool.ctx.sql`delete from announcement`)

type AnnouncementOverrides = Partial<Parameters<typeof pool.ask<typeof announcements.saveAnnouncement>>[1]>
const save = async (overrides: AnnouncementOverrides = {}) => {
  const input = { page_name: 'mp3_home' as const, message: '<p>Hello</p>', ...overrides }
  return (await pool.ask(announcements.saveAnnouncement, input, staff.token)).announcement
}
const visibleMessages = async (token?: string) =>
  (await pool.ask(site.getAnnouncements, { page_name: 'mp3_home' }, token)).announcements.map((one) => one.message)
const news = async (token?: string) => (await pool.ask(site.getNews, {}, token)).announcements.map((one) => one.message)
const list = async (state: (typeof announcements.ANNOUNCEMENT_STATES)[number]) =>
  pool.ask(announcements.getAnnouncements, { state }, staff.token)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const hide = (message_id: number, token?: string) => pool.ask(site.hideAnnouncement, { message_id }, token)

test('an announcement is shown at once, sanitised, with its author', async () => {
  const cached = await save({ message: '<p onclick="x()">New <b>cuts</b><script>alert(1)</script></p>' })
  expect(cached).toMatchObject({
    ...{ message: '<p>New <b>cuts</b></p>', state: 'current', audience: 'all', ended_at: null },
    ...{ hidden_by: 0, version: 1, page_name: 'mp3_home' },
  })
  expect(cached.written_by).toMatch(/^DJ \d+$/)
  expect(await visibleMessages()).toEqual(['<p>New <b>cuts</b></p>'])
  expect(await pool.ctx.sql`select message from announcement`).toEqual([{ message: cached.message }])
})

test('sanitises stored announcements when they are read', async () => {
  await pool.ctx.sql`
    insert into announcement (page_name, message) values ('mp3_home', '<img src=x onerror=alert(1)>Old <a href="javascript:x">link</a>')`
  for (const messages of [
    await visibleMessages(),
    await news(),
    (await list('current')).announcements.map((one) => one.message),
  ])
    expect(messages).toEqual(['Old <a>link</a>'])
})

test('everyone sees announcements for all; others only their audience', async () => {
  for (const audience of announcements.AUDIENCES) await save({ audience, message: audience })
  for (const seen of [visibleMessages, news]) {
    expect((await seen()).toSorted()).toEqual(['all'])
    expect((await seen(paid)).toSorted()).toEqual(['all', 'paid'])
    expect((await seen(unpaid)).toSorted()).toEqual(['all', 'unpaid'])
  }
  expect((await pool.ask(site.getNews, {}, paid)).pagination.totalCount).toBe(2)
  const { customer_id } = await aMember(pool.ctx, { application: 'pending' })
  const applicant = await openSession(pool.ctx.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
  expect(await visibleMessages(applicant)).toEqual(['all'])
})

test('nobody can hide an announcement they cannot see', async () => {
  const paidAnnouncement = await save({ audience: 'paid' })
  const scheduledAnnouncement = await save({ published_at: inDays(1) })
  for (const [id, token] of [
    [paidAnnouncement.message_id, unpaid],
    [paidAnnouncement.message_id],
    [scheduledAnnouncement.message_id, paid],
  ] as const)
    expect(await errorOf(hide(id, token))).toMatchObject({ code: 'unknown_announcement', status: 404 })
  await hide(paidAnnouncement.message_id, paid)
  expect(await visibleMessages(paid)).toEqual([])
})

test('an announcement is upcoming, current or past', async () => {
  const scheduledAnnouncement = await save({ message: 'to come', published_at: inDays(2), ended_at: inDays(3) })
  await save({ message: 'over', published_at: inDays(-3), ended_at: inDays(-2) })
  await save({ message: 'now', ended_at: inDays(1) })
  expect(scheduledAnnouncement).toMatchObject({ state: 'scheduled', ended_at: expect.any(String) })
  expect(await visibleMessages()).toEqual(['now'])
  for (const [state, message] of [
    ['current', 'now'],
    ['scheduled', 'to come'],
    ['ended', 'over'],
  ] as const) {
    const { announcements, counts, pagination } = await list(state)
    expect(announcements.map((one) => one.message)).toEqual([message])
    expect(counts).toEqual({ current: 1, scheduled: 1, ended: 1 })
    expect(pagination.totalCount).toBe(1)
  }
})

test('an announcement cannot end before it begins, nor on a day that does not exist', async () => {
  const early = save({ published_at: inDays(2), ended_at: inDays(1) })
  expect(await errorOf(early)).toMatchObject({ code: 'invalid_date_range', status: 422 })
  expect(await errorOf(save({ ended_at: inDays(-1) }))).toMatchObject({ code: 'invalid_date_range' })
  for (const published_at of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
    expect(await errorOf(save({ published_at }))).toMatchObject({ code: 'invalid_request', status: 400 })
})

test.each(['<script>alert(1)</script>', '<p> <br></p>', '<img src="x">', '<p>&nbsp;</p>'])(
  'refuses %s, of which sanitising leaves nothing',
  async (message) => {
    expect(await errorOf(save({ message }))).toMatchObject({ code: 'empty_content', status: 422 })
    expect((await list('current')).announcements).toEqual([])
  },
)

test('the second of two simultaneous changes gets a conflict', async () => {
  const { message_id, version, published_at } = await save({ ended_at: inDays(5) })
  const changed = await save({ message_id, version, message: 'first' })
  expect(changed).toMatchObject({ version: 2, published_at, ended_at: expect.any(String), message: 'first' })
  expect(await errorOf(save({ message_id, version, message: 'second' }))).toMatchObject({
    ...{ code: 'conflict', status: 409 },
  })
  expect(await errorOf(save({ message_id, message: 'without one' }))).toMatchObject({ code: 'conflict' })
  expect(await errorOf(save({ message_id: 999_999, version: 1 }))).toMatchObject({ code: 'unknown_announcement' })
  expect(await visibleMessages()).toEqual(['first'])
  const openEnded = await save({ message_id, version: 2, ended_at: null })
  expect(openEnded).toMatchObject({ ended_at: null, published_at, version: 3 })
})

test('a member who hid an announcement only sees it again if staff choose so', async () => {
  const { message_id } = await save()
  await hide(message_id, paid)
  expect((await list('current')).announcements[0]?.hidden_by).toBe(1)
  await save({ message_id, version: 1, message: 'corrected' })
  expect(await visibleMessages(paid)).toEqual([])
  expect(await save({ message_id, version: 2, message: 'shown again', show_again: true })).toMatchObject({
    hidden_by: 0,
  })
  expect(await visibleMessages(paid)).toEqual(['shown again'])
})

test('ending sets the end to now, deletes one that has not begun, and does not change one that has ended', async () => {
  const end = (message_id: number) => pool.ask(announcements.endAnnouncement, { message_id }, staff.token)
  const current = await save({ message: 'current' })
  const scheduledAnnouncement = await save({ published_at: inDays(1) })
  await end(current.message_id)
  await end(scheduledAnnouncement.message_id)
  expect(await visibleMessages()).toEqual([])
  const { announcements: ended, counts } = await list('ended')
  expect(counts).toEqual({ current: 0, scheduled: 0, ended: 1 })
  await end(current.message_id)
  expect((await list('ended')).announcements).toEqual(ended)
  expect(await errorOf(end(scheduledAnnouncement.message_id))).toMatchObject({ code: 'unknown_announcement' })
})

test('every change is in the audit log, without the text', async () => {
  await pool.ctx.sql`delete from audit`
  const { message_id } = await save({ message: 'About somebody', audience: 'paid' })
  await save({ message_id, version: 1, message: 'About somebody' })
  await pool.ask(announcements.endAnnouncement, { message_id }, staff.token)
  const auditEntries = await pool.ctx.sql`select staff_id, action, subject, after from audit order by audit_id`
  expect(auditEntries.map(({ action, subject, staff_id }) => [action, subject, staff_id])).toEqual(
    ['created', 'updated', 'ended'].map((what) => [
      ...[`announcement ${what}`, `announcement ${message_id}`, staff.customer_id],
    ]),
  )
  expect(JSON.stringify(auditEntries)).not.toContain('somebody')
  expect(auditEntries[0]?.after).toMatchObject({ audience: 'paid', page_name: 'mp3_home' })
})
