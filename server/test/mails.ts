import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ticketReplyAddress } from '../src/helpdesk/mail-address.ts'
import type { InboundConfig } from '../src/platform/inbound-config.ts'
import { projectRoot } from '../src/platform/project-root.ts'
import { aMember } from './makers.ts'
import type { TestPool } from './pool.ts'
import { aTicket } from './ticket-makers.ts'

const folder = path.join(projectRoot, 'server', 'test', 'mails')

/** The names of all emails in test/mails, in the formats of mail programs and servers. */
export const mailNames = readdirSync(folder).map((file) => file.replace(/\.eml$/, ''))

/** One of them as received by SMTP, with this sender and recipient. */
export function aMail(
  name: string,
  { from, to, pool = 'no-reply@localhost' }: { from: string; to: string; pool?: string },
): Buffer {
  const template = readFileSync(path.join(folder, `${name}.eml`), 'latin1')
  const rejection: Record<string, string> = { from, to, pool, FROM: from.toUpperCase(), TO: to.toUpperCase() }
  const filledMail = template.replace(
    /\{(from|to|pool|FROM|TO)\}/g,
    (_, encodeWord: string) => rejection[encodeWord] ?? '',
  )
  return Buffer.from(filledMail.replace(/\r?\n/g, '\r\n'), 'latin1')
}

/** Replies by email are accepted at help@pool.example; each test adds the ways to receive them. */
export const INBOUND = {
  address: { local: 'help', domain: 'pool.example' },
  smtp: undefined,
  webhookSecret: 'a-secret-of-the-webhook-0001',
  imap: undefined,
} satisfies InboundConfig

/** A ticket of a new member, and its reply address. */
export async function anOpenTicket(pool: TestPool) {
  const member = await aMember(pool.ctx)
  const ticket_number = await aTicket(pool, member.token)
  const to = ticketReplyAddress(pool.ctx, ticket_number, member.customer_id) ?? ''
  return { ...member, ticket_number, to, from: member.email }
}

type ReplyRow = { details: string; quoted: string; via: string; message_id: string | null; files: string[] }

/** The replies of a ticket, oldest first, with the names of their files. */
export const listReplies = ({ ctx: { sql } }: TestPool, ticketNumber: number) => sql<ReplyRow[]>`
  select details, quoted, via, message_id,
    array(select name from ticket_file f where f.reply_id = r.reply_id order by ticket_file_id) as files
  from reply r where ticket_number = ${ticketNumber} order by reply_id`

type InboundRow = {
  verdict: string
  from_address: string
  subject: string
  detail: string
  ticket_number: number | null
}

/** The log entries of incoming emails from a sender, oldest first. */
export const listInboundMail = ({ ctx: { sql } }: TestPool, from: string) => sql<InboundRow[]>`
  select verdict, from_address, subject, detail, ticket_number from inbound_mail
  where from_address = ${from} order by inbound_mail_id`

/** A short email with this text. */
export const aPlainMail = (
  { from, to }: { from: string; to: string },
  rejection: string,
  id: string = randomUUID(),
): Buffer =>
  Buffer.from(
    `From: ${from}\r\nTo: ${to}\r\nSubject: Re: x\r\nMessage-ID: <${id}@mail.example>\r\n\r\n${rejection}\r\n`,
  )
