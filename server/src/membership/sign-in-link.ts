import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { MailOptions } from '../platform/outbox.ts'
import { customerReference } from './emails.ts'
import { consumeLink, createMailedLink } from './mailed-links.ts'
import type { ClientInfo } from './session.ts'
import { openSessionFor } from './sign-in-policy.ts'

const LINK_HOURS = 24
/** Mail is retried for almost three days: a late one still says that the application was approved. */
const MAIL_HOURS = 72

/** The text of an email with such a link is removed from the outbox once it is sent. */
export const signInLinkMail = (customerId: number): MailOptions => ({
  reference: customerReference(customerId),
  linkMinutes: MAIL_HOURS * 60,
})

/** Creates the link of an approval email, which works once, for 24 hours. */
export const createSignInLink = (sql: Sql, { customer_id, email }: { customer_id: number; email: string }) =>
  createMailedLink(sql, { purpose: 'sign_in', customer_id, email, minutes: LINK_HOURS * 60 })

/**
 * Signs in with the link of an approval email and returns a session token, and the page the applicant came from. Throws
 * `link_expired`, and the errors of `openSessionFor`: members with a second factor still need it.
 */
export async function signInWithLink(
  { sql }: Pick<AppContext, 'sql'>,
  linkToken: string,
  client: ClientInfo,
): Promise<{ token: string; return_to: string }> {
  const link = await consumeLink(sql, linkToken, ['sign_in'])
  if (!link?.customer_id) throw new ApiError('link_expired', 'This link has expired or was already used. Sign in.')
  const token = await openSessionFor(sql, link.customer_id, client)
  const [application] = await sql<{ return_to: string }[]>`
    select return_to from dj_application where customer_id = ${link.customer_id}`
  return { token, return_to: application?.return_to ?? '' }
}
