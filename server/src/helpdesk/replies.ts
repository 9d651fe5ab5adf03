import { helpdesk, type ParsedInputOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { customerReference } from '../membership/emails.ts'
import { wantsEmail } from '../notices/notification-choices.ts'
import { notify } from '../notices/notifications.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { memoize } from '../platform/memoize.ts'
import { queueMail } from '../platform/outbox.ts'
import { parsed } from '../platform/parse-input.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import { attachFiles, fileIds, listSignedFiles, rejectUnknownFiles, type Viewer } from './files.ts'
import { threadHeaders, ticketReplyAddress } from './mail-address.ts'
import { parseWrittenHtml, rejectBlankHtml } from './rich-text-input.ts'
import { staffReplyEmail } from './ticket-emails.ts'
import { unknownTicketError } from './tickets.ts'

const MAX_REPLIES_PER_HOUR = 60

/** Replies are also cleaned when they are read, and an open ticket page requests them repeatedly. */
const HTML_CACHE_SIZE = 100
const cachedCleanHtml = memoize(cleanHtml, HTML_CACHE_SIZE)

type ReplyRow = Omit<helpdesk.Reply, 'created_at' | 'attachments'> & { created_at: Date }

type RepliesParams = { ticket_number: number; page: number; pageLimit: number }

/** Returns a page of the replies to a ticket, oldest first; page 0 is the last one. */
export async function listReplies(ctx: AppContext, viewer: Viewer, { ticket_number, page, pageLimit }: RepliesParams) {
  const { sql } = ctx
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from reply where ticket_number = ${ticket_number}`
  const totalCount = counted?.n ?? 0
  const shownPage = page || Math.max(1, Math.ceil(totalCount / pageLimit))
  const rows = await readReplies(
    sql,
    sql`r.ticket_number = ${ticket_number} order by r.reply_id limit ${pageLimit} offset ${(shownPage - 1) * pageLimit}`,
  )
  return {
    replies: await attachFilesToReplies(ctx, viewer, rows),
    pagination: { page: shownPage, perPageLimit: pageLimit, totalCount },
  }
}

/** Returns one reply as the ticket page shows it. */
export async function getReply(ctx: AppContext, viewer: Viewer, replyId: number): Promise<helpdesk.Reply> {
  const rows = await readReplies(ctx.sql, ctx.sql`r.reply_id = ${replyId}`)
  const [reply] = await attachFilesToReplies(ctx, viewer, rows)
  if (!reply) throw new Error(`Reply ${replyId} not found`)
  return reply
}

const readReplies = async (sql: Sql, condition: ReturnType<Sql>): Promise<ReplyRow[]> => sql<ReplyRow[]>`
  select r.reply_id as id, case when r.by_staff then coalesce(s.customer_id, -1) else 0 end as admin_id,
    case when r.by_staff then coalesce(nullif(s.dj_name, ''), 'Staff') else c.dj_name end as author,
    r.details, r.quoted, r.via, r.created_at
  from reply r join ticket t using (ticket_number) join customer c on c.customer_id = t.customer_id
    left join customer s on s.customer_id = r.staff_id and s.status <> 'deleted'
  where ${condition}`

async function attachFilesToReplies(ctx: AppContext, viewer: Viewer, rows: ReplyRow[]): Promise<helpdesk.Reply[]> {
  const ids = rows.map(({ id }) => id)
  const files = ids.length > 0 ? await listSignedFiles(ctx, viewer, ctx.sql`reply_id = any(${ids}::bigint[])`) : []
  return rows.map(({ created_at, details, quoted, ...row }) => ({
    ...row,
    details: cachedCleanHtml(details),
    quoted: quoted && cachedCleanHtml(quoted),
    created_at: created_at.toISOString(),
    attachments: files.filter(({ reply_id }) => reply_id === row.id).map(({ reply_id: _, ...file }) => file),
  }))
}

export type CustomerReply = {
  ticket_number: number
  customer_id: number
  /** HTML. */
  details: string
  /** HTML: the quoted text of an email. */
  quoted: string
  via: 'page' | 'mail'
  /** The Message-ID of the email it was sent by. */
  message_id: string | null
  /** Unsent files of this customer. */
  files: readonly number[]
}

/**
 * Adds a customer's reply and reopens a closed ticket, in the caller's transaction. Returns 'duplicate' when the same email
 * was added before. Throws `unknown_ticket`, `unknown_attachment`.
 */
export async function addCustomerReply(
  sql: Sql,
  { ticket_number, customer_id, details, quoted, via, message_id, files }: CustomerReply,
): Promise<{ reply_id: number } | 'duplicate'> {
  const [ticket] = await sql`
    select 1 from ticket where ticket_number = ${ticket_number} and customer_id = ${customer_id} for update`
  if (!ticket) throw unknownTicketError()
  const [reply] = await sql<{ reply_id: number }[]>`
    insert into reply (ticket_number, by_staff, details, quoted, via, message_id)
    values (${ticket_number}, false, ${cleanHtml(details)}, ${cleanHtml(quoted)}, ${via}, ${message_id})
    on conflict (ticket_number, message_id) where message_id is not null do nothing returning reply_id`
  if (!reply) return 'duplicate'
  await attachFiles(sql, files, { customer_id, ticket_number, reply_id: reply.reply_id })
  await sql`
    update ticket set status = 'open', closed_at = null, modified_at = now(),
      waiting_since = case when awaiting_reply_from = 'staff' and status = 'open' then waiting_since else now() end, awaiting_reply_from = 'staff'
    where ticket_number = ${ticket_number}`
  return reply
}

const MESSAGE_FIELD = { field: 'details', blank: 'Message cannot be blank!' }

/**
 * Adds a customer's reply from the page. Throws `unknown_ticket`, `unknown_attachment`, `invalid_request`,
 * `rate_limited`.
 */
export async function replyToTicket(
  { sql }: Pick<AppContext, 'sql'>,
  { customer_id }: Viewer,
  { ticket_number, details, attachments }: ParsedInputOf<typeof helpdesk.replyToTicket>,
): Promise<number> {
  let html = ''
  await throwAllErrors([
    () => {
      html = parseWrittenHtml(details, MESSAGE_FIELD)
    },
    () => rejectUnknownFiles(sql, customer_id, { names: attachments, field: 'attachments' }),
  ])
  const files = fileIds(attachments)
  if ((await incrementCount(sql, 'reply', String(customer_id), 60)) > MAX_REPLIES_PER_HOUR) {
    throw new ApiError('rate_limited', 'Too many replies. Wait a while, then send this one.')
  }
  const reply = { ticket_number, customer_id, details: html, quoted: '', via: 'page', message_id: null, files } as const
  const added = await sql.begin(async (sql) => addCustomerReply(sql, reply))
  if (added === 'duplicate') throw new Error('The reply has no message ID')
  return added.reply_id
}

/** Runs the same checks of a reply, from a member or from staff, while other fields of it are invalid. */
export function checkReply(
  sql: Sql,
  { customer_id }: Pick<Viewer, 'customer_id'>,
  fields: { details?: unknown; attachments?: unknown },
): Promise<void> {
  const names = parsed(helpdesk.replyToTicket.input.shape.attachments, fields.attachments) ?? []
  return throwAllErrors([
    () => rejectBlankHtml(fields.details, MESSAGE_FIELD),
    () => rejectUnknownFiles(sql, customer_id, { names, field: 'attachments' }),
  ])
}

export type StaffReply = {
  ticket_number: number
  staff_id: number
  /** HTML. */
  details: string
  attachments: readonly string[]
  close: boolean
  /** The newest reply that the author had seen; 0 for none. */
  after_reply_id: number
}

type RepliedTicket = {
  customer_id: number
  subject: string
  email: string
  dj_name: string
  is_active: boolean
  newest: number
}

/**
 * Adds a staff reply, notifies the customer, and emails it to them unless they turned that off. Part of the caller's
 * transaction. Throws `unknown_ticket`, `unknown_attachment`, `reply_conflict`, `invalid_request`.
 */
export async function addStaffReply(
  ctx: Pick<AppContext, 'config' | 'settings'>,
  sql: Sql,
  { ticket_number, staff_id, details, attachments, close, after_reply_id }: StaffReply,
): Promise<number> {
  let html = ''
  await throwAllErrors([
    () => {
      html = parseWrittenHtml(details, MESSAGE_FIELD)
    },
    () => rejectUnknownFiles(sql, staff_id, { names: attachments, field: 'attachments' }),
  ])
  const files = fileIds(attachments)
  // A separate statement, because one that waits for the lock would read the replies as they were before it.
  await sql`select 1 from ticket where ticket_number = ${ticket_number} for update`
  const [ticket] = await sql<RepliedTicket[]>`
    select t.customer_id, t.subject, c.email, c.dj_name, c.status = 'active' as is_active,
      (select coalesce(max(reply_id), 0) from reply r where r.ticket_number = t.ticket_number) as newest
    from ticket t join customer c using (customer_id) where ticket_number = ${ticket_number}`
  if (!ticket) throw unknownTicketError()
  if (ticket.newest > after_reply_id) {
    throw new ApiError(
      'reply_conflict',
      'Someone else replied to this ticket while you were writing. Read their reply, then send yours.',
    )
  }
  const [reply] = await sql<{ reply_id: number }[]>`
    insert into reply (ticket_number, by_staff, staff_id, details) values (${ticket_number}, true, ${staff_id}, ${html})
    returning reply_id`
  if (!reply) throw new Error('Reply insert returned no id')
  await attachFiles(sql, files, { customer_id: staff_id, ticket_number, reply_id: reply.reply_id })
  await sql`
    update ticket set status = ${close ? 'close' : 'open'}, closed_at = ${close ? sql`now()` : null}, modified_at = now(),
      waiting_since = now(), awaiting_reply_from = 'customer', first_reply_at = coalesce(first_reply_at, now()),
      assigned_to = coalesce(
        (select customer_id from customer c where c.customer_id = assigned_to and c.status <> 'deleted'), ${staff_id})
    where ticket_number = ${ticket_number}`
  if (ticket.is_active) {
    await notifyCustomer(ctx, sql, ticket, { ticket_number, html, files: files.length, closed: close })
  }
  return reply.reply_id
}

type ReplyNotification = { ticket_number: number; html: string; files: number; closed: boolean }

async function notifyCustomer(
  { config, settings }: Pick<AppContext, 'config' | 'settings'>,
  sql: Sql,
  { customer_id, subject, email, dj_name }: RepliedTicket,
  { ticket_number, html, files, closed }: ReplyNotification,
): Promise<void> {
  await notify(sql, {
    customer_id,
    kind: 'reply',
    text: `You have a reply to “${subject}”.`,
    address: `/ticket/details/${ticket_number}`,
    about: `ticket ${ticket_number}`,
  })
  if (!(await wantsEmail(sql, customer_id, 'reply'))) return
  const replyTo = ticketReplyAddress({ config }, ticket_number, customer_id)
  const replyEmail = staffReplyEmail(
    settings.emailSender,
    { email, dj_name },
    { ticket_number, subject, html, files, closed, canAnswer: replyTo !== undefined },
  )
  await queueMail(sql, replyEmail, {
    reference: customerReference(customer_id),
    headers: threadHeaders({ config }, ticket_number),
    ...(replyTo ? { replyTo } : {}),
  })
}
