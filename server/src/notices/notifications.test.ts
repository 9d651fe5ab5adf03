import { notices } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { wantsEmail } from './notification-choices.ts'
import { markNotificationSeen, type NewNotification, notify, sweepNotifications } from './notifications.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

const notifyMember = ({ customer_id }: Member, subject: string, overrides: Partial<NewNotification> = {}) =>
  notify(pool.ctx.sql, {
    customer_id,
    kind: 'upload',
    text: `News of ${subject}.`,
    address: '/news',
    about: subject,
    ...overrides,
  })

const listFor = async ({ token }: Member, page = 1) => pool.ask(notices.getNotices, { page }, token)
const listTexts = async (member: Member) => (await listFor(member)).notices.map(({ text }) => text)
const countUnreadFor = async ({ token }: Member) => (await pool.ask(notices.countUnread, {}, token)).unread

test('lists a member’s own notifications, newest first', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await notifyMember(member, 'upload 1', { text: 'First.', address: '/song/7' })
  await notifyMember(member, 'ticket 2', { text: 'Second.', kind: 'reply', address: '/ticket/details/2' })
  const { notices: mine, unread } = await listFor(member)
  expect(mine).toMatchObject([
    { kind: 'reply', text: 'Second.', address: '/ticket/details/2', is_read: false },
    { kind: 'upload', text: 'First.', address: '/song/7', is_read: false },
  ])
  expect(unread).toBe(2)
  expect(await listFor(other)).toMatchObject({ notices: [], unread: 0, pagination: { totalCount: 0 } })
  expect(await errorOf(pool.ask(notices.getNotices, {}))).toMatchObject({ code: 'not_signed_in' })
})

test('keeps one unread notification per subject, the newest; read ones stay', async () => {
  const member = await aMember(pool.ctx)
  await notifyMember(member, 'search 5', { text: '1 new song.' })
  await notifyMember(member, 'upload 1', { text: 'Another thing.' })
  await notifyMember(member, 'search 5', { text: '2 new songs.' })
  expect(await listTexts(member)).toEqual(['2 new songs.', 'Another thing.'])
  await markNotificationSeen(pool.ctx.sql, member.customer_id, 'search 5')
  await notifyMember(member, 'search 5', { text: '1 more.' })
  expect(await listTexts(member)).toEqual(['1 more.', '2 new songs.', 'Another thing.'])
  expect(await countUnreadFor(member)).toBe(2)
})

test('marks chosen or all notifications as read, but never those of other members', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  for (const n of [1, 2, 3]) await notifyMember(member, `upload ${n}`)
  const ids = (await listFor(member)).notices.map(({ notification_id }) => notification_id)
  const one = ids.slice(0, 1)
  expect(await pool.ask(notices.readNotices, { notification_ids: one }, other.token)).toEqual({ unread: 0 })
  expect(await countUnreadFor(member)).toBe(3)
  expect(await pool.ask(notices.readNotices, { notification_ids: one }, member.token)).toEqual({ unread: 2 })
  expect((await listFor(member)).notices.map(({ is_read }) => is_read)).toEqual([true, false, false])
  expect(await pool.ask(notices.readNotices, { notification_ids: [] }, member.token)).toEqual({ unread: 2 })
  expect(await pool.ask(notices.readNotices, {}, member.token)).toEqual({ unread: 0 })
})

test('has twenty-four notifications per page, each on exactly one page', async () => {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql.begin(async (sql) => {
    for (let n = 0; n < 30; n++)
      await notify(sql, { customer_id: member.customer_id, kind: 'upload', text: 'x', address: '/', about: `n ${n}` })
  })
  const pages = await Promise.all([listFor(member, 1), listFor(member, 2), listFor(member, 3)])
  expect(pages.map((page) => page.notices.length)).toEqual([24, 6, 0])
  const ids = pages.flatMap((page) => page.notices.map(({ notification_id }) => notification_id))
  expect(new Set(ids).size).toBe(30)
  expect(pages[0]?.pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 30 })
})

test('sends all kinds by email until a member chooses otherwise for a kind', async () => {
  const member = await aMember(pool.ctx)
  const by_email = { reply: true, upload: false, search: true }
  expect(await pool.ask(notices.getChoices, {}, member.token)).toEqual({
    by_email: { reply: true, upload: true, search: true },
  })
  expect(await pool.ask(notices.saveChoices, { by_email }, member.token)).toEqual({ by_email })
  expect(await pool.ask(notices.getChoices, {}, member.token)).toEqual({ by_email })
  expect(await wantsEmail(pool.ctx.sql, member.customer_id, 'upload')).toBe(false)
  expect(await wantsEmail(pool.ctx.sql, member.customer_id, 'search')).toBe(true)
  await pool.ask(notices.saveChoices, { by_email: { ...by_email, upload: true } }, member.token)
  expect(await wantsEmail(pool.ctx.sql, member.customer_id, 'upload')).toBe(true)
})

test('deletes a notification 90 days after it was read, or 180 days after it was created', async () => {
  const { sql } = pool.ctx
  const member = await aMember(pool.ctx)
  const createAged = async (subject: string, createdDays: number, readDays: number | null) => {
    await notifyMember(member, subject, { text: subject })
    await sql`
      update notification set created_at = now() - make_interval(days => ${createdDays}),
        read_at = now() - make_interval(days => ${readDays}::int) where subject = ${subject}`
  }
  await createAged('read long ago', 100, 91)
  await createAged('read lately', 100, 89)
  await createAged('never read', 179, null)
  await createAged('never read for long', 181, null)
  await sweepNotifications(sql)
  expect((await listTexts(member)).sort()).toEqual(['never read', 'read lately'])
})

test('a notification only links to a page of the pool', async () => {
  const member = await aMember(pool.ctx)
  for (const address of ['https://elsewhere.test', '//elsewhere.test', '/\\elsewhere.test', '/a b', 'charts'])
    await expect(notifyMember(member, 'x', { address }), address).rejects.toThrow('notification_address_check')
})
