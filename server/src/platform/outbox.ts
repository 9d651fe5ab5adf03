import { ApiError } from './api-error.ts'
import { classifyFailure, clearBounces, recordBounce } from './bounces.ts'
import type { Config } from './config.ts'
import type { Sql } from './db.ts'
import type { EmailContent } from './email-template.ts'
import type { Log } from './log.ts'
import { type Attachment, isPermanentRejection, MAX_CONNECTIONS, type Mailer, type MailMessage } from './mailer.ts'

/** Minutes to wait after each failure, 2.8 days in all; the failure after the last of them is the end. */
const RETRY_DELAYS_MINUTES = [1, 5, 15, 60, 240, 480, 720, 1080, 1440]
const MAX_ATTEMPTS = RETRY_DELAYS_MINUTES.length + 1

/** Longer than a letter can be on its way. A sender that was killed leaves its letters to others after that. */
const LEASE_MINUTES = 5

const RETENTION_DAYS = 90

const BLANKED_TEXT = 'This email contained a private link, which was removed after sending.'

const LINK_EXPIRED_MESSAGE = 'The link expired before the email could be sent.'
const SENDER_ENDED_MESSAGE = 'The sending process stopped unexpectedly on every attempt.'

type DueMail = EmailContent & {
  mail_id: number
  created_at: Date
  attempts: number
  good_until: Date | null
  attachment_name: string
  attachment_type: string
  attachment: Buffer | null
  reply_to: string
  headers: Record<string, string> | null
}

export type MailOptions = {
  /** Whose letter it is: `customer 7`. It goes with them, whatever address it went to. */
  reference: string
  /** So long a link in it lets somebody in: it is not sent later, and its texts are blanked once it is sent. */
  linkMinutes?: number
  /** It is let go of once the mail is sent: such mail is not sent a second time without it. */
  attachment?: Attachment
  /** Where an answer goes; nobody reads answers to the others. */
  replyTo?: string
  /** Beside those of every letter: `{ 'List-Unsubscribe': '<…>' }`. */
  headers?: Record<string, string>
}

/** Puts a letter into the outbox, as part of the caller's transaction. */
export async function queueMail(
  sql: Sql,
  email: EmailContent,
  { reference, linkMinutes, attachment, replyTo, headers }: MailOptions,
): Promise<void> {
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, whose, good_until, attachment_name, attachment_type, attachment,
      reply_to, headers)
    values (${email.to}, ${email.subject}, ${email.html}, ${email.text}, ${reference},
      now() + make_interval(mins => ${linkMinutes ?? null}::int),
      ${attachment?.name ?? ''}, ${attachment?.type ?? ''}, ${attachment?.bytes ?? null},
      ${replyTo ?? ''}, ${headers ? sql.json(headers) : null})`
}

/**
 * Sends a few letters whose time has come, each by one process alone. Answers whether to go on with more: false when
 * there are none, or when the server took none. Without a post, or while email is on hold, they all wait.
 */
export async function sendDueMail({ sql, log }: { sql: Sql; log: Log }, mailer: Mailer | undefined): Promise<boolean> {
  if (!mailer) return false
  await failExpiredMail(sql)
  const due = await claimDueMail(sql)
  const sent = await Promise.all(due.map((mail) => sendMail(sql, log, mailer, mail)))
  return due.length === MAX_CONNECTIONS && sent.some(Boolean)
}

/** True of a letter that waits in vain: its last sender was killed over it, or its link lets nobody in any more. */
const isExpired = (sql: Sql) => sql`(attempts >= ${MAX_ATTEMPTS} or coalesce(good_until <= now(), false))`

const failExpiredMail = async (sql: Sql): Promise<void> => {
  await sql`
    update outgoing_mail set state = 'failed',
      trouble = case when trouble <> '' then trouble when good_until <= now() then ${LINK_EXPIRED_MESSAGE} else ${SENDER_ENDED_MESSAGE} end
    where state = 'waiting' and next_attempt_at <= now() and ${isExpired(sql)}`
}

/** Taking is counting the attempt: a letter that ends its sender each time ends, too. */
const claimDueMail = async (sql: Sql): Promise<DueMail[]> => sql<DueMail[]>`
  update outgoing_mail
  set attempts = attempts + 1, next_attempt_at = now() + make_interval(mins => ${LEASE_MINUTES})
  where mail_id in (
    select mail_id from outgoing_mail
    where state = 'waiting' and next_attempt_at <= now() and not ${isExpired(sql)} and not exists (select 1 from mail_hold)
    order by next_attempt_at, mail_id limit ${MAX_CONNECTIONS} for update skip locked)
  returning mail_id, to_address as "to", subject, html, body as text, created_at, attempts, good_until,
    attachment_name, attachment_type, attachment, reply_to, headers`

function toMailMessage({
  attachment_name: name,
  attachment_type: type,
  attachment: bytes,
  ...mail
}: DueMail): MailMessage {
  return { ...mail, headers: mail.headers ?? {}, attachment: bytes ? { name, type, bytes } : undefined }
}

/** True when the mail server took it. */
async function sendMail(sql: Sql, log: Log, mailer: Mailer, mail: DueMail): Promise<boolean> {
  try {
    await mailer.send(toMailMessage(mail))
  } catch (error) {
    await recordFailure(sql, mail, error)
    log.warn({ mail_id: mail.mail_id, attempts: mail.attempts, err: error }, 'Could not send an email')
    return false
  }
  await markSent(sql, mail)
  return true
}

async function markSent(sql: Sql, { mail_id, good_until }: DueMail): Promise<void> {
  const blank = good_until ? sql`, html = ${`<p>${BLANKED_TEXT}</p>`}, body = ${BLANKED_TEXT}` : sql``
  await sql`
    update outgoing_mail set state = 'sent', sent_at = now(), trouble = '', attachment = null ${blank}
    where mail_id = ${mail_id}`
}

async function recordFailure(sql: Sql, { mail_id, attempts }: DueMail, error: unknown): Promise<void> {
  const isRejected = isPermanentRejection(error)
  const delayMinutes = isRejected ? undefined : RETRY_DELAYS_MINUTES[attempts - 1]
  const failure = (error as { response?: string }).response ?? (error as Error).message
  // The same as a bounce, said at once.
  if (isRejected)
    await recordBounce(sql, { mail_id }, { kind: classifyFailure(failure), detail: failure.slice(0, 1000) })
  await sql`
    update outgoing_mail set trouble = ${failure.slice(0, 1000)},
      state = ${delayMinutes === undefined ? 'failed' : 'waiting'},
      next_attempt_at = now() + make_interval(mins => ${delayMinutes ?? 0})
    where mail_id = ${mail_id}`
}

/**
 * Puts a mail that failed or was sent back in line, with all its attempts before it. Refuses `unknown_email`,
 * `mail_not_configured`, and `email_not_resendable` for one whose link or file was taken out when it was sent, or whose link is no longer good.
 */
export async function requeueMail(sql: Sql, { smtpUrl }: Pick<Config, 'smtpUrl'>, mailId: number): Promise<void> {
  const [mail] = await sql<{ is_over: boolean; lost_file: boolean }[]>`
    select good_until is not null and (state = 'sent' or good_until <= now()) as is_over,
      attachment_name <> '' and attachment is null as lost_file
    from outgoing_mail where mail_id = ${mailId} for update`
  if (!mail) throw new ApiError('unknown_email', 'Email not found. Old emails are deleted automatically.')
  if (!smtpUrl) throw new ApiError('mail_not_configured', 'No mail server is configured. Set SMTP_URL to send email.')
  if (mail.is_over) {
    throw new ApiError(
      'email_not_resendable',
      'The link in this email was already sent or has expired. The recipient needs to request a new email.',
    )
  }
  if (mail.lost_file) {
    throw new ApiError(
      'email_not_resendable',
      'The attachment was removed after sending. The member can download it from their account.',
    )
  }
  // One that waits goes in its turn: somebody may be sending it right now.
  await sql`
    update outgoing_mail set state = 'waiting', attempts = 0, trouble = '', sent_at = null, next_attempt_at = now(),
      bounced_at = null, bounce_kind = null, bounce_detail = ''
    where mail_id = ${mailId} and state <> 'waiting'`
}

/** Throws away mail that is done with, sent or failed, after a while. */
export async function sweepMail(sql: Sql): Promise<void> {
  await sql`delete from outgoing_mail
    where state <> 'waiting' and coalesce(sent_at, next_attempt_at) < now() - make_interval(days => ${RETENTION_DAYS})`
}

/** Letters of one are another's from now on. */
export const moveMail = async (sql: Sql, from: string, to: string): Promise<void> => {
  await sql`update outgoing_mail set whose = ${to} where whose = ${from}`
}

/** Throws away every letter that is theirs or went to this address, sent or not. */
export const deleteMailOf = async (sql: Sql, { reference, to }: { reference: string; to: string }): Promise<void> => {
  await sql`delete from outgoing_mail where whose = ${reference} or lower(to_address) = lower(${to})`
  await clearBounces(sql, to)
}
