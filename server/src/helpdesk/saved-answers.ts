import { type ParsedInputOf, support } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { escapeHtml } from '../platform/html.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import type { World } from '../world.ts'
import { unknownTicket } from './tickets.ts'
import { writtenHtml } from './writing.ts'

/** Answers that are kept for tickets, with what is filled in for each in braces. */

type Row = Omit<support.SavedAnswer, 'last_used_at' | 'updated_at'> & { last_used_at: Date | null; updated_at: Date }

const columns = (sql: Sql) => sql`
  a.saved_answer_id, a.title, a.answer, a.used, a.last_used_at, a.updated_at, a.version, (
    select c.dj_name from customer c where c.customer_id = a.written_by and c.status <> 'deleted') as written_by`

const asSaved = ({ answer, last_used_at, updated_at, ...row }: Row): support.SavedAnswer => ({
  ...row,
  answer: cleanHtml(answer),
  last_used_at: last_used_at?.toISOString() ?? null,
  updated_at: updated_at.toISOString(),
})

/** Those used most first. */
export async function listSavedAnswers(sql: Sql): Promise<support.SavedAnswer[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from saved_answer a order by used desc, last_used_at desc nulls last, lower(title)`
  return rows.map(asSaved)
}

const unknown = () => new Refusal('unknown_saved_reply', 'This saved reply no longer exists.')

type Wish = ParsedInputOf<typeof support.saveSavedAnswer> & { staff_id: number }
type Words = { title: string; answer: string }

/**
 * Keeps an answer, as part of the caller's transaction; `before` is what it was, undefined for a new one. Refuses
 * `unknown_saved_reply`, `conflict`, `name_taken`, `invalid_request` (also for what is in braces and nobody fills in).
 */
export async function saveSavedAnswer(
  sql: Sql,
  { saved_answer_id, version, title, answer, staff_id }: Wish,
): Promise<{ answer: support.SavedAnswer; before: Words | undefined }> {
  const before = saved_answer_id === undefined ? undefined : await holdUnchanged(sql, saved_answer_id, version ?? 0)
  let html = ''
  await refuseTogether([
    () => refuseTaken(sql, title, saved_answer_id),
    () => {
      html = readAnswer(answer)
    },
  ])
  return { answer: await write(sql, saved_answer_id, { title, answer: html, written_by: staff_id }), before }
}

const ANSWER = { field: 'answer', blank: 'Enter an answer.' }

function readAnswer(answer: string): string {
  const html = writtenHtml(answer, ANSWER)
  refuseUnknownNames(html)
  return html
}

async function refuseTaken(sql: Sql, title: string, savedAnswerId: number | undefined): Promise<void> {
  const [other] = await sql`
    select 1 from saved_answer
    where lower(title) = lower(${title}) and saved_answer_id is distinct from ${savedAnswerId ?? null}::bigint`
  if (other) throw nameTaken(title)
}

/** The same checks while other fields of the answer are blank or wrong. */
export function checkSavedAnswer(
  sql: Sql,
  given: { saved_answer_id?: unknown; title?: unknown; answer?: unknown },
): Promise<void> {
  const shape = support.saveSavedAnswer.input.shape
  const title = parsed(shape.title, given.title)
  const answer = parsed(shape.answer, given.answer)
  return refuseTogether([
    () => title !== undefined && refuseTaken(sql, title, parsed(shape.saved_answer_id, given.saved_answer_id)),
    () => answer !== undefined && readAnswer(answer),
  ])
}

/** PostgreSQL: another row has this value (unique_violation, appendix A). */
const TAKEN = '23505'

async function write(
  sql: Sql,
  savedAnswerId: number | undefined,
  { title, answer, written_by }: Words & { written_by: number },
): Promise<support.SavedAnswer> {
  try {
    const [saved] = savedAnswerId
      ? await sql<Row[]>`
          update saved_answer a set title = ${title}, answer = ${answer}, written_by = ${written_by}, updated_at = now(),
            version = version + 1
          where saved_answer_id = ${savedAnswerId} returning ${columns(sql)}`
      : await sql<Row[]>`
          insert into saved_answer as a (title, answer, written_by) values (${title}, ${answer}, ${written_by})
          returning ${columns(sql)}`
    if (!saved) throw unknown()
    return asSaved(saved)
  } catch (error) {
    throw (error as { code?: string }).code === TAKEN ? nameTaken(title) : error
  }
}

function nameTaken(title: string): Refusal {
  const sentence = `A saved reply named “${title}” already exists.`
  return new Refusal('name_taken', sentence, { fields: { title: sentence } })
}

/** What it says as its version was read. Refuses `unknown_saved_reply`, `conflict`. */
async function holdUnchanged(sql: Sql, savedAnswerId: number, version: number): Promise<Words> {
  const [now] = await sql<(Words & { version: number; written_by: string | null })[]>`
    select title, answer, version, (select dj_name from customer where customer_id = written_by) as written_by
    from saved_answer where saved_answer_id = ${savedAnswerId} for update`
  if (!now) throw unknown()
  if (now.version !== version) {
    const who = now.written_by ?? 'Someone'
    throw new Refusal('conflict', `${who} changed this saved reply. Reload to see the changes, then save yours.`)
  }
  return { title: now.title, answer: now.answer }
}

/** Throws an answer away; answers with what it said. Refuses `unknown_saved_reply`. */
export async function removeSavedAnswer(sql: Sql, savedAnswerId: number): Promise<Words> {
  const [gone] = await sql<Words[]>`
    delete from saved_answer where saved_answer_id = ${savedAnswerId} returning title, answer`
  if (!gone) throw unknown()
  return { title: gone.title, answer: gone.answer }
}

/** What looks like a placeholder; other braces are words like any. */
const IN_BRACES = /\{([a-z][a-z_]*)\}/g

const isKnown = (name: string): name is support.Placeholder =>
  (support.PLACEHOLDERS as readonly string[]).includes(name)

/** A slip would go out to a customer. */
function refuseUnknownNames(html: string): void {
  for (const [whole, name = ''] of html.matchAll(IN_BRACES)) {
    if (isKnown(name)) continue
    const known = support.PLACEHOLDERS.map((one) => `{${one}}`).join(', ')
    const sentence = `Unknown placeholder ${whole}. Available: ${known}.`
    throw new Refusal('invalid_request', sentence, { fields: { answer: sentence }, errors: [sentence] })
  }
}

type Filling = ParsedInputOf<typeof support.fillSavedAnswer> & { staff_name: string }

/**
 * An answer with its placeholders filled in for a ticket, as HTML; it counts as used. What is filled in is words, whatever
 * a member calls themself. Refuses `unknown_saved_reply`, `unknown_ticket`.
 */
export async function fillSavedAnswer(
  { sql, settings }: Pick<World, 'sql' | 'settings'>,
  { saved_answer_id, ticket_number, staff_name }: Filling,
): Promise<string> {
  const [ticket] = await sql<{ subject: string; dj_name: string }[]>`
    select subject, dj_name from ticket join customer using (customer_id) where ticket_number = ${ticket_number}`
  if (!ticket) throw unknownTicket()
  const [saved] = await sql<{ answer: string }[]>`
    update saved_answer set used = used + 1, last_used_at = now() where saved_answer_id = ${saved_answer_id}
    returning answer`
  if (!saved) throw unknown()
  const words: Record<support.Placeholder, string> = {
    ...ticket,
    ticket_number: String(ticket_number),
    pool_name: settings.poolName,
    staff_name,
  }
  const filled = saved.answer.replace(IN_BRACES, (whole, name: string) =>
    isKnown(name) ? escapeHtml(words[name]) : whole,
  )
  // Again, for what was filled in where an address stands.
  return cleanHtml(filled)
}
