import { account } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { Sql } from '../platform/db.ts'
import { drawAnew, squareOf } from '../platform/drawn-pictures.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Asker } from './asker.ts'

const { LARGEST_PICTURE_BYTES, MOST_PICTURES, PICTURE_PIXELS } = account

const FIELD = /^UploadFilesForm\[files\](\[\d*\])?$/

/** Throws the bytes of a picture away, with everything made from it. */
export type ForgetPicture = (sha256: string) => Promise<void>

type Tools = Pick<World, 'sql' | 'storage' | 'log'> & { forgetPicture: ForgetPicture }
type Whose = Pick<Asker, 'customer_id'>

/**
 * Keeps the first picture of an upload as a square and answers with its SHA-256. Refuses `file_required`, `too_many_files`,
 * `too_large`, `invalid_image`, and `service_unavailable` when too many wait.
 */
export async function uploadPicture(tools: Tools, member: Whose, request: FastifyRequest): Promise<string> {
  const bytes = await firstFile(request)
  const { data } = await drawAnew(bytes, squareOf(PICTURE_PIXELS))
  const { sha256 } = await tools.storage.keepBytes('images', data)
  await showPicture(tools, member, sha256)
  return sha256
}

/** Goes back to the initials. */
export const removePicture = (tools: Tools, member: Whose): Promise<void> => showPicture(tools, member, null)

/**
 * The one before is thrown away: whoever takes a picture back means it. Refuses `session_expired` when the account is gone
 * meanwhile; the new one is thrown away then.
 */
async function showPicture(tools: Tools, { customer_id }: Whose, sha256: string | null): Promise<void> {
  const [shown] = await tools.sql<{ before: string | null }[]>`
    with old as (
      select customer_id, profile_picture from customer
      where customer_id = ${customer_id} and status <> 'deleted' for update)
    update customer c set profile_picture = ${sha256} from old where c.customer_id = old.customer_id
    returning old.profile_picture as before`
  const left = shown ? shown.before : sha256
  if (left) await dropPicture(tools, left)
  if (!shown) throw new Refusal('session_expired', 'This account no longer exists.')
}

/**
 * Throws a picture away unless it is somebody else's as well. What stays behind is for the operator to see, not a
 * reason to say that something failed.
 */
export async function dropPicture({ sql, log, forgetPicture }: Omit<Tools, 'storage'>, sha256: string): Promise<void> {
  if (await isPictureShown(sql, sha256)) return
  await forgetPicture(sha256).catch((error) => log.error(error, 'Could not delete an unused profile picture'))
}

/** Whether a member, or a song, has this very picture. */
async function isPictureShown(sql: Sql, sha256: string): Promise<boolean> {
  const [shown] = await sql`
    select 1 where exists (select 1 from customer where profile_picture = ${sha256})
      or exists (select 1 from artwork where sha256 = decode(${sha256}, 'hex'))`
  return shown !== undefined
}

function troubleOf(error: unknown): Refusal {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT')
    return new Refusal('too_many_files', `You can upload up to ${MOST_PICTURES} pictures.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new Refusal('too_large', `The picture is too large. The limit is ${LARGEST_PICTURE_BYTES / 1024 / 1024} MB.`)
  }
  return new Refusal('invalid_request', 'The upload was incomplete. Upload the picture again.')
}

/** The bytes of the first file; the whole request is read, so that one file too many is noticed. */
async function firstFile(request: FastifyRequest): Promise<Buffer> {
  const files: Buffer[] = []
  const limits = { files: MOST_PICTURES, fileSize: LARGEST_PICTURE_BYTES, fields: 10, fieldSize: 1000 }
  try {
    for await (const file of request.files({ limits })) {
      const bytes = await file.toBuffer()
      if (FIELD.test(file.fieldname)) files.push(bytes)
    }
  } catch (error) {
    throw troubleOf(error)
  }
  const [first] = files
  if (!first || first.length === 0) throw new Refusal('file_required', 'Choose a picture first.')
  return first
}
