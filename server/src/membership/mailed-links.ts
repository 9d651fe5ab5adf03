import { randomBytes } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import { hashToken } from './caller.ts'

export type LinkPurpose = 'confirm_sign_up' | 'change_address' | 'reset_password' | 'sign_in_elsewhere' | 'sign_in'

type Owner = { customer_id: number; sign_up_id?: undefined } | { sign_up_id: number; customer_id?: undefined }

export type MailedLink = {
  purpose: LinkPurpose
  customer_id: number | null
  sign_up_id: number | null
  email: string
}

/** Creates a single-use link and returns its token. Ends earlier links with the same purpose and owner. */
export async function createMailedLink(
  sql: Sql,
  link: Owner & { purpose: LinkPurpose; email: string; minutes: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const ownerCondition =
    link.sign_up_id === undefined ? sql`customer_id = ${link.customer_id}` : sql`sign_up_id = ${link.sign_up_id}`
  await sql`update mailed_link set expires_at = now()
    where ${ownerCondition} and purpose = ${link.purpose} and used_at is null and expires_at > now()`
  await sql`insert into mailed_link (token_hash, purpose, customer_id, sign_up_id, email, expires_at)
    values (${hashToken(token)}, ${link.purpose}, ${link.customer_id ?? null}, ${link.sign_up_id ?? null}, ${link.email},
      now() + make_interval(mins => ${link.minutes}))`
  return token
}

/**
 * Uses up a link, in one statement, so that only one of two simultaneous requests gets it. Returns undefined when the
 * link is not valid for any of these purposes.
 */
export async function consumeLink(
  sql: Sql,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<MailedLink | undefined> {
  const [used] = await sql<MailedLink[]>`
    update mailed_link set used_at = now()
    where token_hash = ${hashToken(token)} and purpose = any(${purposes as LinkPurpose[]})
      and used_at is null and expires_at > now()
    returning purpose, customer_id, sign_up_id, email`
  return used
}

/** Returns the link of a token without using it up. */
export async function peekLink(
  sql: Sql,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<MailedLink | undefined> {
  const [link] = await sql<MailedLink[]>`
    select purpose, customer_id, sign_up_id, email from mailed_link
    where token_hash = ${hashToken(token)} and purpose = any(${purposes as LinkPurpose[]})
      and used_at is null and expires_at > now()`
  return link
}

export async function wasUsed(sql: Sql, token: string): Promise<boolean> {
  const [link] = await sql`select 1 from mailed_link where token_hash = ${hashToken(token)} and used_at is not null`
  return link !== undefined
}

/** Ends the unused links of a member. */
export async function invalidateLinks(sql: Sql, customerId: number, purposes: readonly LinkPurpose[]): Promise<void> {
  await sql`update mailed_link set expires_at = now()
    where customer_id = ${customerId} and purpose = any(${purposes as LinkPurpose[]})
      and used_at is null and expires_at > now()`
}

const RETENTION_DAYS = 30

/** A used link is recognised for a while when it is opened again; then it is deleted like any other. */
export const sweepLinks = async (sql: Sql): Promise<void> => {
  await sql`delete from mailed_link where expires_at < now() - make_interval(days => ${RETENTION_DAYS})`
}
