import type { helpdesk, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { markNotificationSeen } from '../notices/notifications.ts'
import type { Pool } from '../platform/db.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import { listSignedFiles, type Viewer } from './files.ts'
import { listReplies } from './replies.ts'
import { createWatchUrl } from './ticket-stream.ts'
import { findTicket, type TicketDetailRow, toTicket } from './tickets.ts'

/** Returns the ticket as its page shows it. */
export async function buildTicketPage(
  ctx: AppContext,
  viewer: Viewer,
  row: TicketDetailRow,
): Promise<helpdesk.TicketDetails> {
  const { sql } = ctx
  const files = await listSignedFiles(ctx, viewer, sql`ticket_number = ${row.ticket_number} and reply_id is null`)
  const { customer_id: _, closed_at, details, author, ...ticket } = row
  return {
    ...toTicket(ticket),
    details: cleanHtml(details),
    author,
    attachments: files.map(({ reply_id: _, ...file }) => file),
    closed_at: closed_at?.toISOString() ?? null,
  }
}

/**
 * Returns a member's own ticket with a page of its replies, which are then marked as seen, except in a “View as member”
 * session. Throws `unknown_ticket`.
 */
export async function readTicket(
  ctx: AppContext,
  viewer: Viewer & Pick<Caller, 'purpose'>,
  { ticket_number, page, pageLimit }: ParsedInputOf<typeof helpdesk.getTicket>,
): Promise<ReplyOf<typeof helpdesk.getTicket>> {
  const { sql } = ctx
  const row = await findTicket(sql, ticket_number, viewer.customer_id)
  const { replies, pagination } = await listReplies(ctx, viewer, { ticket_number, page, pageLimit })
  if (viewer.purpose !== 'viewer') await markSeen(sql, row, replies.at(-1)?.id ?? 0)
  return {
    ticket: await buildTicketPage(ctx, viewer, row),
    replies,
    pagination,
    watch_url: createWatchUrl(ctx, viewer, row),
  }
}

/**
 * Notifications about replies on other pages stay unread. A concurrent answer waits for the row lock, then notifies.
 */
async function markSeen(
  sql: Pool,
  { ticket_number, customer_id, unread }: TicketDetailRow,
  replyId: number,
): Promise<void> {
  if (unread === 0 || replyId === 0) return
  await sql.begin(async (sql) => {
    await sql`
      update ticket set seen_reply_id = greatest(seen_reply_id, ${replyId}) where ticket_number = ${ticket_number}`
    const unreadReplies = await sql`
      select 1 from ticket t join reply r using (ticket_number)
      where ticket_number = ${ticket_number} and r.by_staff and r.reply_id > t.seen_reply_id limit 1`
    if (unreadReplies.length === 0) await markNotificationSeen(sql, customer_id, `ticket ${ticket_number}`)
  })
}
