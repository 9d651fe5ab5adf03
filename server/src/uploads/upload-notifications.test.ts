import { notices, review, uploadedSongs } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, songData } from '../../test/upload-makers.ts'
import { remindUploaders } from './expiry.ts'

let pool: TestPool
let house: number
let staff: Member
const clock = { days: 0 }
beforeAll(async () => {
  pool = await openTestPool()
  pool.ctx.now = () => new Date(Date.now() + clock.days * 24 * 3600 * 1000)
  house = await aGenre(pool.ctx, 'House')
  staff = await aMember(pool.ctx, { staff_role: 'curator' })
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>

async function aSongOf(member: Member, title: string) {
  const song = await anUpload(pool.ctx, member)
  const { entity_id } = await pool.ask(
    uploadedSongs.createSong,
    { songData: songData({ title, genres: [house] }), versions: [{ new_label: 'Clean', song }] },
    member.token,
  )
  return { entity_id, version: 1 }
}

type Songs = Awaited<ReturnType<typeof aSongOf>>[]
const decide = (songs: Songs, decision: 'publish' | 'decline') =>
  pool.ask(review.decideUploads, { songs, decision, reason: decision === 'decline' ? 'It clips.' : '' }, staff.token)

const notificationsOf = async ({ token }: Member) =>
  (await pool.ask(notices.getNotices, {}, token)).notices.map(({ text, address }) => [text, address])
const emailsTo = async ({ email }: Member) =>
  (await pool.ctx.sql`select subject from outgoing_mail where to_address = ${email} order by mail_id`).map(
    ({ subject }) => subject,
  )

test('notifies an uploader that a song was published, with its link', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  await decide([await aSongOf(member, 'Let in')], 'publish')
  const [song] = await pool.ctx.sql`select entity_id from song where title = 'Let in'`
  expect(await notificationsOf(member)).toEqual([['“Let in” has been published.', `/song/${song?.entity_id}`]])
  expect(await emailsTo(member)).toEqual(['“Let in” has been published'])
})

test('a decline notification stays unread until its uploader opens the song', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  const song = await aSongOf(member, 'Kept out')
  await decide([song], 'decline')
  expect(await notificationsOf(member)).toEqual([['“Kept out” was declined.', `/uploads/edit-song/${song.entity_id}`]])
  await pool.ask(uploadedSongs.getSongEntry, { entity_id: song.entity_id }, member.token)
  expect(await pool.ask(notices.countUnread, {}, member.token)).toEqual({ unread: 0 })
})

test('a batch of decisions is one notification for each uploader, which counts only their own songs', async () => {
  const [many, one] = [await aMember(pool.ctx, { group_id: 3 }), await aMember(pool.ctx, { group_id: 3 })]
  const songs = [await aSongOf(many, 'One'), await aSongOf(many, 'Two'), await aSongOf(many, 'Three')]
  const stale = { ...(await aSongOf(many, 'Four')), version: 9 }
  const { done, left } = await decide([...songs, stale, await aSongOf(one, 'Alone')], 'publish')
  expect([done.length, left.length]).toEqual([4, 1])
  expect(await notificationsOf(many)).toEqual([
    ['3 of your songs have been published.', '/uploads/index?status=published'],
  ])
  expect((await notificationsOf(one))[0]?.[0]).toBe('“Alone” has been published.')
})

test('expiring songs are one notification, which opening the list of uploads marks as read', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  await decide([await aSongOf(member, 'Goes first'), await aSongOf(member, 'Goes second')], 'publish')
  clock.days = 84
  while (await remindUploaders(pool.ctx));
  clock.days = 0
  expect((await notificationsOf(member))[0]).toEqual([
    '2 of your songs expire soon.',
    '/uploads/index?sort=expire_date&dir=ASC',
  ])
  const before = await pool.ask(notices.countUnread, {}, member.token)
  await pool.ask(uploadedSongs.getUploadedSongs, {}, member.token)
  expect((await pool.ask(notices.countUnread, {}, member.token)).unread).toBe(before.unread - 1)
})

test('a member without emails about uploads gets none, but is still notified', async () => {
  const member = await aMember(pool.ctx, { group_id: 3 })
  await pool.ask(notices.saveChoices, { by_email: { reply: true, upload: false, search: true } }, member.token)
  await decide([await aSongOf(member, 'Quietly in')], 'publish')
  await decide([await aSongOf(member, 'Quietly out')], 'decline')
  clock.days = 84
  while (await remindUploaders(pool.ctx));
  clock.days = 0
  expect(await emailsTo(member)).toEqual([])
  expect(await notificationsOf(member)).toHaveLength(3)
})
