import { createHash } from 'node:crypto'
import { helpdesk, safeName } from '@dubplate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { contentDisposition } from '../catalogue/file-names.ts'
import { ApiError, fieldError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

const { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } = helpdesk
const MAX_MB = MAX_ATTACHMENT_BYTES / 1024 / 1024

const ATTACHMENT_FIELD = /^UploadAttachmentsForm\[attachments\](\[\d*\])?$/
const SIGNING_PURPOSE = 'ticket-file'
const LINK_MINUTES = 60
/** How many uploaded files that are not attached to anything yet a member can have. */
const MAX_UNSENT_FILES = 40
const UNSENT_RETENTION_HOURS = 24

/** Shown in the page. SVG is not among them, because it can contain scripts. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
/** For files whose type cannot be detected from their content; harmless in every browser. */
const UNKNOWN_MIME_TYPE = 'application/octet-stream'

type FileStoreContext = Pick<AppContext, 'sql' | 'storage'>
type NewFile = { customer_id: number; name: string; bytes: Buffer }

/** Stores a file until it is sent with a ticket or a reply, and returns its id. Throws `too_large`, `empty_file`. */
export async function storeFile(
  { sql, storage }: FileStoreContext,
  { customer_id, name, bytes }: NewFile,
): Promise<number> {
  const fileName = sanitizeFileName(name)
  if (bytes.length === 0) throw new ApiError('empty_file', `“${fileName}” is empty.`)
  if (bytes.length > MAX_ATTACHMENT_BYTES) throw fileTooLargeError(fileName)
  const type = await detectMimeType(bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  return sql.begin(async (sql) => {
    await lockContent(sql, sha256.toString('hex'))
    await storage.putBytes('attachments', bytes)
    const [file] = await sql<{ ticket_file_id: number }[]>`
      insert into ticket_file (customer_id, name, type, bytes, sha256)
      values (${customer_id}, ${fileName}, ${type}, ${bytes.length}, ${sha256}) returning ticket_file_id`
    if (!file) throw new Error('Attachment insert returned no id')
    return file.ticket_file_id
  })
}

/** Until the end of the transaction, no other one can store or delete these bytes. */
const lockContent = async (sql: Sql, sha256: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`attachment ${sha256}`}, 0))`
}

const sanitizeFileName = (name: string): string => safeName(name.split(/[/\\]/).at(-1) ?? '')

const fileTooLargeError = (name: string) =>
  new ApiError('too_large', `“${name}” is too large. The limit for attachments is ${MAX_MB} MB.`)

/** Detects the type from the content; the file name does not matter. */
async function detectMimeType(bytes: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const detectedType = await fileTypeFromBuffer(bytes).catch(() => undefined)
  return detectedType?.mime ?? UNKNOWN_MIME_TYPE
}

/**
 * Stores the files of a multipart request, all of them or none. Throws `file_required`, `too_many_files`, `too_large`,
 * `empty_file`, and `invalid_request` when the request was interrupted.
 */
export async function receiveAttachments(
  ctx: AppContext,
  customerId: number,
  request: FastifyRequest,
): Promise<number[]> {
  await rejectTooManyUnsent(ctx.sql, customerId)
  const ids: number[] = []
  let empty: string | undefined
  try {
    // Each file is stored as it arrives, so that only one of them is in memory.
    for await (const { name, bytes } of iterateFiles(request)) {
      if (bytes.length === 0) empty ??= name
      else ids.push(await storeFile(ctx, { customer_id: customerId, name, bytes }))
    }
    if (empty !== undefined) throw new ApiError('empty_file', `“${sanitizeFileName(empty)}” is empty.`)
    if (ids.length === 0) throw new ApiError('file_required', 'Choose a file first.')
    return ids
  } catch (error) {
    await releaseFiles(ctx.sql, ids).catch(() => {})
    throw error
  }
}

async function* iterateFiles(request: FastifyRequest): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const limits = { files: MAX_ATTACHMENTS, fileSize: MAX_ATTACHMENT_BYTES, fields: 10, fieldSize: 1000 }
  try {
    for await (const file of request.files({ limits })) {
      const bytes = await file.toBuffer().catch((error) => Promise.reject(toUploadError(error, file.filename)))
      if (ATTACHMENT_FIELD.test(file.fieldname)) yield { name: file.filename ?? '', bytes }
    }
  } catch (error) {
    throw error instanceof ApiError ? error : toUploadError(error, '')
  }
}

function toUploadError(error: unknown, name: string): unknown {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT')
    return new ApiError('too_many_files', `You can upload up to ${MAX_ATTACHMENTS} files at once.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLargeError(sanitizeFileName(name))
  if (code === 'ENOSPC') return error
  return new ApiError('invalid_request', 'The upload was incomplete. Upload the files again.')
}

async function rejectTooManyUnsent(sql: Sql, customerId: number): Promise<void> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from ticket_file where customer_id = ${customerId} and ticket_number is null
      and not ${isExpired(sql)}`
  if ((row?.n ?? 0) < MAX_UNSENT_FILES) return
  throw new ApiError('too_many_files', 'You have too many unsent attachments. Send the message they belong to first.')
}

/** Whether an unsent file is deleted by the next sweep. */
const isExpired = (sql: Sql) => sql`(created_at < now() - make_interval(hours => ${UNSENT_RETENTION_HOURS}))`

/**
 * Releases those of these files that were not sent: the next sweep deletes them, and they no longer count as unsent.
 */
export const releaseFiles = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`
    update ticket_file set created_at = '-infinity'
    where ticket_file_id = any(${ids as number[]}::bigint[]) and ticket_number is null`
}

/** Parses file ids sent by the browser. Throws `unknown_attachment` for anything that is not an id. */
export function fileIds(names: readonly string[], field = 'attachments'): number[] {
  const ids = names.map(Number)
  if (ids.every((id) => Number.isSafeInteger(id) && id > 0)) return [...new Set(ids)]
  throw unknownAttachmentError(field)
}

const unknownAttachmentError = (field = 'attachments') =>
  fieldError('unknown_attachment', field, 'An attachment has expired. Attach it again, then send your message.')

/** Throws `unknown_attachment` for this field unless all files exist, belong to this member and were not sent yet. */
export async function rejectUnknownFiles(
  sql: Sql,
  customerId: number,
  { names, field }: { names: readonly string[]; field: string },
): Promise<void> {
  if (names.length === 0) return
  const ids = fileIds(names, field)
  const unsent = await sql`
    select 1 from ticket_file
    where ticket_file_id = any(${ids}::bigint[]) and customer_id = ${customerId} and ticket_number is null`
  if (unsent.length !== ids.length) throw unknownAttachmentError(field)
}

type AttachmentTarget = { customer_id: number; ticket_number: number; reply_id: number | null }

/** Attaches unsent files to a ticket or a reply, in the caller's transaction. Throws `unknown_attachment`. */
export async function attachFiles(sql: Sql, ids: readonly number[], target: AttachmentTarget): Promise<void> {
  if (ids.length === 0) return
  const sent = await sql`
    update ticket_file set ticket_number = ${target.ticket_number}, reply_id = ${target.reply_id}
    where ticket_file_id = any(${ids as number[]}::bigint[]) and customer_id = ${target.customer_id} and ticket_number is null
    returning 1`
  if (sent.length !== ids.length) throw unknownAttachmentError()
}

type TicketFileRow = { ticket_file_id: number; reply_id: number | null; name: string; type: string; bytes: number }

/** The member that file URLs are signed for. The URLs expire with the session. */
export type Viewer = { customer_id: number; session_id: number }

/** Returns files with signed URLs, as the page shows them. */
export async function listSignedFiles(
  { sql, signing, now }: Pick<AppContext, 'sql' | 'signing' | 'now'>,
  viewer: Viewer,
  condition: ReturnType<Sql>,
): Promise<(helpdesk.Attachment & { reply_id: number | null })[]> {
  const rows = await sql<TicketFileRow[]>`
    select ticket_file_id, reply_id, name, type, bytes from ticket_file where ${condition} order by ticket_file_id`
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  return rows.map(({ ticket_file_id, reply_id, name, type, bytes }) => ({
    ticket_file_id,
    reply_id,
    file_path: `/ticket-files/${signing.sign(SIGNING_PURPOSE, [ticket_file_id, viewer.customer_id, viewer.session_id], endsAt)}`,
    filename: name,
    bytes,
    type,
    is_image: PICTURES.has(type),
  }))
}

type DownloadedFile = { name: string; type: string; bytes: number; sha256: string }

/**
 * GET /ticket-files/…: sends a file to the session it was signed for. Pictures can be shown, everything else is
 * downloaded; scripts in either do not run.
 */
export function serveTicketFiles(app: FastifyInstance, ctx: AppContext): void {
  const rate = { config: { rateLimit: { max: 300, timeWindow: '1 minute' } } }
  app.get('/ticket-files/:signed', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { download } = request.query as { download?: string }
    const file = await openFile(ctx, signed)
    const isInlineImage = PICTURES.has(file.type) && download === undefined
    reply
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', 'private, max-age=3600')
      .header('content-length', file.bytes)
      .header('content-disposition', isInlineImage ? 'inline' : contentDisposition(file.name))
      .type(isInlineImage ? file.type : UNKNOWN_MIME_TYPE)
    return reply.send(ctx.storage.read('attachments', file.sha256))
  })
}

/** Throws `invalid_link`, `link_expired`. */
async function openFile({ sql, signing, now }: AppContext, signed: string): Promise<DownloadedFile> {
  const [fileId = 0, customerId = 0, sessionId = 0] = signing.open(SIGNING_PURPOSE, signed, now()).map(Number)
  const [file] = await sql<DownloadedFile[]>`
    select f.name, f.type, f.bytes, encode(f.sha256, 'hex') as sha256
    from ticket_file f left join ticket t using (ticket_number)
    where f.ticket_file_id = ${fileId} and exists (
      select 1 from session join customer c using (customer_id)
      where session_id = ${sessionId} and c.customer_id = ${customerId} and expires_at > now()
        and purpose in ('member', 'viewer') and status = 'active'
        and (c.customer_id in (f.customer_id, t.customer_id) or c.staff_role in ('support', 'admin')))`
  if (!file)
    throw new ApiError(
      'link_expired',
      'This file no longer exists, or your session has ended. Reload the page and try again.',
    )
  return file
}

const SWEEP_BATCH_SIZE = 200

/** Deletes files that were uploaded but never sent, and bytes that no row uses any more. */
export async function sweepUnsentFiles(ctx: FileStoreContext & Pick<AppContext, 'log'>): Promise<void> {
  while (await sweepBatch(ctx));
}

/** Returns whether there may be more. */
async function sweepBatch({ sql, storage, log }: FileStoreContext & Pick<AppContext, 'log'>): Promise<boolean> {
  const expired = await sql<{ sha256: string }[]>`
    select distinct encode(sha256, 'hex') as sha256 from ticket_file where ticket_number is null and ${isExpired(sql)}
    limit ${SWEEP_BATCH_SIZE}`
  let deletedCount = 0
  for (const { sha256 } of expired) {
    try {
      await deleteUnsentFile({ sql, storage }, sha256)
      deletedCount += 1
    } catch (error) {
      log.warn({ err: error, sha256 }, 'Could not delete an unsent attachment')
    }
  }
  return deletedCount > 0 && expired.length === SWEEP_BATCH_SIZE
}

/** The row is deleted together with its bytes: while the storage is unavailable both remain for the next sweep. */
async function deleteUnsentFile({ sql: pool, storage }: FileStoreContext, sha256: string): Promise<void> {
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    await sql`
      delete from ticket_file
      where sha256 = decode(${sha256}, 'hex') and ticket_number is null and ${isExpired(sql)}`
    const [remaining] = await sql`select 1 from ticket_file where sha256 = decode(${sha256}, 'hex') limit 1`
    if (!remaining) await storage.remove('attachments', sha256)
  })
}
