import type { Sql } from '../platform/db.ts'
import { moveMail } from '../platform/outbox.ts'
import { customerReference, signUpReference } from './emails.ts'

/** What applicants say about themselves, and the page they want to return to. */
export type Reference = { referred_by: string; dj_website: string; comment: string; return_to: string }

export type SignUp = Reference & {
  sign_up_id: number
  email: string
  dj_name: string
  password_hash: string
  applied_at: Date | null
}

/** Returns undefined when an account has the address. */
export async function addCustomer(
  sql: Sql,
  { email, dj_name, password_hash }: SignUp,
  { isVerified }: { isVerified: boolean },
): Promise<number | undefined> {
  const [customer] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash, email_verified)
    values (${email}, ${dj_name}, ${password_hash}, ${isVerified}) on conflict do nothing returning customer_id`
  return customer?.customer_id
}

/**
 * Transfers everything of the sign-up to the customer: sessions, emails, and the used link, so that opening it again is
 * explained.
 */
export async function transferSignUp(sql: Sql, signUpId: number, customerId: number): Promise<void> {
  await sql`update session set customer_id = ${customerId}, sign_up_id = null where sign_up_id = ${signUpId}`
  await sql`update mailed_link set customer_id = ${customerId}, sign_up_id = null
    where sign_up_id = ${signUpId} and used_at is not null`
  await moveMail(sql, signUpReference(signUpId), customerReference(customerId))
  await sql`delete from sign_up where sign_up_id = ${signUpId}`
}

/** Returns false when there is an application already, in any state. */
export async function addApplication(
  sql: Sql,
  customerId: number,
  submitted: Reference & { applied_at?: Date | null },
): Promise<boolean> {
  const added = await sql`
    insert into dj_application (customer_id, referred_by, dj_website, comment, return_to, applied_at)
    values (${customerId}, ${submitted.referred_by}, ${submitted.dj_website}, ${submitted.comment},
      ${submitted.return_to}, coalesce(${submitted.applied_at ?? null}::timestamptz, now()))
    on conflict do nothing`
  return added.count > 0
}

/**
 * Submits the application of a sign-up in a pool that sends no email: staff read it although the address is not
 * confirmed. Does nothing if an account has the address, and reveals nothing about that: such a sign-up stays in review
 * until it expires.
 */
export async function submitUnverifiedApplication(sql: Sql, signUpId: number): Promise<void> {
  const [signUp] = await sql<SignUp[]>`
    select sign_up_id, email, dj_name, password_hash, applied_at, referred_by, dj_website, comment, return_to
    from sign_up where sign_up_id = ${signUpId} and applied_at is not null for update`
  if (!signUp) return
  const customerId = await addCustomer(sql, signUp, { isVerified: false })
  if (customerId === undefined) return
  await transferSignUp(sql, signUpId, customerId)
  await addApplication(sql, customerId, signUp)
}
