import type { joining, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import { hashToken } from './caller.ts'
import { addressChangedEmail, applicationReceivedEmail, customerReference } from './emails.ts'
import { canSendEmail } from './mail-requests.ts'
import { consumeLink, invalidateLinks, type MailedLink, peekLink, wasUsed } from './mailed-links.ts'
import { addApplication, addCustomer, type SignUp, transferSignUp } from './new-accounts.ts'
import type { OwnData } from './own-data.ts'
import { verifyPassword } from './password.ts'
import { type ClientInfo, endSessions, openSession } from './session.ts'

type Confirmed = ReplyOf<typeof joining.confirmAddress>
const CONFIRM_PURPOSES = ['confirm_sign_up', 'change_address'] as const
const MAX_ATTEMPTS_PER_DAY = 10
const DAY_MINUTES = 24 * 60

/** Includes the data that other modules store under an email address. */
type MembershipContext = Pick<AppContext, 'sql' | 'settings' | 'config'> & { ownData: readonly OwnData[] }

/** What was sent with an emailed link: the password of a sign-up, and the current session if there is one. */
export type ConfirmParams = { token: string; password?: string | undefined; session_id?: number | undefined }

/**
 * Confirms an address with a mailed link, once: a sign-up becomes a customer, or a member's new address is used from
 * now on. Throws `link_expired`; with a valid link, `password_required`, `incorrect_password` and `rate_limited` for a
 * sign-up, and `email_taken` if an account with this address has been created since.
 */
export async function confirmAddress(
  ctx: MembershipContext,
  { token, password, session_id }: ConfirmParams,
  client: ClientInfo,
): Promise<Confirmed> {
  const opened = await peekLink(ctx.sql, token, CONFIRM_PURPOSES)
  if (opened?.sign_up_id) await verifySignUpOwner(ctx.sql, opened, { token, password })
  const confirmed = await ctx.sql
    .begin(async (sql) => {
      const link = await consumeLink(sql, token, CONFIRM_PURPOSES)
      if (!link) return undefined
      return link.purpose === 'change_address'
        ? applyAddressChange(sql, ctx, link, session_id)
        : createAccount(sql, ctx, link, client)
    })
    .catch((error) => {
      throw isUniqueViolation(error) ? addressTakenError() : error
    })
  return confirmed ?? rejectLink(ctx.sql, token)
}

/**
 * Anyone can sign up with someone else's address. Its owner may open the link but does not know the password, so an
 * account whose password a stranger knows is never created.
 */
async function verifySignUpOwner(
  sql: Sql,
  { sign_up_id, email }: MailedLink,
  { token, password }: ConfirmParams,
): Promise<void> {
  if (!password) {
    throw new ApiError('password_required', 'Enter the password you chose when you signed up.', { data: { email } })
  }
  if (
    (await incrementCount(sql, 'confirm_sign_up', hashToken(token).toString('hex'), DAY_MINUTES)) > MAX_ATTEMPTS_PER_DAY
  ) {
    throw new ApiError('rate_limited', 'Too many incorrect passwords. Try again tomorrow or sign up again.', {
      retryAfter_seconds: DAY_MINUTES * 60,
    })
  }
  const [signUp] = await sql<{ password_hash: string }[]>`
    select password_hash from sign_up where sign_up_id = ${sign_up_id}`
  if (await verifyPassword(password, signUp?.password_hash)) return
  const sentence = 'Incorrect password. If you signed up more than once, use the link in the most recent email.'
  throw new ApiError('incorrect_password', sentence, { fields: { password: sentence } })
}

async function rejectLink(sql: Sql, token: string): Promise<never> {
  if (await wasUsed(sql, token)) throw new ApiError('link_expired', 'This link has already been used. Sign in.')
  throw new ApiError('link_expired', 'This link has expired. Sign in to get a new one, or sign up again.')
}

/** PostgreSQL's error for a duplicate value, here the address. */
const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505'

const addressTakenError = () =>
  new ApiError('email_taken', 'This email address now belongs to another account. Sign in or reset your password.')

async function createAccount(
  sql: Sql,
  { settings, config }: Pick<AppContext, 'settings' | 'config'>,
  { sign_up_id }: MailedLink,
  client: ClientInfo,
): Promise<Confirmed> {
  // A concurrent application waits for this lock, and then belongs to the new customer.
  const [signUp] = await sql<SignUp[]>`
    select sign_up_id, email, dj_name, password_hash, applied_at, referred_by, dj_website, comment, return_to
    from sign_up where sign_up_id = ${sign_up_id} for update`
  if (!signUp) throw new ApiError('link_expired', 'This sign-up has expired. Sign up again.')
  const customerId = await addCustomer(sql, signUp, { isVerified: canSendEmail(config) })
  if (customerId === undefined) throw addressTakenError()
  await transferSignUp(sql, signUp.sign_up_id, customerId)
  const { email } = signUp
  if (!signUp.applied_at) {
    const token = await openSession(sql, customerId, 'applicant', client)
    return { email, kind: 'signed_up', application: 'missing', token }
  }
  await addApplication(sql, customerId, signUp)
  await queueMail(sql, applicationReceivedEmail(settings.emailSender, signUp), {
    reference: customerReference(customerId),
  })
  return { email, kind: 'signed_up', application: 'pending', token: null }
}

/**
 * Changes the address and notifies the old one. Ends the links emailed there, and every session except the one that
 * opened this link.
 */
async function applyAddressChange(
  sql: Sql,
  { settings, config, ownData }: Omit<MembershipContext, 'sql'>,
  link: MailedLink,
  sessionId: number | undefined,
): Promise<Confirmed> {
  const customerId = link.customer_id as number
  const [changed] = await sql<{ before: string }[]>`
    with old as (
      select customer_id, email from customer where customer_id = ${customerId} and status <> 'deleted' for update)
    update customer c set email = ${link.email}, email_verified = ${canSendEmail(config)} from old where c.customer_id = old.customer_id
    returning old.email as before`
  if (!changed) throw new ApiError('link_expired', 'This account no longer exists.')
  await invalidateLinks(sql, customerId, ['reset_password', 'change_address', 'sign_in'])
  await endSessions(sql, customerId, { but: sessionId })
  for (const part of ownData) await part.changeAddress?.(sql, { from: changed.before, to: link.email })
  await queueMail(sql, addressChangedEmail(settings.emailSender, changed.before, link.email), {
    reference: customerReference(customerId),
  })
  return { email: link.email, kind: 'changed', application: null, token: null }
}
