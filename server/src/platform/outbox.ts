import { clearBounces, failureIn, recordBounce } from './bounces.ts'
import type { Config } from './config.ts'
import type { Sql } from './db.ts'
import type { Letter } from './letter.ts'
import type { Log } from './log.ts'
import { type Attachment, CONNECTIONS, isRefusedForGood, type Post, type Posting } from './post.ts'
import { Refusal } from './refusal.ts'

/** Minutes to wait after each failure, 2.8 days in all; the failure after the last of them is the end. */
const WAITS_MINUTES = [1, 5, 15, 60, 240, 480, 720, 1080, 1440]
const MOST_ATTEMPTS = WAITS_MINUTES.length + 1

/** Longer than a letter can be on its way. A sender that was killed leaves its letters to others after that. */
const LEASE_MINUTES = 5

const KEPT_DAYS = 90

const BLANKED = 'This email contained a private link, which was removed after sending.'

const RUN_OUT = 'The link expired before the email could be sent.'
const SENDER_ENDED = 'The sending process stopped unexpectedly on every attempt.'

type Due = Letter & {
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

export type Belonging = {
  /** Whose letter it is: `customer 7`. It goes with them, whatever address it went to. */
  whose: string
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
  letter: Letter,
  { whose, linkMinutes, attachment, replyTo, headers }: Belonging,
): Promise<void> {
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, whose, good_until, attachment_name, attachment_type, attachment,
      reply_to, headers)
    values (${letter.to}, ${letter.subject}, ${letter.html}, ${letter.text}, ${whose},
      now() + make_interval(mins => ${linkMinutes ?? null}::int),
      ${attachment?.name ?? ''}, ${attachment?.type ?? ''}, ${attachment?.bytes ?? null},
      ${replyTo ?? ''}, ${headers ? sql.json(headers) : null})`
}

/**
 * Sends a few letters whose time has come, each by one process alone. Answers whether to go on with more: false when
 * there are none, or when the server took none. Without a post, or while email is on hold, they all wait.
 */
export async function sendDueMail({ sql, log }: { sql: Sql; log: Log }, post: Post | undefined): Promise<boolean> {
  if (!post) return false
  await giveUpOver(sql)
  const due = await takeDue(sql)
  const sent = await Promise.all(due.map((mail) => sendOne(sql, log, post, mail)))
  return due.length === CONNECTIONS && sent.some(Boolean)
}

/** True of a letter that waits in vain: its last sender was killed over it, or its link lets nobody in any more. */
const isOver = (sql: Sql) => sql`(attempts >= ${MOST_ATTEMPTS} or coalesce(good_until <= now(), false))`

const giveUpOver = async (sql: Sql): Promise<void> => {
  await sql`
    update outgoing_mail set state = 'failed',
      trouble = case when trouble <> '' then trouble when good_until <= now() then ${RUN_OUT} else ${SENDER_ENDED} end
    where state = 'waiting' and next_attempt_at <= now() and ${isOver(sql)}`
}

/** Taking is counting the attempt: a letter that ends its sender each time ends, too. */
const takeDue = async (sql: Sql): Promise<Due[]> => sql<Due[]>`
  update outgoing_mail
  set attempts = attempts + 1, next_attempt_at = now() + make_interval(mins => ${LEASE_MINUTES})
  where mail_id in (
    select mail_id from outgoing_mail
    where state = 'waiting' and next_attempt_at <= now() and not ${isOver(sql)} and not exists (select 1 from mail_hold)
    order by next_attempt_at, mail_id limit ${CONNECTIONS} for update skip locked)
  returning mail_id, to_address as "to", subject, html, body as text, created_at, attempts, good_until,
    attachment_name, attachment_type, attachment, reply_to, headers`

function asPosting({ attachment_name: name, attachment_type: type, attachment: bytes, ...mail }: Due): Posting {
  return { ...mail, headers: mail.headers ?? {}, attachment: bytes ? { name, type, bytes } : undefined }
}

/** True when the mail server took it. */
async function sendOne(sql: Sql, log: Log, post: Post, mail: Due): Promise<boolean> {
  try {
    await post.send(asPosting(mail))
  } catch (error) {
    await keepTrouble(sql, mail, error)
    log.warn({ mail_id: mail.mail_id, attempts: mail.attempts, err: error }, 'Could not send an email')
    return false
  }
  await markSent(sql, mail)
  return true
}

async function markSent(sql: Sql, { mail_id, good_until }: Due): Promise<void> {
  const blank = good_until ? sql`, html = ${`<p>${BLANKED}</p>`}, body = ${BLANKED}` : sql``
  await sql`
    update outgoing_mail set state = 'sent', sent_at = now(), trouble = '', attachment = null ${blank}
    where mail_id = ${mail_id}`
}

async function keepTrouble(sql: Sql, { mail_id, attempts }: Due, error: unknown): Promise<void> {
  const isRefused = isRefusedForGood(error)
  const wait = isRefused ? undefined : WAITS_MINUTES[attempts - 1]
  const trouble = (error as { response?: string }).response ?? (error as Error).message
  // The same as a bounce, said at once.
  if (isRefused) await recordBounce(sql, { mail_id }, { kind: failureIn(trouble), detail: trouble.slice(0, 1000) })
  await sql`
    update outgoing_mail set trouble = ${trouble.slice(0, 1000)},
      state = ${wait === undefined ? 'failed' : 'waiting'},
      next_attempt_at = now() + make_interval(mins => ${wait ?? 0})
    where mail_id = ${mail_id}`
}

/**
 * Puts a mail that failed or was sent back in line, with all its attempts before it. Refuses `unknown_email`,
 * `mail_not_configured`, and `email_not_resendable` for one whose link or file was taken out when it was sent, or whose link is no longer good.
 */
export async function sendAgain(sql: Sql, { smtpUrl }: Pick<Config, 'smtpUrl'>, mailId: number): Promise<void> {
  const [mail] = await sql<{ is_over: boolean; lost_file: boolean }[]>`
    select good_until is not null and (state = 'sent' or good_until <= now()) as is_over,
      attachment_name <> '' and attachment is null as lost_file
    from outgoing_mail where mail_id = ${mailId} for update`
  if (!mail) throw new Refusal('unknown_email', 'Email not found. Old emails are deleted automatically.')
  if (!smtpUrl) throw new Refusal('mail_not_configured', 'No mail server is configured. Set SMTP_URL to send email.')
  if (mail.is_over) {
    throw new Refusal(
      'email_not_resendable',
      'The link in this email was already sent or has expired. The recipient needs to request a new email.',
    )
  }
  if (mail.lost_file) {
    throw new Refusal(
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
    where state <> 'waiting' and coalesce(sent_at, next_attempt_at) < now() - make_interval(days => ${KEPT_DAYS})`
}

/** Letters of one are another's from now on. */
export const handMailOver = async (sql: Sql, from: string, to: string): Promise<void> => {
  await sql`update outgoing_mail set whose = ${to} where whose = ${from}`
}

/** Throws away every letter that is theirs or went to this address, sent or not. */
export const forgetMail = async (sql: Sql, { whose, to }: { whose: string; to: string }): Promise<void> => {
  await sql`delete from outgoing_mail where whose = ${whose} or lower(to_address) = lower(${to})`
  await clearBounces(sql, to)
}
