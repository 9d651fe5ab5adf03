import { stat } from 'node:fs/promises'
import { uploads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { lockContent } from '../media/media-repository.ts'
import { restoreOriginal } from '../media/originals.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { hashFile } from '../platform/storage.ts'

const { AUDIO_ENDINGS: AUDIO_EXTENSIONS, MAX_FILE_BYTES } = uploads

/** A file that has arrived on this machine's disk. */
export type ReceivedFile = {
  customer_id: number
  path: string
  /** Its original name. */
  name: string
  /** The hash its sender calculated, in hex; undefined if not given. */
  sha256?: string | undefined
}

const MB = 1024 * 1024

/** Returns a file's name without folders and invalid characters. */
export const cleanName = (name: string): string => {
  const last = name.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const cleaned = last.replace(/\p{Cc}/gu, '').trim()
  return cleaned.length <= 200 ? cleaned : `${cleaned.slice(0, 190)}${/\.[a-z0-9]{1,5}$/i.exec(cleaned)?.[0] ?? ''}`
}

/**
 * Throws `unsupported_file_type` for a name without a supported extension, and `too_large`, before any of it is sent.
 */
export function rejectUnwanted(name: string, bytes: number | undefined): void {
  const cleaned = cleanName(name) || 'This file'
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!(AUDIO_EXTENSIONS as readonly string[]).includes(extension)) {
    throw new ApiError(
      'unsupported_file_type',
      `“${cleaned}” isn’t supported. Upload MP3, M4A, OGG, Opus, WAV, FLAC or AIFF files.`,
    )
  }
  if (bytes === 0) throw new ApiError('unsupported_file_type', `“${cleaned}” is empty.`)
  if (bytes !== undefined && bytes > MAX_FILE_BYTES) throw fileTooLargeError(cleaned)
}

export const fileTooLargeError = (name: string): ApiError =>
  new ApiError('too_large', `“${name}” is too large. The limit is ${MAX_FILE_BYTES / MB} MB per file.`)

/** Kept free for the database and everything else. */
const SPARE_BYTES = 512 * MB

/** Throws `insufficient_storage` unless this many bytes fit twice: as they arrive, and in storage. */
export async function rejectWithoutRoom({ storage, log }: Pick<AppContext, 'storage' | 'log'>, bytes: number) {
  const freeSpace = await storage.freeBytes()
  if (freeSpace === undefined || freeSpace > 2 * bytes + SPARE_BYTES) return
  log.error({ free: freeSpace, bytes }, 'Not enough disk space for uploads')
  throw new ApiError('insufficient_storage', 'We’re out of storage space and have been notified. Try again later.')
}

/** A container is shown as a whole, and a full one means that no songs are made of its files. */
const MAX_UNUSED_FILES = 500

/** Throws `too_many_files` for a member with this many files that are not in a song. */
export async function rejectFullContainer(sql: Sql, customerId: number): Promise<void> {
  const [unusedFiles] = await sql<{ n: number }[]>`
    select count(*)::int as n from upload u where customer_id = ${customerId} and removed_at is null
      and not exists (select 1 from upload_version v where v.upload_id = u.upload_id)`
  if (!unusedFiles || unusedFiles.n < MAX_UNUSED_FILES) return
  const sentence = `You have ${unusedFiles.n} unused files. Add them to songs or delete some first.`
  throw new ApiError('too_many_files', sentence)
}

/** Throws `already_uploaded` if the member has this exact file in the container or in a song. */
export async function rejectSentBefore(sql: Sql, customerId: number, sha256: string): Promise<void> {
  const [before] = await sql<{ upload_id: number; name: string }[]>`
    select upload_id, name from upload
    where customer_id = ${customerId} and sha256 = ${Buffer.from(sha256, 'hex')} and removed_at is null`
  if (!before) return
  const { upload_id, name } = before
  throw new ApiError('already_uploaded', `You’ve already uploaded this file as “${name}”.`, { data: { upload_id } })
}

/**
 * Takes in a file: when it returns its upload_id, the bytes are stored and its analysis is queued. The same file twice
 * gives the same upload. Throws `unsupported_file_type`, `too_large`, `upload_corrupted` and `session_expired`. The
 * caller removes the file at `path`.
 */
export async function ingestUpload(ctx: AppContext, receivedFile: ReceivedFile): Promise<number> {
  const { size } = await stat(receivedFile.path)
  rejectUnwanted(receivedFile.name, size)
  if (receivedFile.sha256 !== undefined && receivedFile.sha256 !== (await hashFile(receivedFile.path)))
    throw damagedFileError(receivedFile.name)
  const stored = await ctx.storage.putFile('audio', receivedFile.path)
  await restoreOriginal(ctx, stored.sha256, receivedFile.path)
  return ctx.sql.begin(async (sql) => {
    await lockContent(sql, stored.sha256)
    // The same content may have been deleted at this moment.
    if (!(await ctx.storage.has('audio', stored.sha256))) await ctx.storage.putFile('audio', receivedFile.path)
    return recordUpload(sql, { ...receivedFile, ...stored })
  })
}

const damagedFileError = (name: string) =>
  new ApiError('upload_corrupted', `“${cleanName(name)}” was corrupted during upload. Upload it again.`)

type UploadRecord = ReceivedFile & { sha256: string; bytes: number }

async function recordUpload(sql: Sql, { customer_id, name, sha256, bytes }: UploadRecord): Promise<number> {
  // Locked until it is recorded: deleting the account at the same time either deletes this file too, or is complete
  // before.
  const [sender] = await sql`
    select 1 from customer where customer_id = ${customer_id} and status <> 'deleted' for share`
  if (!sender) throw new ApiError('session_expired', 'This account no longer exists.')
  const content = Buffer.from(sha256, 'hex')
  const [added] = await sql<{ upload_id: number }[]>`
    insert into upload (customer_id, name, bytes, sha256)
    values (${customer_id}, ${cleanName(name)}, ${bytes}, ${content})
    on conflict (customer_id, sha256) where removed_at is null do nothing returning upload_id`
  if (added) return added.upload_id
  const [before] = await sql<{ upload_id: number }[]>`
    select upload_id from upload where customer_id = ${customer_id} and sha256 = ${content} and removed_at is null`
  if (!before) throw new Error('Upload disappeared during lookup')
  return before.upload_id
}
