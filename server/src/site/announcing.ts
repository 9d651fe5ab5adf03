import type { announcements, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { momentOf } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
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
  if (!row) throw new Refusal('unknown_announcement', 'There is no such announcement any more.')
  return show(row)
}

type Wish = ParsedInputOf<typeof announcements.saveAnnouncement> & { staff_id: number }

/**
 * Writes an announcement, in the caller's transaction, and answers its id. Of one that is there, a time that is not said
 * stays; null is now for its beginning, and never for its end. Refuses `unknown_announcement`, `changed_meanwhile`,
 * `ends_before_it_begins`, and `nothing_left` for a message whose words were all in what is not allowed.
 */
export async function saveAnnouncement(sql: Sql, wish: Wish): Promise<number> {
  const message = cleanHtml(wish.message)
  if (textOf(message) === '') {
    throw new Refusal(
      'nothing_left',
      'Nothing is left of this once what is not allowed was taken out. Write some words.',
    )
  }
  return wish.message_id === undefined
    ? addAnnouncement(sql, { ...wish, message })
    : changeAnnouncement(sql, { ...wish, message, message_id: wish.message_id })
}

async function addAnnouncement(sql: Sql, wish: Wish): Promise<number> {
  const published = wish.published_at ? momentOf(wish.published_at) : await databaseNow(sql)
  const ended = wish.ended_at ? momentOf(wish.ended_at) : null
  refuseEarlyEnd(published, ended)
  const [added] = await sql<{ message_id: number }[]>`
    insert into announcement (page_name, message, audience, published_at, ended_at, written_by)
    values (${wish.page_name}, ${wish.message}, ${wish.audience}, ${published}, ${ended}, ${wish.staff_id})
    returning message_id`
  if (!added) throw new Error('An announcement was added, but the database gave no id.')
  return added.message_id
}

async function changeAnnouncement(sql: Sql, wish: Wish & { message_id: number }): Promise<number> {
  const [before] = await sql<{ published_at: Date; ended_at: Date | null; version: number }[]>`
    select published_at, ended_at, version from announcement where message_id = ${wish.message_id} for update`
  if (!before) throw new Refusal('unknown_announcement', 'There is no such announcement any more.')
  if (before.version !== wish.version) {
    throw new Refusal('changed_meanwhile', 'Somebody else has changed this announcement meanwhile. Look at it again.')
  }
  const published = await changed(wish.published_at, before.published_at, () => databaseNow(sql))
  const ended = await changed(wish.ended_at, before.ended_at, async () => null)
  refuseEarlyEnd(published, ended)
  await sql`
    update announcement set page_name = ${wish.page_name}, message = ${wish.message}, audience = ${wish.audience},
      published_at = ${published}, ended_at = ${ended}, version = version + 1
    where message_id = ${wish.message_id}`
  if (wish.show_again) await sql`delete from announcement_hidden where message_id = ${wish.message_id}`
  return wish.message_id
}

/** What a time is now: as it was where nothing is said of it, what null stands for, or the moment that was chosen. */
async function changed<T extends Date | null>(said: string | null | undefined, was: T, none: () => Promise<T>) {
  if (said === undefined) return was
  return said === null ? none() : momentOf(said)
}

/** By the clock that says whether an announcement has begun. */
async function databaseNow(sql: Sql): Promise<Date> {
  const [clock] = await sql<[{ now: Date }]>`select now() as now`
  return clock.now
}

function refuseEarlyEnd(published: Date, ended: Date | null): void {
  if (ended && ended.getTime() <= published.getTime()) {
    throw new Refusal('ends_before_it_begins', 'It would end before it begins. Choose a later end.')
  }
}

/**
 * Ends an announcement now; one that has not begun is thrown away, one that has ended stays as it is. Answers what became
 * of it. Refuses `unknown_announcement`.
 */
export async function endAnnouncement(sql: Sql, messageId: number): Promise<'ended' | 'thrown away' | 'left alone'> {
  const [thrown] = await sql`
    delete from announcement where message_id = ${messageId} and published_at > now() returning message_id`
  if (thrown) return 'thrown away'
  const [ended] = await sql`
    update announcement set ended_at = now(), version = version + 1
    where message_id = ${messageId} and (ended_at is null or ended_at > now()) returning message_id`
  if (ended) return 'ended'
  await readAnnouncement(sql, messageId)
  return 'left alone'
}
