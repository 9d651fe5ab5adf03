import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'

/** Which announcements have begun and not ended. */
export const isCurrent = (sql: Sql) => sql`published_at <= now() and (ended_at is null or ended_at > now())`

/** The announcements of a page now, without those this member has hidden. */
export const announcementsFor = async (sql: Sql, pageName: string, customerId: number | undefined) =>
  sql<{ message_id: number; message: string }[]>`
    select message_id, message from announcement a
    where page_name = ${pageName} and ${isCurrent(sql)}
      and not exists (select 1 from announcement_hidden h where h.customer_id = ${customerId ?? 0} and h.message_id = a.message_id)
    order by published_at desc, message_id desc`

/** Remembers that a member has hidden an announcement. Refuses `unknown_announcement`. */
export async function hideAnnouncement(sql: Sql, messageId: number, customerId: number | undefined): Promise<void> {
  const [announcement] = await sql`select 1 from announcement where message_id = ${messageId}`
  if (!announcement) throw new Refusal('unknown_announcement', 'There is no such announcement any more.')
  if (customerId === undefined) return
  await sql`insert into announcement_hidden (customer_id, message_id) values (${customerId}, ${messageId}) on conflict do nothing`
}
