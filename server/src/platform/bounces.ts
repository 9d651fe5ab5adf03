import type { Config } from './config.ts'
import type { Sql } from './db.ts'
import { findMailReferences, isMailMac } from './return-path.ts'

/** Bounced email: finds the email a bounce is about, and records the bounce for its address. */

/** `hard`: the mailbox does not exist. `soft`: it could not be delivered this time. */
export type BounceKind = 'hard' | 'soft'

/** After this many hard bounces the newsletter is no longer sent to an address. */
export const MAX_HARD_BOUNCES = 2

/**
 * RFC 3463: the mailbox or its domain does not exist. Other failures (mailbox full, email too large, policy) may be
 * temporary.
 */
const HARD_CODE = /^5\.(?:1\.\d+|2\.1|4\.4)$/
/** Codes that only say that delivery failed permanently. */
const VAGUE_CODE = /^5\.(?:0\.0|5\.0)$/
const HARD_WORDS =
  /user unknown|unknown user|no such (?:user|recipient|mailbox|address)|does not exist|doesn['’]t exist|no mailbox|mailbox (?:not found|unavailable)|(?:address|recipient) (?:rejected|not found)|account (?:is|has been) (?:disabled|deleted)|host (?:or domain name )?not found|domain not found/i
const SOFT_WORDS = /full|quota|too large|spam|blocked|policy|reputation|greylist|temporar|try again|rate/i

/** Classifies a failure by the status codes in the server's texts, otherwise by their wording. */
export function classifyFailure(...texts: string[]): BounceKind {
  const codes = texts.flatMap((text) => text.match(/\b[45]\.\d{1,3}\.\d{1,3}\b/g) ?? [])
  const code = codes.find((one) => !VAGUE_CODE.test(one))
  if (code) return HARD_CODE.test(code) ? 'hard' : 'soft'
  const words = texts.join(' ')
  if (HARD_WORDS.test(words)) return 'hard'
  return codes.length > 0 && !SOFT_WORDS.test(words) ? 'hard' : 'soft'
}

type MailConfig = { config: Pick<Config, 'inbound' | 'publicUrl' | 'secret'> }
type SentMail = { mail_id: number; created_at: Date; to_address: string }

/** Returns the email a bounce is about; undefined if the text contains no valid signature of an email we sent. */
export async function findBounced(sql: Sql, ctx: MailConfig, text: string): Promise<SentMail | undefined> {
  const references = findMailReferences(ctx, text)
  if (references.length === 0) return undefined
  const rows = await sql<SentMail[]>`
    select mail_id, created_at, to_address from outgoing_mail
    where mail_id = any(${references.map(({ mail_id }) => mail_id)}::bigint[]) and attempts > 0`
  return rows.find((mail) => references.some((one) => isMailMac(ctx, one, mail)))
}

/** Records a bounce for an email and its address, once per email: a later hard bounce replaces a soft one. */
export async function recordBounce(
  sql: Sql,
  { mail_id }: Pick<SentMail, 'mail_id'>,
  { kind, detail }: { kind: BounceKind; detail: string },
): Promise<boolean> {
  const marked = await sql`
    with marked as (
      update outgoing_mail set bounced_at = now(), bounce_kind = ${kind}, bounce_detail = ${detail}
      where mail_id = ${mail_id} and (bounce_kind is null or (bounce_kind = 'soft' and ${kind} = 'hard'))
      returning lower(to_address) as address)
    insert into bounced_address (address, hard, soft, detail)
    select address, ${kind === 'hard' ? 1 : 0}::int, ${kind === 'soft' ? 1 : 0}::int, ${detail} from marked
    on conflict (address) do update set hard = bounced_address.hard + excluded.hard,
      soft = bounced_address.soft + excluded.soft, detail = excluded.detail, last_at = now()
    returning 1`
  return marked.count > 0
}

/** Clears the bounces of an address after its owner confirmed it. */
export const clearBounces = async (sql: Sql, address: string): Promise<void> => {
  await sql`delete from bounced_address where address = lower(${address})`
}

/** Returns the bounces of an address; null if there are none. */
export async function findBounces(
  sql: Sql,
  address: string,
): Promise<{ hard: number; soft: number; detail: string; last_at: string } | null> {
  const [row] = await sql<{ hard: number; soft: number; detail: string; last_at: Date }[]>`
    select hard, soft, detail, last_at from bounced_address where address = lower(${address})`
  return row ? { ...row, last_at: row.last_at.toISOString() } : null
}
