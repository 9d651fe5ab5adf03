import { type ParsedInputOf, support } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { escapeHtml } from '../platform/html.ts'
import { parsed } from '../platform/parse-input.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import { parseWrittenHtml } from './rich-text-input.ts'
import { unknownTicketError } from './tickets.ts'

/** Saved replies for tickets, with placeholders in braces. */

type SavedReplyRow = Omit<support.SavedReply, 'last_used_at' | 'updated_at'> & {
  last_used_at: Date | null
  updated_at: Date
}

const columns = (sql: Sql) => sql`
  a.saved_reply_id, a.title, a.answer, a.used, a.last_used_at, a.updated_at, a.version, (
    select c.dj_name from customer c where c.customer_id = a.written_by and c.status <> 'deleted') as written_by`

const toSavedReply = ({ answer, last_used_at, updated_at, ...row }: SavedReplyRow): support.SavedReply => ({
  ...row,
  answer: cleanHtml(answer),
  last_used_at: last_used_at?.toISOString() ?? null,
  updated_at: updated_at.toISOString(),
})

/** Returns the saved replies, the most used first. */
export async function listSavedReplies(sql: Sql): Promise<support.SavedReply[]> {
  const rows = await sql<SavedReplyRow[]>`
    select ${columns(sql)} from saved_reply a order by used desc, last_used_at desc nulls last, lower(title)`
  return rows.map(toSavedReply)
}

const unknownSavedReplyError = () => new ApiError('unknown_saved_reply', 'This saved reply no longer exists.')

type SaveReplyParams = ParsedInputOf<typeof support.saveSavedReply> & { staff_id: number }
type AnswerText = { title: string; answer: string }

/**
 * Saves a reply, in the caller's transaction; `before` is its earlier text, undefined for a new one. Throws
 * `unknown_saved_reply`, `conflict`, `name_taken`, `invalid_request` (also for unknown placeholders).
 */
export async function saveSavedReply(
  sql: Sql,
  { saved_reply_id, version, title, answer, staff_id }: SaveReplyParams,
): Promise<{ answer: support.SavedReply; before: AnswerText | undefined }> {
  const before = saved_reply_id === undefined ? undefined : await lockUnchangedReply(sql, saved_reply_id, version ?? 0)
  let html = ''
  await throwAllErrors([
    () => rejectTaken(sql, title, saved_reply_id),
    () => {
      html = readAnswer(answer)
    },
  ])
  return { answer: await saveAnswerRow(sql, saved_reply_id, { title, answer: html, written_by: staff_id }), before }
}

const ANSWER_FIELD = { field: 'answer', blank: 'Enter an answer.' }

function readAnswer(answer: string): string {
  const html = parseWrittenHtml(answer, ANSWER_FIELD)
  rejectUnknownNames(html)
  return html
}

async function rejectTaken(sql: Sql, title: string, savedReplyId: number | undefined): Promise<void> {
  const [other] = await sql`
    select 1 from saved_reply
    where lower(title) = lower(${title}) and saved_reply_id is distinct from ${savedReplyId ?? null}::bigint`
  if (other) throw nameTakenError(title)
}

/** Runs the same checks while other fields of the reply are blank or invalid. */
export function checkSavedReply(
  sql: Sql,
  fields: { saved_reply_id?: unknown; title?: unknown; answer?: unknown },
): Promise<void> {
  const shape = support.saveSavedReply.input.shape
  const title = parsed(shape.title, fields.title)
  const answer = parsed(shape.answer, fields.answer)
  return throwAllErrors([
    () => title !== undefined && rejectTaken(sql, title, parsed(shape.saved_reply_id, fields.saved_reply_id)),
    () => answer !== undefined && readAnswer(answer),
  ])
}

/** PostgreSQL's error code for a duplicate value (unique_violation, appendix A). */
const UNIQUE_VIOLATION = '23505'

async function saveAnswerRow(
  sql: Sql,
  savedReplyId: number | undefined,
  { title, answer, written_by }: AnswerText & { written_by: number },
): Promise<support.SavedReply> {
  try {
    const [saved] = savedReplyId
      ? await sql<SavedReplyRow[]>`
          update saved_reply a set title = ${title}, answer = ${answer}, written_by = ${written_by}, updated_at = now(),
            version = version + 1
          where saved_reply_id = ${savedReplyId} returning ${columns(sql)}`
      : await sql<SavedReplyRow[]>`
          insert into saved_reply as a (title, answer, written_by) values (${title}, ${answer}, ${written_by})
          returning ${columns(sql)}`
    if (!saved) throw unknownSavedReplyError()
    return toSavedReply(saved)
  } catch (error) {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? nameTakenError(title) : error
  }
}

function nameTakenError(title: string): ApiError {
  const sentence = `A saved reply named “${title}” already exists.`
  return new ApiError('name_taken', sentence, { fields: { title: sentence } })
}

/** Locks the saved reply and returns its text. Throws `unknown_saved_reply`, and `conflict` for another version. */
async function lockUnchangedReply(sql: Sql, savedReplyId: number, version: number): Promise<AnswerText> {
  const [current] = await sql<(AnswerText & { version: number; written_by: string | null })[]>`
    select title, answer, version, (select dj_name from customer where customer_id = written_by) as written_by
    from saved_reply where saved_reply_id = ${savedReplyId} for update`
  if (!current) throw unknownSavedReplyError()
  if (current.version !== version) {
    const editorName = current.written_by ?? 'Someone'
    throw new ApiError(
      'conflict',
      `${editorName} changed this saved reply. Reload to see the changes, then save yours.`,
    )
  }
  return { title: current.title, answer: current.answer }
}

/** Deletes a saved reply and returns its text. Throws `unknown_saved_reply`. */
export async function removeSavedReply(sql: Sql, savedReplyId: number): Promise<AnswerText> {
  const [deleted] = await sql<AnswerText[]>`
    delete from saved_reply where saved_reply_id = ${savedReplyId} returning title, answer`
  if (!deleted) throw unknownSavedReplyError()
  return { title: deleted.title, answer: deleted.answer }
}

/** Text that looks like a placeholder; other braces are ordinary text. */
const PLACEHOLDER_PATTERN = /\{([a-z][a-z_]*)\}/g

const isPlaceholder = (name: string): name is support.Placeholder =>
  (support.PLACEHOLDERS as readonly string[]).includes(name)

/** A misspelt placeholder would be sent to a customer. */
function rejectUnknownNames(html: string): void {
  for (const [whole, name = ''] of html.matchAll(PLACEHOLDER_PATTERN)) {
    if (isPlaceholder(name)) continue
    const known = support.PLACEHOLDERS.map((one) => `{${one}}`).join(', ')
    const sentence = `Unknown placeholder ${whole}. Available: ${known}.`
    throw new ApiError('invalid_request', sentence, { fields: { answer: sentence }, errors: [sentence] })
  }
}

type FillAnswerParams = ParsedInputOf<typeof support.fillSavedReply> & { staff_name: string }

/**
 * Returns a saved reply as HTML with its placeholders filled in for a ticket, and counts its use. Inserted values are
 * escaped, whatever members call themselves. Throws `unknown_saved_reply`, `unknown_ticket`.
 */
export async function fillSavedReply(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  { saved_reply_id, ticket_number, staff_name }: FillAnswerParams,
): Promise<string> {
  const [ticket] = await sql<{ subject: string; dj_name: string }[]>`
    select subject, dj_name from ticket join customer using (customer_id) where ticket_number = ${ticket_number}`
  if (!ticket) throw unknownTicketError()
  const [saved] = await sql<{ answer: string }[]>`
    update saved_reply set used = used + 1, last_used_at = now() where saved_reply_id = ${saved_reply_id}
    returning answer`
  if (!saved) throw unknownSavedReplyError()
  const values: Record<support.Placeholder, string> = {
    ...ticket,
    ticket_number: String(ticket_number),
    pool_name: settings.poolName,
    staff_name,
  }
  const filled = saved.answer.replace(PLACEHOLDER_PATTERN, (whole, name: string) =>
    isPlaceholder(name) ? escapeHtml(values[name]) : whole,
  )
  // Cleaned again, because a value may have been inserted into a URL.
  return cleanHtml(filled)
}
