import { createHash } from 'node:crypto'
import { helpdesk } from '@dubplate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fileTypeFromBuffer } from 'file-type'
import { contentDisposition, safeName } from '../catalogue/file-names.ts'
import type { Sql } from '../platform/db.ts'
import { fieldRefusal, Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'

const { LARGEST_ATTACHMENT_BYTES, MOST_ATTACHMENTS } = helpdesk
const LARGEST_MB = LARGEST_ATTACHMENT_BYTES / 1024 / 1024

const FIELD = /^UploadAttachmentsForm\[attachments\](\[\d*\])?$/
const PURPOSE = 'ticket-file'
const LINK_MINUTES = 60
/** Files that are not sent with anything yet. */
const MOST_UNSENT = 40
const KEPT_UNSENT_HOURS = 24

/** Shown in the page. SVG is none of them: it is a program, not a picture. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
/** What its content does not tell, and nobody can be harmed by. */
const OF_UNKNOWN = 'application/octet-stream'

type Tools = Pick<World, 'sql' | 'storage'>
type NewFile = { customer_id: number; name: string; bytes: Buffer }

/** Keeps a file until it is sent with a ticket or a reply, and answers with its id. Refuses `too_large`, `empty_file`. */
export async function keepFile({ sql, storage }: Tools, { customer_id, name, bytes }: NewFile): Promise<number> {
  const plain = plainName(name)
  if (bytes.length === 0) throw new Refusal('empty_file', `“${plain}” is empty.`)
  if (bytes.length > LARGEST_ATTACHMENT_BYTES) throw tooLarge(plain)
  const type = await typeOf(bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  return sql.begin(async (sql) => {
    await holdBytes(sql, sha256.toString('hex'))
    await storage.keepBytes('attachments', bytes)
    const [file] = await sql<{ ticket_file_id: number }[]>`
      insert into ticket_file (customer_id, name, type, bytes, sha256)
      values (${customer_id}, ${plain}, ${type}, ${bytes.length}, ${sha256}) returning ticket_file_id`
    if (!file) throw new Error('Attachment insert returned no id')
    return file.ticket_file_id
  })
}

/** Until the end of the transaction nobody else keeps or throws away these bytes. */
const holdBytes = async (sql: Sql, sha256: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`attachment ${sha256}`}, 0))`
}

const plainName = (name: string): string => safeName(name.split(/[/\\]/).at(-1) ?? '')

const tooLarge = (name: string) =>
  new Refusal('too_large', `“${name}” is too large. The limit for attachments is ${LARGEST_MB} MB.`)

/** By the content, whatever the file is called. */
async function typeOf(bytes: Buffer): Promise<string> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  return found?.mime ?? OF_UNKNOWN
}

/**
 * Takes in the files of a multipart request, all of them or none. Refuses `file_required`, `too_many_files`, `too_large`,
 * `empty_file`, and `invalid_request` where the request broke off.
 */
export async function receiveFiles(world: World, customerId: number, request: FastifyRequest): Promise<number[]> {
  await refuseHoard(world.sql, customerId)
  const ids: number[] = []
  let empty: string | undefined
  try {
    // Each is kept as it comes: a request holds one of them in memory.
    for await (const { name, bytes } of filesIn(request)) {
      if (bytes.length === 0) empty ??= name
      else ids.push(await keepFile(world, { customer_id: customerId, name, bytes }))
    }
    if (empty !== undefined) throw new Refusal('empty_file', `“${plainName(empty)}” is empty.`)
    if (ids.length === 0) throw new Refusal('file_required', 'Choose a file first.')
    return ids
  } catch (error) {
    await letGo(world.sql, ids).catch(() => {})
    throw error
  }
}

async function* filesIn(request: FastifyRequest): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const limits = { files: MOST_ATTACHMENTS, fileSize: LARGEST_ATTACHMENT_BYTES, fields: 10, fieldSize: 1000 }
  try {
    for await (const file of request.files({ limits })) {
      const bytes = await file.toBuffer().catch((error) => Promise.reject(troubleOf(error, file.filename)))
      if (FIELD.test(file.fieldname)) yield { name: file.filename ?? '', bytes }
    }
  } catch (error) {
    throw error instanceof Refusal ? error : troubleOf(error, '')
  }
}

function troubleOf(error: unknown, name: string): unknown {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT')
    return new Refusal('too_many_files', `You can upload up to ${MOST_ATTACHMENTS} files at once.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(plainName(name))
  if (code === 'ENOSPC') return error
  return new Refusal('invalid_request', 'The upload was incomplete. Upload the files again.')
}

async function refuseHoard(sql: Sql, customerId: number): Promise<void> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from ticket_file where customer_id = ${customerId} and ticket_number is null
      and not ${isOver(sql)}`
  if ((row?.n ?? 0) < MOST_UNSENT) return
  throw new Refusal(
    'too_many_files',
    'You have too many files that haven’t been sent yet. Send the message they belong to first.',
  )
}

/** Of a file that was not sent: the next sweep takes it. */
const isOver = (sql: Sql) => sql`(created_at < now() - make_interval(hours => ${KEPT_UNSENT_HOURS}))`

/** Lets go of those of these files that were not sent: they are for the next sweep, and do not count as waiting. */
export const letGo = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`
    update ticket_file set created_at = '-infinity'
    where ticket_file_id = any(${ids as number[]}::bigint[]) and ticket_number is null`
}

/** Ids as the browser names them; what is none is not there. Refuses `unknown_attachment`. */
export function fileIds(names: readonly string[], field = 'attachments'): number[] {
  const ids = names.map(Number)
  if (ids.every((id) => Number.isSafeInteger(id) && id > 0)) return [...new Set(ids)]
  throw unknownAttachment(field)
}

const unknownAttachment = (field = 'attachments') =>
  fieldRefusal('unknown_attachment', field, 'An attachment has expired. Attach it again, then send your message.')

/** Refuses `unknown_attachment` at this field unless all of these files wait to be sent by this member. */
export async function refuseUnknownFiles(
  sql: Sql,
  customerId: number,
  { names, field }: { names: readonly string[]; field: string },
): Promise<void> {
  if (names.length === 0) return
  const ids = fileIds(names, field)
  const waiting = await sql`
    select 1 from ticket_file
    where ticket_file_id = any(${ids}::bigint[]) and customer_id = ${customerId} and ticket_number is null`
  if (waiting.length !== ids.length) throw unknownAttachment(field)
}

type Place = { customer_id: number; ticket_number: number; reply_id: number | null }

/** Sends files that wait with a ticket or a reply, as part of its transaction. Refuses `unknown_attachment`. */
export async function attachFiles(sql: Sql, ids: readonly number[], place: Place): Promise<void> {
  if (ids.length === 0) return
  const sent = await sql`
    update ticket_file set ticket_number = ${place.ticket_number}, reply_id = ${place.reply_id}
    where ticket_file_id = any(${ids as number[]}::bigint[]) and customer_id = ${place.customer_id} and ticket_number is null
    returning 1`
  if (sent.length !== ids.length) throw unknownAttachment()
}

type FileRow = { ticket_file_id: number; reply_id: number | null; name: string; type: string; bytes: number }

/** For whom addresses are signed: they end with the session. */
export type Viewer = { customer_id: number; session_id: number }

/** Files as the page shows them. */
export async function showFiles(
  { sql, signing, now }: Pick<World, 'sql' | 'signing' | 'now'>,
  viewer: Viewer,
  which: ReturnType<Sql>,
): Promise<(helpdesk.Attachment & { reply_id: number | null })[]> {
  const rows = await sql<FileRow[]>`
    select ticket_file_id, reply_id, name, type, bytes from ticket_file where ${which} order by ticket_file_id`
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  return rows.map(({ ticket_file_id, reply_id, name, type, bytes }) => ({
    ticket_file_id,
    reply_id,
    file_path: `/ticket-files/${signing.sign(PURPOSE, [ticket_file_id, viewer.customer_id, viewer.session_id], endsAt)}`,
    filename: name,
    bytes,
    type,
    is_image: PICTURES.has(type),
  }))
}

type Opened = { name: string; type: string; bytes: number; sha256: string }

/**
 * GET /ticket-files/…: one file, to the session it was signed for. Pictures can be shown, everything else is downloaded;
 * nothing of either runs.
 */
export function serveTicketFiles(app: FastifyInstance, world: World): void {
  const rate = { config: { rateLimit: { max: 300, timeWindow: '1 minute' } } }
  app.get('/ticket-files/:signed', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { download } = request.query as { download?: string }
    const file = await openFile(world, signed)
    const isShown = PICTURES.has(file.type) && download === undefined
    reply
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('cache-control', 'private, max-age=3600')
      .header('content-length', file.bytes)
      .header('content-disposition', isShown ? 'inline' : contentDisposition(file.name))
      .type(isShown ? file.type : OF_UNKNOWN)
    return reply.send(world.storage.read('attachments', file.sha256))
  })
}

/** Refuses `invalid_link`, `link_expired`. */
async function openFile({ sql, signing, now }: World, signed: string): Promise<Opened> {
  const [fileId = 0, customerId = 0, sessionId = 0] = signing.open(PURPOSE, signed, now()).map(Number)
  const [file] = await sql<Opened[]>`
    select f.name, f.type, f.bytes, encode(f.sha256, 'hex') as sha256
    from ticket_file f left join ticket t using (ticket_number)
    where f.ticket_file_id = ${fileId} and exists (
      select 1 from session join customer c using (customer_id)
      where session_id = ${sessionId} and c.customer_id = ${customerId} and expires_at > now()
        and purpose in ('member', 'viewer') and status = 'active'
        and (c.customer_id in (f.customer_id, t.customer_id) or c.staff_role in ('support', 'admin')))`
  if (!file)
    throw new Refusal(
      'link_expired',
      'This file no longer exists, or your session has ended. Reload the page and try again.',
    )
  return file
}

const AT_ONCE = 200

/** Throws away what was attached and never sent, and the bytes nobody has any more. */
export async function sweepUnsent(world: Tools & Pick<World, 'log'>): Promise<void> {
  while (await sweepSome(world));
}

/** Answers whether there may be more. */
async function sweepSome({ sql, storage, log }: Tools & Pick<World, 'log'>): Promise<boolean> {
  const over = await sql<{ sha256: string }[]>`
    select distinct encode(sha256, 'hex') as sha256 from ticket_file where ticket_number is null and ${isOver(sql)}
    limit ${AT_ONCE}`
  let gone = 0
  for (const { sha256 } of over) {
    try {
      await forgetUnsent({ sql, storage }, sha256)
      gone += 1
    } catch (error) {
      log.warn({ err: error, sha256 }, 'Could not delete an unsent attachment')
    }
  }
  return gone > 0 && over.length === AT_ONCE
}

/** The row goes with its bytes: while the store is away both stay, for the next sweep to find. */
async function forgetUnsent({ sql: pool, storage }: Tools, sha256: string): Promise<void> {
  await pool.begin(async (sql) => {
    await holdBytes(sql, sha256)
    await sql`
      delete from ticket_file
      where sha256 = decode(${sha256}, 'hex') and ticket_number is null and ${isOver(sql)}`
    const [kept] = await sql`select 1 from ticket_file where sha256 = decode(${sha256}, 'hex') limit 1`
    if (!kept) await storage.remove('attachments', sha256)
  })
}
