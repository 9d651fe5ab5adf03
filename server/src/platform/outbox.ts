import { ApiError } from './api-error.ts'
import { classifyFailure, clearBounces, recordBounce } from './bounces.ts'
import type { Config } from './config.ts'
import type { Sql } from './db.ts'
import type { EmailContent } from './email-template.ts'
import type { Log } from './log.ts'
import { type Attachment, isPermanentRejection, MAX_CONNECTIONS, type Mailer, type MailMessage } from './mailer.ts'

/** Delays in minutes after each failure, 2.8 days in all; the failure after the last of them is final. */
const RETRY_DELAYS_MINUTES = [1, 5, 15, 60, 240, 480, 720, 1080, 1440]
const MAX_ATTEMPTS = RETRY_DELAYS_MINUTES.length + 1

/** Longer than sending an email can take. After that, other workers send the emails of one that was killed. */
const LEASE_MINUTES = 5

const RETENTION_DAYS = 90

const BLANKED_TEXT = 'This email contained a private link, which was removed after sending.'

const LINK_EXPIRED_MESSAGE = 'The link expired before the email could be sent.'
const SENDER_ENDED_MESSAGE = 'The sending process stopped unexpectedly on every attempt.'

type DueMail = EmailContent & {
  mail_id: number
  created_at: Date
  attempts: number
  expires_at: Date | null
  attachment_name: string
  attachment_type: string
  attachment: Buffer | null
  reply_to: string
  headers: Record<string, string> | null
}

export type MailOptions = {
  /** The owner of the email: `customer 7`. It is deleted with them, whatever address it was sent to. */
  reference: string
  /**
   * Lifetime of a sign-in link in it, in minutes: the email is not sent later than that, and its texts are blanked once
   * it is sent.
   */
  linkMinutes?: number
  /** Deleted once the email is sent: such an email cannot be resent. */
  attachment?: Attachment
  /** The Reply-To address; replies to other emails are not read. */
  replyTo?: string
  /** Additional headers: `{ 'List-Unsubscribe': '<…>' }`. */
  headers?: Record<string, string>
}

/** No mail server exists under `.invalid` (RFC 2606). Members of the demo and deleted members have such addresses. */
const UNREACHABLE = /\.invalid$/i

/** Adds an email to the outbox, in the caller's transaction; none to an address that can't exist. */
export async function queueMail(
  sql: Sql,
  email: EmailContent,
  { reference, linkMinutes, attachment, replyTo, headers }: MailOptions,
): Promise<void> {
  if (UNREACHABLE.test(email.to)) return
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, owner, expires_at, attachment_name, attachment_type, attachment,
      reply_to, headers)
    values (${email.to}, ${email.subject}, ${email.html}, ${email.text}, ${reference},
      now() + make_interval(mins => ${linkMinutes ?? null}::int),
      ${attachment?.name ?? ''}, ${attachment?.type ?? ''}, ${attachment?.bytes ?? null},
      ${replyTo ?? ''}, ${headers ? sql.json(headers) : null})`
}

/**
 * Sends a few due emails, each by one process only. Returns whether to continue: false if there are none, or if the
 * server accepted none. Without a mail server, or while email is on hold, they all wait.
 */
export async function sendDueMail({ sql, log }: { sql: Sql; log: Log }, mailer: Mailer | undefined): Promise<boolean> {
  if (!mailer) return false
  await failExpiredMail(sql)
  const due = await claimDueMail(sql)
  const sent = await Promise.all(due.map((mail) => sendMail(sql, log, mailer, mail)))
  return due.length === MAX_CONNECTIONS && sent.some(Boolean)
}

/** True for an email that will not be sent: its last attempt ended with its sender killed, or its link has expired. */
const isExpired = (sql: Sql) => sql`(attempts >= ${MAX_ATTEMPTS} or coalesce(expires_at <= now(), false))`

const failExpiredMail = async (sql: Sql): Promise<void> => {
  await sql`
    update outgoing_mail set state = 'failed',
      last_error = case when last_error <> '' then last_error when expires_at <= now() then ${LINK_EXPIRED_MESSAGE} else ${SENDER_ENDED_MESSAGE} end
    where state = 'waiting' and next_attempt_at <= now() and ${isExpired(sql)}`
}

/** Claiming an email counts the attempt, so that an email that crashes its sender each time fails in the end. */
const claimDueMail = async (sql: Sql): Promise<DueMail[]> => sql<DueMail[]>`
  update outgoing_mail
  set attempts = attempts + 1, next_attempt_at = now() + make_interval(mins => ${LEASE_MINUTES})
  where mail_id in (
    select mail_id from outgoing_mail
    where state = 'waiting' and next_attempt_at <= now() and not ${isExpired(sql)} and not exists (select 1 from mail_hold)
    order by next_attempt_at, mail_id limit ${MAX_CONNECTIONS} for update skip locked)
  returning mail_id, to_address as "to", subject, html, body as text, created_at, attempts, expires_at,
    attachment_name, attachment_type, attachment, reply_to, headers`

function toMailMessage({
  attachment_name: name,
  attachment_type: type,
  attachment: bytes,
  ...mail
}: DueMail): MailMessage {
  return { ...mail, headers: mail.headers ?? {}, attachment: bytes ? { name, type, bytes } : undefined }
}

/** Returns true if the mail server accepted it. */
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

async function markSent(sql: Sql, { mail_id, expires_at }: DueMail): Promise<void> {
  const blank = expires_at ? sql`, html = ${`<p>${BLANKED_TEXT}</p>`}, body = ${BLANKED_TEXT}` : sql``
  await sql`
    update outgoing_mail set state = 'sent', sent_at = now(), last_error = '', attachment = null ${blank}
    where mail_id = ${mail_id}`
}

async function recordFailure(sql: Sql, { mail_id, attempts }: DueMail, error: unknown): Promise<void> {
  const isRejected = isPermanentRejection(error)
  const delayMinutes = isRejected ? undefined : RETRY_DELAYS_MINUTES[attempts - 1]
  const failure = (error as { response?: string }).response ?? (error as Error).message
  // The same as a bounce, reported immediately.
  if (isRejected)
    await recordBounce(sql, { mail_id }, { kind: classifyFailure(failure), detail: failure.slice(0, 1000) })
  await sql`
    update outgoing_mail set last_error = ${failure.slice(0, 1000)},
      state = ${delayMinutes === undefined ? 'failed' : 'waiting'},
      next_attempt_at = now() + make_interval(mins => ${delayMinutes ?? 0})
    where mail_id = ${mail_id}`
}

/**
 * Queues a failed or sent email again, with all its attempts. Throws `unknown_email`, `mail_not_configured`, and
 * `email_not_resendable` if its link or file was removed when it was sent, or if its link has expired.
 */
export async function requeueMail(sql: Sql, { smtpUrl }: Pick<Config, 'smtpUrl'>, mailId: number): Promise<void> {
  const [mail] = await sql<{ is_expired: boolean; lost_file: boolean }[]>`
    select expires_at is not null and (state = 'sent' or expires_at <= now()) as is_expired,
      attachment_name <> '' and attachment is null as lost_file
    from outgoing_mail where mail_id = ${mailId} for update`
  if (!mail) throw new ApiError('unknown_email', 'Email not found. Old emails are deleted automatically.')
  if (!smtpUrl) throw new ApiError('mail_not_configured', 'No mail server is configured. Set SMTP_URL to send email.')
  if (mail.is_expired) {
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
  // A waiting email is sent in its turn: a worker may be sending it right now.
  await sql`
    update outgoing_mail set state = 'waiting', attempts = 0, last_error = '', sent_at = null, next_attempt_at = now(),
      bounced_at = null, bounce_kind = null, bounce_detail = ''
    where mail_id = ${mailId} and state <> 'waiting'`
}

/** Deletes finished emails, sent or failed, after a while. */
export async function sweepMail(sql: Sql): Promise<void> {
  await sql`delete from outgoing_mail
    where state <> 'waiting' and coalesce(sent_at, next_attempt_at) < now() - make_interval(days => ${RETENTION_DAYS})`
}

/** Transfers the emails of one owner to another. */
export const moveMail = async (sql: Sql, from: string, to: string): Promise<void> => {
  await sql`update outgoing_mail set owner = ${to} where owner = ${from}`
}

/** Deletes every email of this owner or to this address, sent or not. */
export const deleteMailOf = async (sql: Sql, { reference, to }: { reference: string; to: string }): Promise<void> => {
  await sql`delete from outgoing_mail where owner = ${reference} or lower(to_address) = lower(${to})`
  await clearBounces(sql, to)
}
