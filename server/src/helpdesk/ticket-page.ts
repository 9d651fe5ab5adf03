import type { helpdesk, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import type { Asker } from '../membership/asker.ts'
import { noticeSeen } from '../notices/notices.ts'
import type { Pool } from '../platform/db.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import type { World } from '../world.ts'
import { showFiles, type Viewer } from './files.ts'
import { listReplies } from './replies.ts'
import { asTicket, findTicket, type WholeRow } from './tickets.ts'
import { watchAddress } from './watch.ts'

/** The ticket as its page shows it. */
export async function showTicket(world: World, viewer: Viewer, row: WholeRow): Promise<helpdesk.WholeTicket> {
  const { sql } = world
  const files = await showFiles(world, viewer, sql`ticket_number = ${row.ticket_number} and reply_id is null`)
  const { customer_id: _, closed_at, details, author, ...ticket } = row
  return {
    ...asTicket(ticket),
    details: cleanHtml(details),
    author,
    attachments: files.map(({ reply_id: _, ...file }) => file),
    closed_at: closed_at?.toISOString() ?? null,
  }
}

/**
 * One's own ticket with a page of its replies, which count as seen from now on unless staff look as its writer. Refuses `unknown_ticket`.
 */
export async function readTicket(
  world: World,
  viewer: Viewer & Pick<Asker, 'purpose'>,
  { ticket_number, page, pageLimit }: ParsedInputOf<typeof helpdesk.getTicket>,
): Promise<ReplyOf<typeof helpdesk.getTicket>> {
  const { sql } = world
  const row = await findTicket(sql, ticket_number, viewer.customer_id)
  const { replies, pagination } = await listReplies(world, viewer, { ticket_number, page, pageLimit })
  if (viewer.purpose !== 'viewer') await markSeen(sql, row, replies.at(-1)?.id ?? 0)
  return {
    ticket: await showTicket(world, viewer, row),
    replies,
    pagination,
    watch_url: watchAddress(world, viewer, row),
  }
}

/** The bell goes on telling of what stands on another page. Whoever answers meanwhile waits for the row, and tells after. */
async function markSeen(sql: Pool, { ticket_number, customer_id, unread }: WholeRow, replyId: number): Promise<void> {
  if (unread === 0 || replyId === 0) return
  await sql.begin(async (sql) => {
    await sql`
      update ticket set seen_reply_id = greatest(seen_reply_id, ${replyId}) where ticket_number = ${ticket_number}`
    const left = await sql`
      select 1 from ticket t join reply r using (ticket_number)
      where ticket_number = ${ticket_number} and r.by_staff and r.reply_id > t.seen_reply_id limit 1`
    if (left.length === 0) await noticeSeen(sql, customer_id, `ticket ${ticket_number}`)
  })
}
