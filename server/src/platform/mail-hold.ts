import type { Sql } from './db.ts'

export type MailHold = { since: Date; reason: string }

/** The statement with the reason as its parameter, for a transaction of another driver. */
export const INSERT_MAIL_HOLD = 'insert into mail_hold (reason) values ($1) on conflict do nothing'

/** Holds every email in the outbox until it is released. An existing hold keeps its time and reason. */
export async function holdMail(sql: Sql, reason: string): Promise<void> {
  await sql.unsafe(INSERT_MAIL_HOLD, [reason])
}

export async function findMailHold(sql: Sql): Promise<MailHold | undefined> {
  const [hold] = await sql<MailHold[]>`select held_since as since, reason from mail_hold`
  return hold
}

/** The error shown in the outbox for an email that was discarded with the hold. */
const DISCARDED = 'Not sent: discarded when email was released after a restore.'

/**
 * Ends the hold. With `discard`, email that was already waiting when the hold began is not sent. Returns undefined if
 * nothing was on hold.
 */
export async function releaseMail(
  sql: Sql,
  { discard }: { discard: boolean },
): Promise<{ released: number; discarded: number } | undefined> {
  const [hold] = await sql<{ since: Date }[]>`delete from mail_hold returning held_since as since`
  if (!hold) return undefined
  const discarded = discard
    ? await sql`
        update outgoing_mail set state = 'failed', last_error = ${DISCARDED}
        where state = 'waiting' and created_at <= ${hold.since} returning 1`
    : []
  const [waiting] = await sql<{ n: number }[]>`select count(*)::int as n from outgoing_mail where state = 'waiting'`
  return { released: waiting?.n ?? 0, discarded: discarded.length }
}
