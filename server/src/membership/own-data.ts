import type { Sql } from '../platform/db.ts'
import { customerReference } from './emails.ts'
import { describeDevice } from './sessions.ts'

export type OwnRow = Record<string, string | number | boolean | Date | null>

/** One kind of data a module stores about a member. */
export type OwnData = {
  /** The name of its files in a member's export, without the extension. */
  name: string
  /**
   * Returns all of it, oldest first. Uses no database connection between rows, because a slow client reads for a long
   * time.
   */
  read(sql: Sql, customerId: number): AsyncIterable<OwnRow>
  /** Deletes it permanently, as part of an account deletion; undefined when the records must remain. */
  deleteData?(sql: Sql, customerId: number): Promise<void>
  /** Moves data stored under a member's email address, in the transaction that changes the address. */
  changeAddress?(sql: Sql, addresses: { from: string; to: string }): Promise<void>
}

const BATCH_SIZE = 1000

/** Returns the rows of a statement with `limit` and `offset`, one batch at a time. */
export async function* readBatches(
  batch: (limit: number, offset: number) => Promise<readonly OwnRow[]>,
): AsyncGenerator<OwnRow> {
  for (let offset = 0; ; offset += BATCH_SIZE) {
    const rows = await batch(BATCH_SIZE, offset)
    yield* rows
    if (rows.length < BATCH_SIZE) return
  }
}

/** The data of this module, without credentials: hashes and secrets. It is deleted in delete-account.ts. */
export const membershipData: OwnData[] = [
  {
    name: 'profile',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select customer_id, email, dj_name, firstname, lastname, telephone, street, city, postcode, country_id, region_id,
            g.name as member_group, payment_profile_status, status, staff_role, display->>'notation' as key_notation,
            display->>'scheme' as scheme, display->>'preview_loudness' as preview_loudness,
            display->>'zip_format' as zip_format,
            preferred_versions::text as preferred_versions, password_hash <> '!' as has_password,
            (select confirmed_at from totp t where t.customer_id = c.customer_id) as two_step_since,
            c.created_at, password_changed_at
          from customer c join customer_group g using (group_id) where customer_id = ${customerId}`,
      ),
  },
  {
    name: 'application',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select state, referred_by, dj_website, comment, reason, applied_at, decided_at
          from dj_application where customer_id = ${customerId}`,
      ),
  },
  { name: 'sessions', read: readSessions },
  {
    name: 'linked-accounts',
    read: (sql, customerId) =>
      readBatches(
        () => sql<OwnRow[]>`
          select issuer, subject, created_at from external_identity where customer_id = ${customerId} order by created_at`,
      ),
  },
  {
    name: 'emails',
    read: (sql, customerId) =>
      readBatches(
        (limit, offset) => sql<OwnRow[]>`
          select m.to_address, m.subject, m.state, m.created_at, m.sent_at, m.bounced_at, m.bounce_detail
          from outgoing_mail m join customer c on m.owner = ${customerReference(customerId)} or lower(m.to_address) = lower(c.email)
          where c.customer_id = ${customerId} order by m.mail_id limit ${limit} offset ${offset}`,
      ),
  },
]

async function* readSessions(sql: Sql, customerId: number): AsyncGenerator<OwnRow> {
  const rows = readBatches(
    (limit, offset) => sql<OwnRow[]>`
      select session_id, user_agent, host(ip) as ip, created_at, seen_at, expires_at from session
      where customer_id = ${customerId} order by session_id limit ${limit} offset ${offset}`,
  )
  for await (const row of rows) yield { ...row, device: describeDevice(String(row.user_agent)) }
}
