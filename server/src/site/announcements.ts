import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { memoize } from '../platform/memoize.ts'
import { cleanHtml } from '../platform/rich-text.ts'

/** The viewer: undefined for a visitor. */
export type Viewer = Pick<Caller, 'customer_id' | 'purpose' | 'payment_profile_status'> | undefined

const MESSAGE_CACHE_SIZE = 200

/** Sanitised when it is read, too: a stored message may predate the current rules. */
export const cachedMessage = memoize(cleanHtml, MESSAGE_CACHE_SIZE)

/** Matches announcements that have begun and not ended. */
export const currentCondition = (sql: Sql) => sql`published_at <= now() and (ended_at is null or ended_at > now())`

/** Matches announcements for this viewer; an applicant sees what visitors see. */
export const audienceCondition = (sql: Sql, viewer: Viewer) =>
  viewer && viewer.purpose !== 'applicant'
    ? sql`audience in ('all', ${viewer.payment_profile_status})`
    : sql`audience = 'all'`

/** Returns the current announcements of a page, without those this member has hidden. */
export async function listAnnouncementsFor(sql: Sql, pageName: string, viewer: Viewer) {
  const rows = await sql<{ message_id: number; message: string }[]>`
    select message_id, message from announcement a
    where page_name = ${pageName} and ${currentCondition(sql)} and ${audienceCondition(sql, viewer)}
      and not exists (
        select 1 from announcement_hidden h where h.customer_id = ${viewer?.customer_id ?? 0} and h.message_id = a.message_id)
    order by published_at desc, message_id desc`
  return rows.map(({ message_id, message }) => ({ message_id, message: cachedMessage(message) }))
}

/** Records that a member has hidden an announcement. Throws `unknown_announcement` for one they cannot see. */
export async function hideAnnouncement(sql: Sql, messageId: number, viewer: Viewer): Promise<void> {
  const [announcement] = await sql`
    select 1 from announcement where message_id = ${messageId} and ${currentCondition(sql)} and ${audienceCondition(sql, viewer)}`
  if (!announcement) throw new ApiError('unknown_announcement', 'This announcement no longer exists.')
  // The id 0 is an applicant, who is not a customer yet.
  if (!viewer?.customer_id) return
  await sql`insert into announcement_hidden (customer_id, message_id) values (${viewer.customer_id}, ${messageId}) on conflict do nothing`
}
