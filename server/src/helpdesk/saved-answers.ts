import { type ParsedInputOf, support } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { escapeHtml } from '../platform/html.ts'
import { parsed } from '../platform/parse-input.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import { parseWrittenHtml } from './rich-text-input.ts'
import { unknownTicketError } from './tickets.ts'

/** Answers that are kept for tickets, with what is filled in for each in braces. */

type SavedAnswerRow = Omit<support.SavedReply, 'last_used_at' | 'updated_at'> & {
  last_used_at: Date | null
  updated_at: Date
}

const columns = (sql: Sql) => sql`
  a.saved_answer_id, a.title, a.answer, a.used, a.last_used_at, a.updated_at, a.version, (
    select c.dj_name from customer c where c.customer_id = a.written_by and c.status <> 'deleted') as written_by`

const toSavedAnswer = ({ answer, last_used_at, updated_at, ...row }: SavedAnswerRow): support.SavedReply => ({
  ...row,
  answer: cleanHtml(answer),
  last_used_at: last_used_at?.toISOString() ?? null,
  updated_at: updated_at.toISOString(),
})

/** Those used most first. */
export async function listSavedAnswers(sql: Sql): Promise<support.SavedReply[]> {
  const rows = await sql<SavedAnswerRow[]>`
    select ${columns(sql)} from saved_answer a order by used desc, last_used_at desc nulls last, lower(title)`
  return rows.map(toSavedAnswer)
}

const unknownSavedAnswerError = () => new ApiError('unknown_saved_reply', 'This saved reply no longer exists.')

type SaveAnswerParams = ParsedInputOf<typeof support.saveSavedAnswer> & { staff_id: number }
type AnswerText = { title: string; answer: string }

/**
 * Keeps an answer, as part of the caller's transaction; `before` is what it was, undefined for a new one. Throws
 * `unknown_saved_reply`, `conflict`, `name_taken`, `invalid_request` (also for what is in braces and nobody fills in).
 */
export async function saveSavedAnswer(
  sql: Sql,
  { saved_answer_id, version, title, answer, staff_id }: SaveAnswerParams,
): Promise<{ answer: support.SavedReply; before: AnswerText | undefined }> {
  const before =
    saved_answer_id === undefined ? undefined : await lockUnchangedAnswer(sql, saved_answer_id, version ?? 0)
  let html = ''
  await throwAllErrors([
    () => rejectTaken(sql, title, saved_answer_id),
    () => {
      html = readAnswer(answer)
    },
  ])
  return { answer: await saveAnswerRow(sql, saved_answer_id, { title, answer: html, written_by: staff_id }), before }
}

const ANSWER_FIELD = { field: 'answer', blank: 'Enter an answer.' }

function readAnswer(answer: string): string {
  const html = parseWrittenHtml(answer, ANSWER_FIELD)
  rejectUnknownNames(html)
  return html
}

async function rejectTaken(sql: Sql, title: string, savedAnswerId: number | undefined): Promise<void> {
  const [other] = await sql`
    select 1 from saved_answer
    where lower(title) = lower(${title}) and saved_answer_id is distinct from ${savedAnswerId ?? null}::bigint`
  if (other) throw nameTakenError(title)
}

/** The same checks while other fields of the answer are blank or wrong. */
export function checkSavedAnswer(
  sql: Sql,
  given: { saved_answer_id?: unknown; title?: unknown; answer?: unknown },
): Promise<void> {
  const shape = support.saveSavedAnswer.input.shape
  const title = parsed(shape.title, given.title)
  const answer = parsed(shape.answer, given.answer)
  return throwAllErrors([
    () => title !== undefined && rejectTaken(sql, title, parsed(shape.saved_answer_id, given.saved_answer_id)),
    () => answer !== undefined && readAnswer(answer),
  ])
}

/** PostgreSQL: another row has this value (unique_violation, appendix A). */
const UNIQUE_VIOLATION = '23505'

async function saveAnswerRow(
  sql: Sql,
  savedAnswerId: number | undefined,
  { title, answer, written_by }: AnswerText & { written_by: number },
): Promise<support.SavedReply> {
  try {
    const [saved] = savedAnswerId
      ? await sql<SavedAnswerRow[]>`
          update saved_answer a set title = ${title}, answer = ${answer}, written_by = ${written_by}, updated_at = now(),
            version = version + 1
          where saved_answer_id = ${savedAnswerId} returning ${columns(sql)}`
      : await sql<SavedAnswerRow[]>`
          insert into saved_answer as a (title, answer, written_by) values (${title}, ${answer}, ${written_by})
          returning ${columns(sql)}`
    if (!saved) throw unknownSavedAnswerError()
    return toSavedAnswer(saved)
  } catch (error) {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? nameTakenError(title) : error
  }
}

function nameTakenError(title: string): ApiError {
  const sentence = `A saved reply named “${title}” already exists.`
  return new ApiError('name_taken', sentence, { fields: { title: sentence } })
}

/** What it says as its version was read. Throws `unknown_saved_reply`, `conflict`. */
async function lockUnchangedAnswer(sql: Sql, savedAnswerId: number, version: number): Promise<AnswerText> {
  const [now] = await sql<(AnswerText & { version: number; written_by: string | null })[]>`
    select title, answer, version, (select dj_name from customer where customer_id = written_by) as written_by
    from saved_answer where saved_answer_id = ${savedAnswerId} for update`
  if (!now) throw unknownSavedAnswerError()
  if (now.version !== version) {
    const editorName = now.written_by ?? 'Someone'
    throw new ApiError(
      'conflict',
      `${editorName} changed this saved reply. Reload to see the changes, then save yours.`,
    )
  }
  return { title: now.title, answer: now.answer }
}

/** Throws an answer away; answers with what it said. Throws `unknown_saved_reply`. */
export async function removeSavedAnswer(sql: Sql, savedAnswerId: number): Promise<AnswerText> {
  const [deleted] = await sql<AnswerText[]>`
    delete from saved_answer where saved_answer_id = ${savedAnswerId} returning title, answer`
  if (!deleted) throw unknownSavedAnswerError()
  return { title: deleted.title, answer: deleted.answer }
}

/** What looks like a placeholder; other braces are words like any. */
const PLACEHOLDER_PATTERN = /\{([a-z][a-z_]*)\}/g

const isPlaceholder = (name: string): name is support.Placeholder =>
  (support.PLACEHOLDERS as readonly string[]).includes(name)

/** A slip would go out to a customer. */
function rejectUnknownNames(html: string): void {
  for (const [whole, name = ''] of html.matchAll(PLACEHOLDER_PATTERN)) {
    if (isPlaceholder(name)) continue
    const known = support.PLACEHOLDERS.map((one) => `{${one}}`).join(', ')
    const sentence = `Unknown placeholder ${whole}. Available: ${known}.`
    throw new ApiError('invalid_request', sentence, { fields: { answer: sentence }, errors: [sentence] })
  }
}

type FillAnswerParams = ParsedInputOf<typeof support.fillSavedAnswer> & { staff_name: string }

/**
 * An answer with its placeholders filled in for a ticket, as HTML; it counts as used. What is filled in is words,
 * whatever a member calls themself. Throws `unknown_saved_reply`, `unknown_ticket`.
 */
export async function fillSavedAnswer(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  { saved_answer_id, ticket_number, staff_name }: FillAnswerParams,
): Promise<string> {
  const [ticket] = await sql<{ subject: string; dj_name: string }[]>`
    select subject, dj_name from ticket join customer using (customer_id) where ticket_number = ${ticket_number}`
  if (!ticket) throw unknownTicketError()
  const [saved] = await sql<{ answer: string }[]>`
    update saved_answer set used = used + 1, last_used_at = now() where saved_answer_id = ${saved_answer_id}
    returning answer`
  if (!saved) throw unknownSavedAnswerError()
  const answerText: Record<support.Placeholder, string> = {
    ...ticket,
    ticket_number: String(ticket_number),
    pool_name: settings.poolName,
    staff_name,
  }
  const filled = saved.answer.replace(PLACEHOLDER_PATTERN, (whole, name: string) =>
    isPlaceholder(name) ? escapeHtml(answerText[name]) : whole,
  )
  // Again, for what was filled in where an address stands.
  return cleanHtml(filled)
}
