import type { joining, ReplyOf, staff } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import type { Caller } from './caller.ts'
import { applicationReceivedEmail, customerReference } from './emails.ts'
import { addMailRequest, canSendEmail } from './mail-requests.ts'
import { addApplication, type Reference, submitUnverifiedApplication } from './new-accounts.ts'
import type { ClientInfo } from './session.ts'

type Submitted = ReplyOf<typeof joining.submitApplication>
type ApplicantCaller = Pick<Caller, 'session_id' | 'sign_up_id' | 'customer_id' | 'email' | 'dj_name'>

const MAX_APPLICATIONS_PER_HOUR = 3

/**
 * Submits a DJ application, once per person. While the address is unconfirmed, the application is stored with the
 * sign-up and becomes active when the link is opened; at once in a pool that sends no email. Throws `already_applied`.
 */
export async function submitApplication(
  { sql: pool, settings, config }: Pick<AppContext, 'sql' | 'settings' | 'config'>,
  applicant: ApplicantCaller,
  submitted: Reference,
): Promise<Submitted> {
  return pool.begin(async (sql) => {
    const customerId = await resolveApplicant(sql, applicant, submitted)
    if (customerId === undefined) {
      const isConfirmationNeeded = canSendEmail(config)
      if (!isConfirmationNeeded) await submitUnverifiedApplication(sql, applicant.sign_up_id as number)
      return { email: applicant.email, address_confirmed: !isConfirmationNeeded }
    }
    if (!(await addApplication(sql, customerId, submitted))) throw await alreadyAppliedError(sql, customerId)
    await queueMail(sql, applicationReceivedEmail(settings.emailSender, applicant), {
      reference: customerReference(customerId),
    })
    return { email: applicant.email, address_confirmed: true }
  })
}

/** Returns the customer to apply for; undefined when the application was stored with a sign-up. */
async function resolveApplicant(
  sql: Sql,
  applicant: ApplicantCaller,
  submitted: Reference,
): Promise<number | undefined> {
  if (applicant.sign_up_id === null) return applicant.customer_id
  const updated = await sql`
    update sign_up set applied_at = now(), referred_by = ${submitted.referred_by}, dj_website = ${submitted.dj_website},
      comment = ${submitted.comment}, return_to = ${submitted.return_to}
    where sign_up_id = ${applicant.sign_up_id} and applied_at is null`
  if (updated.count > 0) return undefined
  // If the email link was opened while this request ran, the session now belongs to a customer.
  const [session] = await sql<{ customer_id: number | null }[]>`
    select customer_id from session where session_id = ${applicant.session_id}`
  if (session?.customer_id) return session.customer_id
  throw new ApiError(
    'already_applied',
    'You’ve already applied. Confirm your email address using the link we sent you.',
  )
}

async function alreadyAppliedError(sql: Sql, customerId: number): Promise<ApiError> {
  const [application] = await sql<{ state: staff.ApplicationState }[]>`
    select state from dj_application where customer_id = ${customerId}`
  const sentence = {
    pending: 'You’ve already applied. Sign in again later to see the decision.',
    approved: 'Your application has been approved. Sign in to get started.',
    declined: 'Your application was declined. Contact support if something has changed.',
  }[application?.state ?? 'pending']
  return new ApiError('already_applied', sentence)
}

/**
 * Requests the confirmation email again. Sends none when the address is already confirmed. Throws `rate_limited`:
 * counted per sign-up, so that it reveals nothing about the address.
 */
export async function sendConfirmation(
  pool: Pool,
  { sign_up_id, email }: ApplicantCaller,
  client: ClientInfo,
): Promise<{ email: string }> {
  if (sign_up_id === null) return { email }
  return pool.begin(async (sql) => {
    if ((await incrementCount(sql, 'confirmation asked for', String(sign_up_id), 60)) > MAX_APPLICATIONS_PER_HOUR) {
      throw new ApiError(
        'rate_limited',
        'We’ve already sent several emails. Check your spam folder or try again in an hour.',
        {
          retryAfter_seconds: 3600,
        },
      )
    }
    await addMailRequest(sql, { kind: 'confirm_sign_up', email, sign_up_id }, client)
    return { email }
  })
}
