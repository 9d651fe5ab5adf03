import { announcements, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import { ApiError, fieldError, throwAllErrors } from '../platform/api-error.ts'
import { parseDate } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { cleanHtml, textOf } from '../platform/rich-text.ts'
import { cachedMessage } from './announcements.ts'

/** Announcements, as staff manage them. */

const ANNOUNCEMENTS_PER_PAGE = 24

type StaffAnnouncementRow = Omit<announcements.StaffAnnouncement, 'published_at' | 'ended_at'> & {
  published_at: Date
  ended_at: Date | null
}

const stateOf = (sql: Sql) =>
  sql`case when published_at > now() then 'scheduled' when ended_at <= now() then 'ended' else 'current' end`

const columns = (sql: Sql) => sql`
  a.message_id, a.page_name, a.message, a.audience, ${stateOf(sql)} as state, a.published_at, a.ended_at, a.version,
  coalesce((select c.dj_name from customer c where c.customer_id = a.written_by and c.status <> 'deleted'), '') as written_by,
  (select count(*)::int from announcement_hidden h where h.message_id = a.message_id) as hidden_by`

const show = ({ published_at, ended_at, ...row }: StaffAnnouncementRow): announcements.StaffAnnouncement => ({
  ...row,
  message: cachedMessage(row.message),
  published_at: published_at.toISOString(),
  ended_at: ended_at?.toISOString() ?? null,
})

/** Returns one page of the announcements in a state, newest first, and the number in each state. */
export async function listAnnouncements(
  sql: Sql,
  { state, page }: ParsedInputOf<typeof announcements.getAnnouncements>,
): Promise<ReplyOf<typeof announcements.getAnnouncements>> {
  const [rows, counted] = await Promise.all([
    sql<StaffAnnouncementRow[]>`
      select ${columns(sql)} from announcement a where ${stateOf(sql)} = ${state}
      order by a.published_at desc, a.message_id desc
      limit ${ANNOUNCEMENTS_PER_PAGE} offset ${(page - 1) * ANNOUNCEMENTS_PER_PAGE}`,
    sql<{ state: StaffAnnouncementRow['state']; n: number }[]>`
      select ${stateOf(sql)} as state, count(*)::int as n from announcement group by 1`,
  ])
  const countOf = (state: StaffAnnouncementRow['state']) => counted.find((row) => row.state === state)?.n ?? 0
  return {
    announcements: rows.map(show),
    counts: { current: countOf('current'), scheduled: countOf('scheduled'), ended: countOf('ended') },
    pagination: { page, perPageLimit: ANNOUNCEMENTS_PER_PAGE, totalCount: countOf(state) },
  }
}

export async function readAnnouncement(sql: Sql, messageId: number): Promise<announcements.StaffAnnouncement> {
  const [row] = await sql<
    StaffAnnouncementRow[]
  >`select ${columns(sql)} from announcement a where a.message_id = ${messageId}`
  if (!row) throw new ApiError('unknown_announcement', 'This announcement no longer exists.')
  return show(row)
}

type AnnouncementParams = ParsedInputOf<typeof announcements.saveAnnouncement> & { staff_id: number }

/**
 * Saves an announcement, in the caller's transaction, and returns its id. For an existing one, an omitted time does not
 * change; null means now for the start, and never for the end. Throws `unknown_announcement`, `conflict`,
 * `invalid_date_range`, and `empty_content` for a message whose whole text is in tags that are not allowed.
 */
export async function saveAnnouncement(sql: Sql, params: AnnouncementParams): Promise<number> {
  const before =
    params.message_id === undefined
      ? undefined
      : await lockUnchangedAnnouncement(sql, params.message_id, params.version)
  const publicationTimes = await resolveTimes(sql, params, before)
  await throwAllErrors([() => rejectEmptied(params.message), () => rejectEarlyEnd(publicationTimes)])
  const values = { ...params, ...publicationTimes, message: cleanHtml(params.message) }
  return params.message_id === undefined
    ? insertAnnouncement(sql, values)
    : updateAnnouncement(sql, { ...values, message_id: params.message_id })
}

/**
 * Runs the checks of an announcement that are possible while other fields are invalid. Throws as `saveAnnouncement`.
 */
export async function checkAnnouncement(
  sql: Sql,
  rawInput: { message_id?: unknown; message?: unknown; published_at?: unknown; ended_at?: unknown },
): Promise<void> {
  const inputShape = announcements.saveAnnouncement.input.shape
  const messageId = parsed(inputShape.message_id, rawInput.message_id)
  const message = parsed(inputShape.message, rawInput.message)
  const publicationTimes = parsed(timesInput, rawInput)
  const [before] = messageId === undefined ? [] : await findTimes(sql, messageId)
  await throwAllErrors([
    () => message !== undefined && rejectEmptied(message),
    async () => publicationTimes && rejectEarlyEnd(await resolveTimes(sql, publicationTimes, before)),
  ])
}

const timesInput = z.pick(announcements.saveAnnouncement.input, { published_at: true, ended_at: true })

function rejectEmptied(message: string): void {
  if (textOf(cleanHtml(message)) !== '') return
  throw fieldError(
    'empty_content',
    'message',
    'The announcement is empty after removing unsupported HTML. Enter some text.',
  )
}

type PublicationTimes = { published_at: Date; ended_at: Date | null }
type LockedAnnouncement = PublicationTimes & { version: number }
type AnnouncementValues = Omit<AnnouncementParams, keyof PublicationTimes> & PublicationTimes

/** Returns its start and end; for an existing announcement, an omitted time does not change. */
async function resolveTimes(
  sql: Sql,
  { published_at, ended_at }: Pick<AnnouncementParams, 'published_at' | 'ended_at'>,
  before: PublicationTimes | undefined,
): Promise<PublicationTimes> {
  return {
    published_at: (published_at === undefined && before?.published_at) || (await dateOrNow(sql, published_at)),
    ended_at: ended_at === undefined ? (before?.ended_at ?? null) : ended_at === null ? null : parseDate(ended_at),
  }
}

const dateOrNow = async (sql: Sql, requestedDate: string | null | undefined): Promise<Date> =>
  requestedDate ? parseDate(requestedDate) : databaseNow(sql)

const findTimes = (sql: Sql, messageId: number) =>
  sql<LockedAnnouncement[]>`select published_at, ended_at, version from announcement where message_id = ${messageId}`

/** Throws `unknown_announcement` and `conflict`. */
async function lockUnchangedAnnouncement(
  sql: Sql,
  messageId: number,
  version: number | undefined,
): Promise<LockedAnnouncement> {
  await sql`select 1 from announcement where message_id = ${messageId} for update`
  const [before] = await findTimes(sql, messageId)
  if (!before) throw new ApiError('unknown_announcement', 'This announcement no longer exists.')
  if (before.version === version) return before
  throw new ApiError(
    'conflict',
    'Someone else changed this announcement while you were editing. Check their changes, then save again.',
  )
}

async function insertAnnouncement(sql: Sql, params: AnnouncementValues): Promise<number> {
  const [added] = await sql<{ message_id: number }[]>`
    insert into announcement (page_name, message, audience, published_at, ended_at, written_by)
    values (${params.page_name}, ${params.message}, ${params.audience}, ${params.published_at}, ${params.ended_at}, ${params.staff_id})
    returning message_id`
  if (!added) throw new Error('Announcement insert returned no id')
  return added.message_id
}

async function updateAnnouncement(sql: Sql, params: AnnouncementValues & { message_id: number }): Promise<number> {
  await sql`
    update announcement set page_name = ${params.page_name}, message = ${params.message}, audience = ${params.audience},
      published_at = ${params.published_at}, ended_at = ${params.ended_at}, version = version + 1
    where message_id = ${params.message_id}`
  if (params.show_again) await sql`delete from announcement_hidden where message_id = ${params.message_id}`
  return params.message_id
}

/** The database's clock decides whether an announcement has begun. */
async function databaseNow(sql: Sql): Promise<Date> {
  const [serverTime] = await sql<[{ now: Date }]>`select now() as now`
  return serverTime.now
}

function rejectEarlyEnd({ published_at, ended_at }: PublicationTimes): void {
  if (ended_at && ended_at.getTime() <= published_at.getTime())
    throw fieldError('invalid_date_range', 'ended_at', 'The end must be after the start. Choose a later end.')
}

/**
 * Ends an announcement now; one that has not begun is deleted, one that has ended does not change. Returns what was
 * done. Throws `unknown_announcement`.
 */
export async function endAnnouncement(sql: Sql, messageId: number): Promise<'ended' | 'deleted' | 'unchanged'> {
  const [deletedAnnouncement] = await sql`
    delete from announcement where message_id = ${messageId} and published_at > now() returning message_id`
  if (deletedAnnouncement) return 'deleted'
  const [ended] = await sql`
    update announcement set ended_at = now(), version = version + 1
    where message_id = ${messageId} and (ended_at is null or ended_at > now()) returning message_id`
  if (ended) return 'ended'
  await readAnnouncement(sql, messageId)
  return 'unchanged'
}
