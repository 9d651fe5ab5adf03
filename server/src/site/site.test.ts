import { site } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, refusalOf, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  await pool.world.sql`
    insert into announcement (page_name, message, published_at, ended_at) values
      ('mp3_home', 'now', now(), null), ('mp3_home', 'over', now() - interval '2 days', now() - interval '1 day'),
      ('mp3_home', 'to come', now() + interval '1 day', null), ('mp3_chart', 'elsewhere', now(), null)`
})
afterAll(() => pool.close())

const announced = async (token?: string) =>
  (await pool.ask(site.getAnnouncements, { page_name: 'mp3_home' }, token)).announcements

test('a page has its own announcements, from their beginning to their end', async () => {
  expect((await announced()).map((one) => one.message)).toEqual(['now'])
})

test('what one member hides stays hidden for that member alone', async () => {
  const [mine, other] = [await aMember(pool.world), await aMember(pool.world)]
  const [shown] = await announced(mine.token)
  await pool.ask(site.hideAnnouncement, { message_id: shown?.message_id ?? 0 }, mine.token)
  expect(await announced(mine.token)).toEqual([])
  expect(await announced(other.token)).toEqual([shown])
  expect(await announced()).toEqual([shown])
})

test('an announcement that is not there cannot be hidden', async () => {
  const hidden = pool.ask(site.hideAnnouncement, { message_id: 999_999 })
  expect(await refusalOf(hidden)).toMatchObject({ status: 404, code: 'unknown_announcement' })
})

test('a pool without the demo names no demo members', async () => {
  expect((await pool.ask(site.getPool, {})).demo_members).toEqual([])
})
