import type { joining, ReplyOf, staff } from '@dubplate/contract'
import type { Pool, Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { countUp } from '../platform/rate.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Asker } from './asker.ts'
import { applicationReceived, ofCustomer } from './letters.ts'
import { requestMail } from './mail-requests.ts'
import type { Visit } from './session.ts'

export type Reference = { referred_by: string; dj_website: string; comment: string }

type Submitted = ReplyOf<typeof joining.submitApplication>
type Applicant = Pick<Asker, 'session_id' | 'sign_up_id' | 'customer_id' | 'email' | 'dj_name'>

const ASKED_AN_HOUR = 3

/**
 * Applies as a DJ, once. Where the address is still unconfirmed the application waits with the sign-up, and is read once
 * the link is opened. Refuses `already_applied`.
 */
export async function submitApplication(
  { sql: pool, settings }: Pick<World, 'sql' | 'settings'>,
  applicant: Applicant,
  given: Reference,
): Promise<Submitted> {
  return pool.begin(async (sql) => {
    const customerId = await whoAsks(sql, applicant, given)
    if (customerId === undefined) return { email: applicant.email, address_confirmed: false }
    if (!(await addApplication(sql, customerId, given))) throw await alreadyApplied(sql, customerId)
    await queueMail(sql, applicationReceived(settings.letterhead, applicant), { whose: ofCustomer(customerId) })
    return { email: applicant.email, address_confirmed: true }
  })
}

/** The customer to apply for; undefined when the application was kept with a sign-up. */
async function whoAsks(sql: Sql, applicant: Applicant, given: Reference): Promise<number | undefined> {
  if (applicant.sign_up_id === null) return applicant.customer_id
  const kept = await sql`
    update sign_up set applied_at = now(), referred_by = ${given.referred_by}, dj_website = ${given.dj_website},
      comment = ${given.comment}
    where sign_up_id = ${applicant.sign_up_id} and applied_at is null`
  if (kept.count > 0) return undefined
  // Where the link was opened between this question and its answer, the session is a customer's now.
  const [session] = await sql<{ customer_id: number | null }[]>`
    select customer_id from session where session_id = ${applicant.session_id}`
  if (session?.customer_id) return session.customer_id
  throw new Refusal('already_applied', 'You’ve already applied. Confirm your email address using the link we sent you.')
}

/** False where there is an application, whatever came of it. */
export async function addApplication(
  sql: Sql,
  customerId: number,
  given: Reference & { applied_at?: Date | null },
): Promise<boolean> {
  const added = await sql`
    insert into dj_application (customer_id, referred_by, dj_website, comment, applied_at)
    values (${customerId}, ${given.referred_by}, ${given.dj_website}, ${given.comment},
      coalesce(${given.applied_at ?? null}::timestamptz, now()))
    on conflict do nothing`
  return added.count > 0
}

async function alreadyApplied(sql: Sql, customerId: number): Promise<Refusal> {
  const [application] = await sql<{ state: staff.ApplicationState }[]>`
    select state from dj_application where customer_id = ${customerId}`
  const sentence = {
    pending: 'You’ve already applied. We’ll email you when your application has been reviewed.',
    approved: 'Your application has been approved. Sign in to get started.',
    declined: 'Your application was declined. Contact support if something has changed.',
  }[application?.state ?? 'pending']
  return new Refusal('already_applied', sentence)
}

/**
 * Asks for the mail that confirms the address once more. Somebody whose address is confirmed gets none. Refuses
 * `rate_limited`: counted by sign-up, so that it says nothing about the address.
 */
export async function sendConfirmation(
  pool: Pool,
  { sign_up_id, email }: Applicant,
  visit: Visit,
): Promise<{ email: string }> {
  if (sign_up_id === null) return { email }
  return pool.begin(async (sql) => {
    if ((await countUp(sql, 'confirmation asked for', String(sign_up_id), 60)) > ASKED_AN_HOUR) {
      throw new Refusal(
        'rate_limited',
        'We’ve already sent several emails. Check your spam folder or try again in an hour.',
        {
          retryAfter_seconds: 3600,
        },
      )
    }
    await requestMail(sql, { what: 'confirm_sign_up', email, sign_up_id }, visit)
    return { email }
  })
}
