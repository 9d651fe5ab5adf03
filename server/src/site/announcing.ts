import { announcements, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { momentOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { fieldRefusal, Refusal, refuseTogether } from '../platform/refusal.ts'
import { cleanHtml, textOf } from '../platform/rich-text.ts'
import { shownMessage } from './announcements.ts'

/** Announcements as staff write them. */

const ANNOUNCEMENTS_A_PAGE = 24

type Row = Omit<announcements.StaffAnnouncement, 'published_at' | 'ended_at'> & {
  published_at: Date
  ended_at: Date | null
}

const stateOf = (sql: Sql) =>
  sql`case when published_at > now() then 'scheduled' when ended_at <= now() then 'ended' else 'current' end`

const columns = (sql: Sql) => sql`
  a.message_id, a.page_name, a.message, a.audience, ${stateOf(sql)} as state, a.published_at, a.ended_at, a.version,
  coalesce((select c.dj_name from customer c where c.customer_id = a.written_by and c.status <> 'deleted'), '') as written_by,
  (select count(*)::int from announcement_hidden h where h.message_id = a.message_id) as hidden_by`

const show = ({ published_at, ended_at, ...row }: Row): announcements.StaffAnnouncement => ({
  ...row,
  message: shownMessage(row.message),
  published_at: published_at.toISOString(),
  ended_at: ended_at?.toISOString() ?? null,
})

/** One page of the announcements in a state, newest first, and how many there are in each. */
export async function listAnnouncements(
  sql: Sql,
  { state, page }: ParsedInputOf<typeof announcements.getAnnouncements>,
): Promise<ReplyOf<typeof announcements.getAnnouncements>> {
  const [rows, counted] = await Promise.all([
    sql<Row[]>`
      select ${columns(sql)} from announcement a where ${stateOf(sql)} = ${state}
      order by a.published_at desc, a.message_id desc
      limit ${ANNOUNCEMENTS_A_PAGE} offset ${(page - 1) * ANNOUNCEMENTS_A_PAGE}`,
    sql<{ state: Row['state']; n: number }[]>`
      select ${stateOf(sql)} as state, count(*)::int as n from announcement group by 1`,
  ])
  const countOf = (state: Row['state']) => counted.find((row) => row.state === state)?.n ?? 0
  return {
    announcements: rows.map(show),
    counts: { current: countOf('current'), scheduled: countOf('scheduled'), ended: countOf('ended') },
    pagination: { page, perPageLimit: ANNOUNCEMENTS_A_PAGE, totalCount: countOf(state) },
  }
}

export async function readAnnouncement(sql: Sql, messageId: number): Promise<announcements.StaffAnnouncement> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from announcement a where a.message_id = ${messageId}`
  if (!row) throw new Refusal('unknown_announcement', 'This announcement no longer exists.')
  return show(row)
}

type Wish = ParsedInputOf<typeof announcements.saveAnnouncement> & { staff_id: number }

/**
 * Writes an announcement, in the caller's transaction, and answers its id. Of one that is there, a time that is not said
 * stays; null is now for its beginning, and never for its end. Refuses `unknown_announcement`, `conflict`,
 * `invalid_date_range`, and `empty_content` for a message whose words were all in what is not allowed.
 */
export async function saveAnnouncement(sql: Sql, wish: Wish): Promise<number> {
  const before = wish.message_id === undefined ? undefined : await holdUnchanged(sql, wish.message_id, wish.version)
  const times = await timesOf(sql, wish, before)
  await refuseTogether([() => refuseEmptied(wish.message), () => refuseEarlyEnd(times)])
  const written = { ...wish, ...times, message: cleanHtml(wish.message) }
  return wish.message_id === undefined
    ? addAnnouncement(sql, written)
    : changeAnnouncement(sql, { ...written, message_id: wish.message_id })
}

/** What can be told of an announcement while other fields of it are blank or wrong. Refuses as `saveAnnouncement`. */
export async function checkAnnouncement(
  sql: Sql,
  given: { message_id?: unknown; message?: unknown; published_at?: unknown; ended_at?: unknown },
): Promise<void> {
  const shape = announcements.saveAnnouncement.input.shape
  const messageId = parsed(shape.message_id, given.message_id)
  const message = parsed(shape.message, given.message)
  const times = parsed(timesInput, given)
  const [before] = messageId === undefined ? [] : await findTimes(sql, messageId)
  await refuseTogether([
    () => message !== undefined && refuseEmptied(message),
    async () => times && refuseEarlyEnd(await timesOf(sql, times, before)),
  ])
}

const timesInput = z.pick(announcements.saveAnnouncement.input, { published_at: true, ended_at: true })

function refuseEmptied(message: string): void {
  if (textOf(cleanHtml(message)) !== '') return
  throw fieldRefusal(
    'empty_content',
    'message',
    'The announcement is empty after removing unsupported HTML. Enter some text.',
  )
}

type Times = { published_at: Date; ended_at: Date | null }
type Held = Times & { version: number }
type Written = Omit<Wish, keyof Times> & Times

/** When it begins and ends; of one that is there, a time that is not said stays. */
async function timesOf(
  sql: Sql,
  { published_at, ended_at }: Pick<Wish, 'published_at' | 'ended_at'>,
  before: Times | undefined,
): Promise<Times> {
  return {
    published_at: (published_at === undefined && before?.published_at) || (await momentOrNow(sql, published_at)),
    ended_at: ended_at === undefined ? (before?.ended_at ?? null) : ended_at === null ? null : momentOf(ended_at),
  }
}

const momentOrNow = async (sql: Sql, said: string | null | undefined): Promise<Date> =>
  said ? momentOf(said) : databaseNow(sql)

const findTimes = (sql: Sql, messageId: number) =>
  sql<Held[]>`select published_at, ended_at, version from announcement where message_id = ${messageId}`

/** Refuses `unknown_announcement` and `conflict`. */
async function holdUnchanged(sql: Sql, messageId: number, version: number | undefined): Promise<Held> {
  await sql`select 1 from announcement where message_id = ${messageId} for update`
  const [before] = await findTimes(sql, messageId)
  if (!before) throw new Refusal('unknown_announcement', 'This announcement no longer exists.')
  if (before.version === version) return before
  throw new Refusal(
    'conflict',
    'Someone else changed this announcement while you were editing. Check their changes, then save again.',
  )
}

async function addAnnouncement(sql: Sql, wish: Written): Promise<number> {
  const [added] = await sql<{ message_id: number }[]>`
    insert into announcement (page_name, message, audience, published_at, ended_at, written_by)
    values (${wish.page_name}, ${wish.message}, ${wish.audience}, ${wish.published_at}, ${wish.ended_at}, ${wish.staff_id})
    returning message_id`
  if (!added) throw new Error('Announcement insert returned no id')
  return added.message_id
}

async function changeAnnouncement(sql: Sql, wish: Written & { message_id: number }): Promise<number> {
  await sql`
    update announcement set page_name = ${wish.page_name}, message = ${wish.message}, audience = ${wish.audience},
      published_at = ${wish.published_at}, ended_at = ${wish.ended_at}, version = version + 1
    where message_id = ${wish.message_id}`
  if (wish.show_again) await sql`delete from announcement_hidden where message_id = ${wish.message_id}`
  return wish.message_id
}

/** By the clock that says whether an announcement has begun. */
async function databaseNow(sql: Sql): Promise<Date> {
  const [clock] = await sql<[{ now: Date }]>`select now() as now`
  return clock.now
}

function refuseEarlyEnd({ published_at, ended_at }: Times): void {
  if (ended_at && ended_at.getTime() <= published_at.getTime())
    throw fieldRefusal('invalid_date_range', 'ended_at', 'The end must be after the start. Choose a later end.')
}

/**
 * Ends an announcement now; one that has not begun is thrown away, one that has ended stays as it is. Answers what became
 * of it. Refuses `unknown_announcement`.
 */
export async function endAnnouncement(sql: Sql, messageId: number): Promise<'ended' | 'deleted' | 'unchanged'> {
  const [thrown] = await sql`
    delete from announcement where message_id = ${messageId} and published_at > now() returning message_id`
  if (thrown) return 'deleted'
  const [ended] = await sql`
    update announcement set ended_at = now(), version = version + 1
    where message_id = ${messageId} and (ended_at is null or ended_at > now()) returning message_id`
  if (ended) return 'ended'
  await readAnnouncement(sql, messageId)
  return 'unchanged'
}
