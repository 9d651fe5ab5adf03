import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { findBounced, recordBounce } from '../platform/bounces.ts'
import { createLimiter } from '../platform/concurrency-limiter.ts'
import { isDatabaseUnavailable, type Sql } from '../platform/db.ts'
import { decrementCount, incrementCount } from '../platform/rate-counter.ts'
import { isStoreError } from '../platform/serve.ts'
import { releaseFiles, storeFile } from './files.ts'
import { findTicketReferences, isSigned } from './mail-address.ts'
import { classifyMail, parseBounce } from './mail-classification.ts'
import { type MailHeaders, parseHeaders, plain } from './mail-headers.ts'
import { type ParsedMail, parseMail, UnreadableMail } from './mail-parsing.ts'
import { addCustomerReply } from './replies.ts'

/** Of a whole mail, its files within. */
export const MAX_MAIL_BYTES = 40 * 1024 * 1024

const RETENTION_DAYS = 90
const MAX_REPLIES_PER_HOUR = 20

/** What became of a mail. */
export type Verdict = 'reply' | 'twice' | 'automatic' | 'bounce' | 'stranger' | 'unknown' | 'empty' | 'too_many'

export type InboundMail = {
  /** As it came. */
  raw: Buffer
  /** The envelope, if the transport knows it: the recipients and the sender ('' for the null sender). */
  to?: readonly string[]
  returnPath?: string
}

/** Mails are taken apart one after another: a large one takes a while and ten times its size. */
const parseGate = createLimiter({ concurrency: 1, maxWaiting: 50 })

/**
 * Takes a mail in: adds a reply to the ticket it is for, or says why not. Either is recorded. What it throws is trouble
 * of ours (the database or the store is away, too much at once): the same mail can be given again then, and comes in
 * once.
 */
export async function processInboundMail(ctx: AppContext, mail: InboundMail): Promise<Verdict> {
  const head = await parseHeaders(mail.raw)
  const kind = classifyMail(ctx, head, mail.returnPath)
  if (kind.kind === 'bounce') return processBounce(ctx, mail, head)
  const ticket = await findTicket(ctx, head, mail.to ?? [])
  const createResult = (verdict: Verdict, detail: string) =>
    recordMail(ctx.sql, head, { verdict, detail, ticket_number: ticket?.ticket_number })
  if (kind.kind === 'automatic') return createResult('automatic', kind.why)
  if (!ticket) return createResult('unknown', 'The email doesn’t reference a ticket, or its signature is invalid.')
  if (!ticket.isOwnTicket)
    return createResult('stranger', `The sender isn’t the member who opened the ticket, or that account isn’t active.`)
  if (await isAlreadyRecorded(ctx.sql, ticket.ticket_number, head)) return createResult('twice', '')
  const rateKey = ['ticket mail', String(ticket.ticket_number)] as const
  if ((await incrementCount(ctx.sql, ...rateKey, 60)) > MAX_REPLIES_PER_HOUR) {
    return createResult('too_many', `More than ${MAX_REPLIES_PER_HOUR} emails for this ticket within an hour.`)
  }
  try {
    const parsed = await parseGate.pass(() => parseMail(mail.raw)).catch(toUnreadableResult)
    return typeof parsed === 'string' ? await createResult('empty', parsed) : await addReply(ctx, head, ticket, parsed)
  } catch (error) {
    // It is tried again and again while we cannot: that makes no more mails of it.
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

/** The ticket a mail is signed for; one of its sender's before all others. */
async function findTicket(ctx: AppContext, head: MailHeaders, to: readonly string[]): Promise<Ticket | undefined> {
  const signed = await signedTickets(ctx, [...to, ...RECIPIENTS.flatMap(head.all)].join('\n'))
  const candidates = signed.map((ticket) => ({
    ...ticket,
    isOwnTicket: ticket.is_active && ticket.email.toLowerCase() === head.from,
  }))
  return candidates.find(({ isOwnTicket }) => isOwnTicket) ?? candidates[0]
}

type SignedTicket = { ticket_number: number; customer_id: number; email: string; is_active: boolean }

/** The tickets whose addresses stand in a text with the right signature. */
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
      return recordMail(sql, head, { verdict: added === 'twice' ? 'twice' : 'reply', detail: '', ticket_number })
    })
  } catch (error) {
    // Its member has deleted the account since it was looked up.
    if (!(error instanceof ApiError) || error.code !== 'unknown_ticket') throw error
    return recordMail(ctx.sql, head, { verdict: 'unknown', detail: error.message, ticket_number: undefined })
  } finally {
    // Of a mail that is there already, or comes again. While the database is away the sweep of the next day does it.
    if (files.length > 0) await releaseFiles(ctx.sql, files).catch(() => {})
  }
}

/**
 * A letter that came back, for staff to see: the ticket is the one it was for, or that the letter within can be
 * answered to.
 */
async function processBounce(ctx: AppContext, { raw, to = [] }: InboundMail, head: MailHeaders): Promise<Verdict> {
  const { detail, isTransient, failure, text } = await parseGate.pass(() => parseBounce(raw))
  const all = [...to, ...RECIPIENTS.flatMap(head.all), text].join('\n')
  const [[ticket], sent] = await Promise.all([signedTickets(ctx, all), findBounced(ctx.sql, ctx, all)])
  // Anybody can send something that looks like a bounce: only one that carries a signature of ours marks an address.
  if (isTransient && failure && sent) {
    await recordBounce(ctx.sql, sent, { kind: failure, detail: plain(detail).slice(0, 1000) })
  }
  const verdict = isTransient ? 'bounce' : 'automatic'
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

/** Writes down a mail that was not taken in, so that it is not tried for ever and staff see it beside its ticket. */
export async function recordUnreadableMail(ctx: AppContext, raw: Buffer, reason: string): Promise<void> {
  const head = await parseHeaders(raw)
  const ticket = await findTicket(ctx, head, [])
  await recordMail(ctx.sql, head, { verdict: 'empty', detail: reason, ticket_number: ticket?.ticket_number })
}

/** True for trouble that goes by: the same mail can come in later. */
export const isTransientError = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  isStoreError(error) ||
  (error instanceof ApiError && error.code === 'service_unavailable')

export async function sweepInboundMail(sql: Sql): Promise<void> {
  await sql`delete from inbound_mail where received_at < now() - make_interval(days => ${RETENTION_DAYS})`
}
