import type { AppContext } from '../app-context.ts'
import { networkOf } from '../platform/client-network.ts'
import type { Config } from '../platform/config.ts'
import type { Sql } from '../platform/db.ts'
import type { Sender } from '../platform/email-template.ts'
import { queueMail } from '../platform/outbox.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import * as emails from './emails.ts'
import { createMailedLink } from './mailed-links.ts'
import type { ClientInfo } from './session.ts'

/** Without a mail server, emails wait in the outbox, and staff pass on their links. */
export const canSendEmail = ({ smtpUrl }: Pick<Config, 'smtpUrl'>): boolean => smtpUrl !== undefined

type MailRequest = { kind: 'recover' | 'confirm_sign_up'; email: string; sign_up_id: number | null }
type Account = { customer_id: number; email: string }
type QueuedMailRequest = MailRequest & { ip: string }

/** Limit per address and place of the request, so that a stranger elsewhere cannot use up the owner's emails. */
const MAX_EMAILS_PER_SENDER = 3
/** Limit per address, from everywhere. */
const MAX_EMAILS_PER_ADDRESS = 12
const RECOVER_MINUTES = 60
const CONFIRM_MINUTES = 7 * 24 * 60

/** Records a request for an email and where it came from, in one statement that is the same for every address. */
export async function addMailRequest(
  sql: Sql,
  { kind, email, sign_up_id }: MailRequest,
  { ip }: ClientInfo,
): Promise<void> {
  await sql`insert into mail_request (kind, email, sign_up_id, ip)
    values (${kind}, ${email}, ${sign_up_id}, ${networkOf(ip)})`
}

/** Turns requests into emails in the outbox. A request that fails is retried next time; the others continue. */
export async function processMailRequests(ctx: AppContext): Promise<void> {
  let last: number | undefined = 0
  while (last !== undefined) last = await processNextMailRequest(ctx, last)
}

/** Processes the first request after this one and returns its id; undefined when there is none. */
async function processNextMailRequest(ctx: AppContext, after: number): Promise<number | undefined> {
  const [next] = await ctx.sql<{ mail_request_id: number }[]>`
    select mail_request_id from mail_request where mail_request_id > ${after} order by mail_request_id limit 1`
  if (!next) return undefined
  try {
    await ctx.sql.begin((sql) => processMailRequest(sql, ctx, next.mail_request_id))
  } catch (error) {
    ctx.log.error(error, 'Could not write a requested email; will retry')
  }
  return next.mail_request_id
}

/** Deletes the request and writes its email in one transaction. Does nothing if another worker came first. */
async function processMailRequest(
  sql: Sql,
  { settings: { emailSender } }: AppContext,
  requestId: number,
): Promise<void> {
  const [mailRequest] = await sql<QueuedMailRequest[]>`
    delete from mail_request where mail_request_id = ${requestId} returning kind, email, sign_up_id, ip`
  if (!mailRequest) return
  const [account] = await sql<Account[]>`
    select customer_id, email from customer where lower(email) = ${mailRequest.email} and status <> 'deleted'`
  if (mailRequest.kind === 'recover' && !account) return
  if (await isOverLimit(sql, mailRequest)) return
  if (!account) return queueConfirmation(sql, emailSender, mailRequest)
  if (mailRequest.kind === 'recover') return queueRecovery(sql, emailSender, account)
  await queueMail(sql, emails.accountExistsEmail(emailSender, account.email), {
    reference: emails.customerReference(account.customer_id),
  })
}

/** Requests above the limit of one place do not count for the others. */
async function isOverLimit(sql: Sql, { kind, email, ip: senderIp }: QueuedMailRequest): Promise<boolean> {
  if ((await incrementCount(sql, `letter ${kind} from here`, `${email} ${senderIp}`, 60)) > MAX_EMAILS_PER_SENDER)
    return true
  return (await incrementCount(sql, `letter ${kind}`, email, 60)) > MAX_EMAILS_PER_ADDRESS
}

async function queueRecovery(sql: Sql, sender: Sender, account: Account): Promise<void> {
  const token = await createMailedLink(sql, { purpose: 'reset_password', minutes: RECOVER_MINUTES, ...account })
  const owner = emails.customerReference(account.customer_id)
  await queueMail(sql, emails.recoverPasswordEmail(sender, account.email, token), {
    reference: owner,
    linkMinutes: RECOVER_MINUTES,
  })
}

/** The sign-up expires with its newest link. */
async function queueConfirmation(sql: Sql, sender: Sender, { email, sign_up_id }: MailRequest): Promise<void> {
  const signUpId = sign_up_id as number
  const link = { purpose: 'confirm_sign_up', minutes: CONFIRM_MINUTES, sign_up_id: signUpId, email } as const
  const token = await createMailedLink(sql, link)
  await sql`update sign_up set expires_at = now() + make_interval(mins => ${CONFIRM_MINUTES}) where sign_up_id = ${signUpId}`
  const owner = emails.signUpReference(signUpId)
  await queueMail(sql, emails.confirmSignUpEmail(sender, email, token), {
    reference: owner,
    linkMinutes: CONFIRM_MINUTES,
  })
}
