import { findBounced, recordBounce } from '../platform/bounces.ts'
import { databaseIsAway, type Sql } from '../platform/db.ts'
import { makeGate } from '../platform/gate.ts'
import { countDown, countUp } from '../platform/rate.ts'
import { Refusal } from '../platform/refusal.ts'
import { storeFailed } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { keepFile, letGo } from './files.ts'
import { isSigned, namedTickets } from './mail-address.ts'
import { type MailHead, plain, readHead } from './mail-head.ts'
import { kindOf, readBounce } from './mail-kind.ts'
import { type MailWords, readMail, UnreadableMail } from './mail-reading.ts'
import { addCustomerReply } from './replies.ts'

/** Of a whole mail, its files within. */
export const LARGEST_MAIL_BYTES = 40 * 1024 * 1024

const KEPT_DAYS = 90
const MOST_AN_HOUR = 20

/** What became of a mail. */
export type Verdict = 'reply' | 'twice' | 'automatic' | 'bounce' | 'stranger' | 'unknown' | 'empty' | 'too_many'

export type InboundMail = {
  /** As it came. */
  raw: Buffer
  /** What its door knows beyond what it says: for whom it was handed over, and by whom ('' by nobody). */
  to?: readonly string[]
  returnPath?: string
}

/** Mails are taken apart one after another: a large one takes a while and ten times its size. */
const reading = makeGate({ atOnce: 1, mayWait: 50 })

/**
 * Takes a mail in: adds a reply to the ticket it is for, or says why not. Either is written down. What it throws is trouble
 * of ours (the database or the store is away, too much at once): the same mail can be given again then, and comes in once.
 */
export async function takeInMail(world: World, mail: InboundMail): Promise<Verdict> {
  const head = await readHead(mail.raw)
  const kind = kindOf(world, head, mail.returnPath)
  if (kind.kind === 'bounce') return takeInBounce(world, mail, head)
  const ticket = await findTicket(world, head, mail.to ?? [])
  const say = (verdict: Verdict, detail: string) =>
    record(world.sql, head, { verdict, detail, ticket_number: ticket?.ticket_number })
  if (kind.kind === 'automatic') return say('automatic', kind.why)
  if (!ticket) return say('unknown', 'The email doesn’t reference a ticket, or its signature is invalid.')
  if (!ticket.isTheirs)
    return say('stranger', `The sender isn’t the member who opened the ticket, or that account isn’t active.`)
  if (await isThere(world.sql, ticket.ticket_number, head)) return say('twice', '')
  const counted = ['ticket mail', String(ticket.ticket_number)] as const
  if ((await countUp(world.sql, ...counted, 60)) > MOST_AN_HOUR) {
    return say('too_many', `More than ${MOST_AN_HOUR} emails for this ticket within an hour.`)
  }
  try {
    const words = await reading.pass(() => readMail(mail.raw)).catch(asUnreadable)
    return typeof words === 'string' ? await say('empty', words) : await addReply(world, head, ticket, words)
  } catch (error) {
    // It is tried again and again while we cannot: that makes no more mails of it.
    if (isPassing(error)) await countDown(world.sql, ...counted).catch(() => {})
    throw error
  }
}

const asUnreadable = (error: unknown): string => {
  if (error instanceof UnreadableMail) return `The email couldn’t be parsed: ${error.message}`
  throw error
}

type Ticket = { ticket_number: number; customer_id: number; isTheirs: boolean }

/** Where letters say whom they are for, in the order they are believed: of several tickets the first counts. */
const RECIPIENTS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to', 'cc']

/** The ticket a mail is signed for; one of its sender's before all others. */
async function findTicket(world: World, head: MailHead, to: readonly string[]): Promise<Ticket | undefined> {
  const signed = await signedTickets(world, [...to, ...RECIPIENTS.flatMap(head.all)].join('\n'))
  const found = signed.map((ticket) => ({
    ...ticket,
    isTheirs: ticket.is_active && ticket.email.toLowerCase() === head.from,
  }))
  return found.find(({ isTheirs }) => isTheirs) ?? found[0]
}

type Signed = { ticket_number: number; customer_id: number; email: string; is_active: boolean }

/** The tickets whose addresses stand in a text with the right signature. */
async function signedTickets(world: Pick<World, 'config' | 'sql'>, text: string): Promise<Signed[]> {
  const named = namedTickets(world, text)
  if (named.length === 0) return []
  const numbers = named.map(({ ticket_number }) => ticket_number)
  const rows = await world.sql<Signed[]>`
    select ticket_number, customer_id, email, c.status = 'active' as is_active
    from ticket join customer c using (customer_id) where ticket_number = any(${numbers}::bigint[])`
  return named.flatMap((one) =>
    rows.filter((row) => row.ticket_number === one.ticket_number && isSigned(world, one, row.customer_id)),
  )
}

const isThere = async (sql: Sql, ticketNumber: number, { message_id }: MailHead): Promise<boolean> => {
  const [row] = await sql`select 1 from reply where ticket_number = ${ticketNumber} and message_id = ${message_id}`
  return row !== undefined
}

async function addReply(
  world: World,
  head: MailHead,
  { ticket_number, customer_id }: Ticket,
  { details, quoted, files: given }: MailWords,
): Promise<Verdict> {
  if (details === '')
    return record(world.sql, head, {
      verdict: 'empty',
      detail: 'The email contains no text of its own.',
      ticket_number,
    })
  const files: number[] = []
  const { message_id } = head
  try {
    for (const { name, bytes } of given) files.push(await keepFile(world, { customer_id, name, bytes }))
    return await world.sql.begin(async (sql) => {
      const reply = { ticket_number, customer_id, details, quoted, via: 'mail', message_id, files } as const
      const added = await addCustomerReply(sql, reply)
      return record(sql, head, { verdict: added === 'twice' ? 'twice' : 'reply', detail: '', ticket_number })
    })
  } catch (error) {
    // Its member has deleted the account since it was looked up.
    if (!(error instanceof Refusal) || error.code !== 'unknown_ticket') throw error
    return record(world.sql, head, { verdict: 'unknown', detail: error.message, ticket_number: undefined })
  } finally {
    // Of a mail that is there already, or comes again. While the database is away the sweep of the next day does it.
    if (files.length > 0) await letGo(world.sql, files).catch(() => {})
  }
}

/** A letter that came back, for staff to see: the ticket is the one it was for, or that the letter within can be answered to. */
async function takeInBounce(world: World, { raw, to = [] }: InboundMail, head: MailHead): Promise<Verdict> {
  const { detail, isTrouble, failure, text } = await reading.pass(() => readBounce(raw))
  const all = [...to, ...RECIPIENTS.flatMap(head.all), text].join('\n')
  const [[ticket], sent] = await Promise.all([signedTickets(world, all), findBounced(world.sql, world, all)])
  // Anybody can send something that looks like a bounce: only one that carries a signature of ours marks an address.
  if (isTrouble && failure && sent) {
    await recordBounce(world.sql, sent, { kind: failure, detail: plain(detail).slice(0, 1000) })
  }
  const verdict = isTrouble ? 'bounce' : 'automatic'
  return record(world.sql, head, { verdict, detail, ticket_number: ticket?.ticket_number })
}

type Record = { verdict: Verdict; detail: string; ticket_number: number | undefined }

async function record(sql: Sql, { from, subject, message_id }: MailHead, row: Record): Promise<Verdict> {
  await sql`
    insert into inbound_mail (message_id, from_address, subject, verdict, ticket_number, detail)
    values (${message_id}, ${from}, ${subject}, ${row.verdict}, ${row.ticket_number ?? null}, ${plain(row.detail).slice(0, 1000)})`
  return row.verdict
}

/** Writes down a mail that was not taken in, so that it is not tried for ever and staff see it beside its ticket. */
export async function recordLost(world: World, raw: Buffer, why: string): Promise<void> {
  const head = await readHead(raw)
  const ticket = await findTicket(world, head, [])
  await record(world.sql, head, { verdict: 'empty', detail: why, ticket_number: ticket?.ticket_number })
}

/** True for trouble that goes by: the same mail can come in later. */
export const isPassing = (error: unknown): boolean =>
  databaseIsAway(error) || storeFailed(error) || (error instanceof Refusal && error.code === 'service_unavailable')

export async function sweepInboundMail(sql: Sql): Promise<void> {
  await sql`delete from inbound_mail where received_at < now() - make_interval(days => ${KEPT_DAYS})`
}
