import type { joining, ReplyOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { handMailOver, queueMail } from '../platform/outbox.ts'
import { countUp } from '../platform/rate.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { addApplication, type Reference } from './applications.ts'
import { hashToken } from './asker.ts'
import { addressChanged, applicationReceived, ofCustomer, ofSignUp } from './letters.ts'
import { endLinks, type MailedLink, peekLink, useLink, wasUsed } from './mailed-links.ts'
import type { OwnData } from './own-data.ts'
import { passwordIs } from './password.ts'
import { endSessions, openSession, type Visit } from './session.ts'

type Confirmed = ReplyOf<typeof joining.confirmAddress>
type SignUp = Reference & {
  sign_up_id: number
  email: string
  dj_name: string
  password_hash: string
  applied_at: Date | null
}

const CONFIRMING = ['confirm_sign_up', 'change_address'] as const
const TRIES_A_DAY = 10
const DAY_MINUTES = 24 * 60

/** With what other rooms keep under an address. */
type Tools = Pick<World, 'sql' | 'settings'> & { parts: readonly OwnData[] }

/** What somebody comes with who opened a mailed link: the password of a sign-up, the session they are signed in with. */
export type Opened = { token: string; password?: string | undefined; session_id?: number | undefined }

/**
 * Confirms an address with a mailed link, once: a sign-up becomes a customer, or a member's new address is used from now
 * on. Refuses `link_expired`; with the link still good, `password_required`, `incorrect_password` and `rate_limited` for a
 * sign-up, and `email_taken` when an account with this address came meanwhile.
 */
export async function confirmAddress(
  world: Tools,
  { token, password, session_id }: Opened,
  visit: Visit,
): Promise<Confirmed> {
  const opened = await peekLink(world.sql, token, CONFIRMING)
  if (opened?.sign_up_id) await checkItIsTheirs(world.sql, opened, { token, password })
  const confirmed = await world.sql
    .begin(async (sql) => {
      const link = await useLink(sql, token, CONFIRMING)
      if (!link) return undefined
      return link.purpose === 'change_address'
        ? changeAddress(sql, world, link, session_id)
        : openAccount(sql, world, link, visit)
    })
    .catch((error) => {
      throw isTaken(error) ? addressTaken() : error
    })
  return confirmed ?? refuseLink(world.sql, token)
}

/**
 * Anybody can sign up with an address that is not theirs. Who lives there opens the link, perhaps, but does not know the
 * password: so the account never becomes one that a stranger has the password of.
 */
async function checkItIsTheirs(
  sql: Sql,
  { sign_up_id, email }: MailedLink,
  { token, password }: Opened,
): Promise<void> {
  if (!password) {
    throw new Refusal('password_required', 'Enter the password you chose when you signed up.', { data: { email } })
  }
  if ((await countUp(sql, 'confirm_sign_up', hashToken(token).toString('hex'), DAY_MINUTES)) > TRIES_A_DAY) {
    throw new Refusal('rate_limited', 'Too many incorrect passwords. Try again tomorrow or sign up again.', {
      retryAfter_seconds: DAY_MINUTES * 60,
    })
  }
  const [signUp] = await sql<{ password_hash: string }[]>`
    select password_hash from sign_up where sign_up_id = ${sign_up_id}`
  if (await passwordIs(password, signUp?.password_hash)) return
  const sentence = 'Incorrect password. If you signed up more than once, use the link in the most recent email.'
  throw new Refusal('incorrect_password', sentence, { fields: { password: sentence } })
}

async function refuseLink(sql: Sql, token: string): Promise<never> {
  if (await wasUsed(sql, token)) throw new Refusal('link_expired', 'This link has already been used. Sign in.')
  throw new Refusal('link_expired', 'This link has expired. Sign in to get a new one, or sign up again.')
}

/** PostgreSQL: unique violation, here of the address. */
const isTaken = (error: unknown): boolean => (error as { code?: string }).code === '23505'

const addressTaken = () =>
  new Refusal('email_taken', 'This email address now belongs to another account. Sign in or reset your password.')

async function openAccount(
  sql: Sql,
  { settings }: Pick<World, 'settings'>,
  { sign_up_id }: MailedLink,
  visit: Visit,
): Promise<Confirmed> {
  // Whoever applies at this moment waits, and then applies as the customer.
  const [signUp] = await sql<SignUp[]>`
    select sign_up_id, email, dj_name, password_hash, applied_at, referred_by, dj_website, comment
    from sign_up where sign_up_id = ${sign_up_id} for update`
  if (!signUp) throw new Refusal('link_expired', 'This sign-up has expired. Sign up again.')
  const customerId = await addCustomer(sql, signUp)
  await handOver(sql, signUp.sign_up_id, customerId)
  const { email } = signUp
  if (!signUp.applied_at) {
    const token = await openSession(sql, customerId, 'applicant', visit)
    return { email, what: 'signed_up', application: 'missing', token }
  }
  await addApplication(sql, customerId, signUp)
  await queueMail(sql, applicationReceived(settings.letterhead, signUp), { whose: ofCustomer(customerId) })
  return { email, what: 'signed_up', application: 'pending', token: null }
}

async function addCustomer(sql: Sql, { email, dj_name, password_hash }: SignUp): Promise<number> {
  const [customer] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash) values (${email}, ${dj_name}, ${password_hash})
    returning customer_id`
  return (customer as { customer_id: number }).customer_id
}

/** What was the sign-up's is the customer's: sessions, letters, and the link, which can still say that it was used. */
async function handOver(sql: Sql, signUpId: number, customerId: number): Promise<void> {
  await sql`update session set customer_id = ${customerId}, sign_up_id = null where sign_up_id = ${signUpId}`
  await sql`update mailed_link set customer_id = ${customerId}, sign_up_id = null
    where sign_up_id = ${signUpId} and used_at is not null`
  await handMailOver(sql, ofSignUp(signUpId), ofCustomer(customerId))
  await sql`delete from sign_up where sign_up_id = ${signUpId}`
}

/** With the old address, which is told, end the links mailed there and every session but the one that opens this link. */
async function changeAddress(
  sql: Sql,
  { settings, parts }: Omit<Tools, 'sql'>,
  link: MailedLink,
  sessionId: number | undefined,
): Promise<Confirmed> {
  const customerId = link.customer_id as number
  const [changed] = await sql<{ before: string }[]>`
    with old as (
      select customer_id, email from customer where customer_id = ${customerId} and status <> 'deleted' for update)
    update customer c set email = ${link.email} from old where c.customer_id = old.customer_id
    returning old.email as before`
  if (!changed) throw new Refusal('link_expired', 'This account no longer exists.')
  await endLinks(sql, customerId, ['reset_password', 'change_address'])
  await endSessions(sql, customerId, { but: sessionId })
  for (const part of parts) await part.moveAddress?.(sql, { from: changed.before, to: link.email })
  await queueMail(sql, addressChanged(settings.letterhead, changed.before, link.email), {
    whose: ofCustomer(customerId),
  })
  return { email: link.email, what: 'changed', application: null, token: null }
}
