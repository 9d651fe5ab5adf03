import { notices } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'
import { wantsMail } from './choices.ts'
import { type News, noticeSeen, notify, sweepNotices } from './notices.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

const ring = ({ customer_id }: Member, about: string, news: Partial<News> = {}) =>
  notify(pool.world.sql, { customer_id, kind: 'upload', text: `News of ${about}.`, address: '/news', about, ...news })

const told = async ({ token }: Member, page = 1) => pool.ask(notices.getNotices, { page }, token)
const textsOf = async (member: Member) => (await told(member)).notices.map(({ text }) => text)
const unreadOf = async ({ token }: Member) => (await pool.ask(notices.countUnread, {}, token)).unread

test('a member is told of what concerns them, the newest first, and nobody else is', async () => {
  const [member, other] = [await aMember(pool.world), await aMember(pool.world)]
  await ring(member, 'upload 1', { text: 'First.', address: '/song/7' })
  await ring(member, 'ticket 2', { text: 'Second.', kind: 'reply', address: '/ticket/details/2' })
  const { notices: mine, unread } = await told(member)
  expect(mine).toMatchObject([
    { kind: 'reply', text: 'Second.', address: '/ticket/details/2', is_read: false },
    { kind: 'upload', text: 'First.', address: '/song/7', is_read: false },
  ])
  expect(unread).toBe(2)
  expect(await told(other)).toMatchObject({ notices: [], unread: 0, pagination: { totalCount: 0 } })
  expect(await refusalOf(pool.ask(notices.getNotices, {}))).toMatchObject({ code: 'not_signed_in' })
})

test('of one thing there is one notice that is not read, the newest; what was read stays', async () => {
  const member = await aMember(pool.world)
  await ring(member, 'search 5', { text: '1 new song.' })
  await ring(member, 'upload 1', { text: 'Another thing.' })
  await ring(member, 'search 5', { text: '2 new songs.' })
  expect(await textsOf(member)).toEqual(['2 new songs.', 'Another thing.'])
  await noticeSeen(pool.world.sql, member.customer_id, 'search 5')
  await ring(member, 'search 5', { text: '1 more.' })
  expect(await textsOf(member)).toEqual(['1 more.', '2 new songs.', 'Another thing.'])
  expect(await unreadOf(member)).toBe(2)
})

test('reading some leaves the others, and reading all leaves none; nobody reads those of others', async () => {
  const [member, other] = [await aMember(pool.world), await aMember(pool.world)]
  for (const n of [1, 2, 3]) await ring(member, `upload ${n}`)
  const ids = (await told(member)).notices.map(({ notice_id }) => notice_id)
  const one = ids.slice(0, 1)
  expect(await pool.ask(notices.readNotices, { notice_ids: one }, other.token)).toEqual({ unread: 0 })
  expect(await unreadOf(member)).toBe(3)
  expect(await pool.ask(notices.readNotices, { notice_ids: one }, member.token)).toEqual({ unread: 2 })
  expect((await told(member)).notices.map(({ is_read }) => is_read)).toEqual([true, false, false])
  expect(await pool.ask(notices.readNotices, { notice_ids: [] }, member.token)).toEqual({ unread: 2 })
  expect(await pool.ask(notices.readNotices, {}, member.token)).toEqual({ unread: 0 })
})

test('a page has twenty-four, and none is on two pages or on none', async () => {
  const member = await aMember(pool.world)
  await pool.world.sql.begin(async (sql) => {
    for (let n = 0; n < 30; n++)
      await notify(sql, { customer_id: member.customer_id, kind: 'upload', text: 'x', address: '/', about: `n ${n}` })
  })
  const pages = await Promise.all([told(member, 1), told(member, 2), told(member, 3)])
  expect(pages.map((page) => page.notices.length)).toEqual([24, 6, 0])
  const ids = pages.flatMap((page) => page.notices.map(({ notice_id }) => notice_id))
  expect(new Set(ids).size).toBe(30)
  expect(pages[0]?.pagination).toEqual({ page: 1, perPageLimit: 24, totalCount: 30 })
})

test('everything comes by mail until a member chooses otherwise, kind by kind', async () => {
  const member = await aMember(pool.world)
  const by_mail = { reply: true, upload: false, search: true }
  expect(await pool.ask(notices.getChoices, {}, member.token)).toEqual({
    by_mail: { reply: true, upload: true, search: true },
  })
  expect(await pool.ask(notices.saveChoices, { by_mail }, member.token)).toEqual({ by_mail })
  expect(await pool.ask(notices.getChoices, {}, member.token)).toEqual({ by_mail })
  expect(await wantsMail(pool.world.sql, member.customer_id, 'upload')).toBe(false)
  expect(await wantsMail(pool.world.sql, member.customer_id, 'search')).toBe(true)
  await pool.ask(notices.saveChoices, { by_mail: { ...by_mail, upload: true } }, member.token)
  expect(await wantsMail(pool.world.sql, member.customer_id, 'upload')).toBe(true)
})

test('a notice goes ninety days after it was read, and after a hundred and eighty if it never was', async () => {
  const { sql } = pool.world
  const member = await aMember(pool.world)
  const aged = async (about: string, created: number, read: number | null) => {
    await ring(member, about, { text: about })
    await sql`
      update notice set created_at = now() - make_interval(days => ${created}),
        read_at = now() - make_interval(days => ${read}::int) where about = ${about}`
  }
  await aged('read long ago', 100, 91)
  await aged('read lately', 100, 89)
  await aged('never read', 179, null)
  await aged('never read for long', 181, null)
  await sweepNotices(sql)
  expect((await textsOf(member)).sort()).toEqual(['never read', 'read lately'])
})

test('a notice leads to a screen of the pool and nowhere else', async () => {
  const member = await aMember(pool.world)
  for (const address of ['https://elsewhere.test', '//elsewhere.test', '/\\elsewhere.test', '/a b', 'charts'])
    await expect(ring(member, 'x', { address }), address).rejects.toThrow('notice_address_check')
})
