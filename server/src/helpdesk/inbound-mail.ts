import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { findBounced, recordBounce } from '../platform/bounces.ts'
import { createLimiter } from '../platform/concurrency-limiter.ts'
import { isDatabaseUnavailable, type Sql } from '../platform/db.ts'
import { isStoreError } from '../platform/error-replies.ts'
import { decrementCount, incrementCount } from '../platform/rate-counter.ts'
import { releaseFiles, storeFile } from './files.ts'
import { findTicketReferences, isSigned } from './mail-address.ts'
import { classifyMail, parseBounce } from './mail-classification.ts'
import { type MailHeaders, parseHeaders, plain } from './mail-headers.ts'
import { type ParsedMail, parseMail, UnreadableMail } from './mail-parsing.ts'
import { addCustomerReply } from './replies.ts'

/** Limit for a whole email, including its attachments. */
export const MAX_MAIL_BYTES = 40 * 1024 * 1024

const RETENTION_DAYS = 90
const MAX_REPLIES_PER_HOUR = 20

/** The result of processing an email. */
export type Verdict =
  | 'reply'
  | 'duplicate'
  | 'automatic'
  | 'bounce'
  | 'unknown_sender'
  | 'unknown'
  | 'empty'
  | 'too_many'

export type InboundMail = {
  /** The email as it was received. */
  raw: Buffer
  /** The envelope, if the transport knows it: the recipients and the sender ('' for the null sender). */
  to?: readonly string[]
  returnPath?: string
}

/** Emails are parsed one at a time: a large one takes a while and ten times its size in memory. */
const parseGate = createLimiter({ concurrency: 1, maxWaiting: 50 })

/**
 * Processes an email: adds a reply to its ticket, or records why not. Errors it throws are temporary (the database or
 * the storage is unavailable, too much at once): the same email can be processed again later and is only added once.
 */
export async function processInboundMail(ctx: AppContext, mail: InboundMail): Promise<Verdict> {
  const head = await parseHeaders(mail.raw)
  const kind = classifyMail(ctx, head, mail.returnPath)
  if (kind.kind === 'bounce') return processBounce(ctx, mail, head)
  const ticket = await findTicket(ctx, head, mail.to ?? [])
  const recordVerdict = (verdict: Verdict, detail: string) =>
    recordMail(ctx.sql, head, { verdict, detail, ticket_number: ticket?.ticket_number })
  if (kind.kind === 'automatic') return recordVerdict('automatic', kind.why)
  if (!ticket) return recordVerdict('unknown', 'The email doesn’t reference a ticket, or its signature is invalid.')
  if (!ticket.isOwnTicket)
    return recordVerdict(
      'unknown_sender',
      `The sender isn’t the member who opened the ticket, or that account isn’t active.`,
    )
  if (await isAlreadyRecorded(ctx.sql, ticket.ticket_number, head)) return recordVerdict('duplicate', '')
  const rateKey = ['ticket mail', String(ticket.ticket_number)] as const
  if ((await incrementCount(ctx.sql, ...rateKey, 60)) > MAX_REPLIES_PER_HOUR) {
    return recordVerdict('too_many', `More than ${MAX_REPLIES_PER_HOUR} emails for this ticket within an hour.`)
  }
  try {
    const parsed = await parseGate.pass(() => parseMail(mail.raw)).catch(toUnreadableResult)
    return typeof parsed === 'string' ? await recordVerdict('empty', parsed) : await addReply(ctx, head, ticket, parsed)
  } catch (error) {
    // A retry after a temporary error must not count as another email.
    if (isTransientError(error)) await decrementCount(ctx.sql, ...rateKey).catch(() => {})
    throw error
  }
}

const toUnreadableResult = (error: unknown): string => {
  if (error instanceof UnreadableMail) return `The email couldn’t be parsed: ${error.message}`
  throw error
}

type Ticket = { ticket_number: number; customer_id: number; isOwnTicket: boolean }

/** Headers that name the recipient, in order of trust. If several tickets are addressed, the first one counts. */
const RECIPIENTS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to', 'cc']

/** Returns the ticket an email is signed for; if there are several, one of the sender's own first. */
async function findTicket(ctx: AppContext, head: MailHeaders, to: readonly string[]): Promise<Ticket | undefined> {
  const signed = await signedTickets(ctx, [...to, ...RECIPIENTS.flatMap(head.all)].join('\n'))
  const candidates = signed.map((ticket) => ({
    ...ticket,
    isOwnTicket: ticket.is_active && ticket.email.toLowerCase() === head.from,
  }))
  return candidates.find(({ isOwnTicket }) => isOwnTicket) ?? candidates[0]
}

type SignedTicket = { ticket_number: number; customer_id: number; email: string; is_active: boolean }

/** Returns the tickets whose reply addresses with a valid signature are in a text. */
async function signedTickets(ctx: Pick<AppContext, 'config' | 'sql'>, text: string): Promise<SignedTicket[]> {
  const references = findTicketReferences(ctx, text)
  if (references.length === 0) return []
  const numbers = references.map(({ ticket_number }) => ticket_number)
  const rows = await ctx.sql<SignedTicket[]>`
    select ticket_number, customer_id, email, c.status = 'active' as is_active
    from ticket join customer c using (customer_id) where ticket_number = any(${numbers}::bigint[])`
  return references.flatMap((one) =>
    rows.filter((row) => row.ticket_number === one.ticket_number && isSigned(ctx, one, row.customer_id)),
  )
}

const isAlreadyRecorded = async (sql: Sql, ticketNumber: number, { message_id }: MailHeaders): Promise<boolean> => {
  const [row] = await sql`select 1 from reply where ticket_number = ${ticketNumber} and message_id = ${message_id}`
  return row !== undefined
}

async function addReply(
  ctx: AppContext,
  head: MailHeaders,
  { ticket_number, customer_id }: Ticket,
  { details, quoted, files: mailFiles }: ParsedMail,
): Promise<Verdict> {
  if (details === '')
    return recordMail(ctx.sql, head, {
      verdict: 'empty',
      detail: 'The email contains no text of its own.',
      ticket_number,
    })
  const files: number[] = []
  const { message_id } = head
  try {
    for (const { name, bytes } of mailFiles) files.push(await storeFile(ctx, { customer_id, name, bytes }))
    return await ctx.sql.begin(async (sql) => {
      const reply = { ticket_number, customer_id, details, quoted, via: 'mail', message_id, files } as const
      const added = await addCustomerReply(sql, reply)
      return recordMail(sql, head, {
        verdict: added === 'duplicate' ? 'duplicate' : 'reply',
        detail: '',
        ticket_number,
      })
    })
  } catch (error) {
    // The member has deleted their account since the ticket was found.
    if (!(error instanceof ApiError) || error.code !== 'unknown_ticket') throw error
    return recordMail(ctx.sql, head, { verdict: 'unknown', detail: error.message, ticket_number: undefined })
  } finally {
    // For a duplicate, or an email that is sent again. While the database is unavailable, the next day's sweep does it.
    if (files.length > 0) await releaseFiles(ctx.sql, files).catch(() => {})
  }
}

/**
 * Records a bounce for staff to see: its ticket is the one it was addressed to, or the one the returned email can be
 * answered in.
 */
async function processBounce(ctx: AppContext, { raw, to = [] }: InboundMail, head: MailHeaders): Promise<Verdict> {
  const { detail, isUndelivered, failure, text } = await parseGate.pass(() => parseBounce(raw))
  const all = [...to, ...RECIPIENTS.flatMap(head.all), text].join('\n')
  const [[ticket], sent] = await Promise.all([signedTickets(ctx, all), findBounced(ctx.sql, ctx, all)])
  // Anyone can send something that looks like a bounce, so only one with a valid signature marks an address.
  if (isUndelivered && failure && sent) {
    await recordBounce(ctx.sql, sent, { kind: failure, detail: plain(detail).slice(0, 1000) })
  }
  const verdict = isUndelivered ? 'bounce' : 'automatic'
  return recordMail(ctx.sql, head, { verdict, detail, ticket_number: ticket?.ticket_number })
}

type InboundMailRecord = { verdict: Verdict; detail: string; ticket_number: number | undefined }

async function recordMail(
  sql: Sql,
  { from, subject, message_id }: MailHeaders,
  row: InboundMailRecord,
): Promise<Verdict> {
  await sql`
    insert into inbound_mail (message_id, from_address, subject, verdict, ticket_number, detail)
    values (${message_id}, ${from}, ${subject}, ${row.verdict}, ${row.ticket_number ?? null}, ${plain(row.detail).slice(0, 1000)})`
  return row.verdict
}

/** Records an email that could not be processed, so that it is not retried forever and staff see it in its ticket. */
export async function recordUnreadableMail(ctx: AppContext, raw: Buffer, reason: string): Promise<void> {
  const head = await parseHeaders(raw)
  const ticket = await findTicket(ctx, head, [])
  await recordMail(ctx.sql, head, { verdict: 'empty', detail: reason, ticket_number: ticket?.ticket_number })
}

/** Returns true for temporary errors: the same email can be processed later. */
export const isTransientError = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  isStoreError(error) ||
  (error instanceof ApiError && error.code === 'service_unavailable')

export async function sweepInboundMail(sql: Sql): Promise<void> {
  await sql`delete from inbound_mail where received_at < now() - make_interval(days => ${RETENTION_DAYS})`
}
