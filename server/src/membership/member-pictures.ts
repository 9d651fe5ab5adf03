import { account } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { redraw, squarePicture } from '../platform/redrawn-pictures.ts'
import type { Caller } from './caller.ts'

const { MAX_PICTURE_BYTES, MAX_PICTURES, PICTURE_PIXELS } = account

const FILE_FIELD = /^UploadFilesForm\[files\](\[\d*\])?$/

/** Deletes the bytes of a picture, and everything derived from it. */
type DeletePicture = (sha256: string) => Promise<void>

type MembershipContext = Pick<AppContext, 'sql' | 'storage' | 'log'> & { deletePicture: DeletePicture }
type MemberRef = Pick<Caller, 'customer_id'>

/**
 * Stores the first picture of an upload as a square and returns its SHA-256. Throws `file_required`, `too_many_files`,
 * `too_large`, `invalid_image`, and `service_unavailable` when too many uploads are waiting.
 */
export async function uploadPicture(
  ctx: MembershipContext,
  member: MemberRef,
  request: FastifyRequest,
): Promise<string> {
  const bytes = await readFirstFile(request)
  const { data } = await redraw(bytes, squarePicture(PICTURE_PIXELS))
  const { sha256 } = await ctx.storage.putBytes('images', data)
  await setPicture(ctx, member, sha256)
  return sha256
}

/** Removes the picture; the initials are shown instead. */
export const removePicture = (ctx: MembershipContext, member: MemberRef): Promise<void> => setPicture(ctx, member, null)

/**
 * Deletes the previous picture, so that a removed picture is really gone. Throws `session_expired` if the account has
 * been deleted since; the new picture is deleted then.
 */
async function setPicture(ctx: MembershipContext, { customer_id }: MemberRef, sha256: string | null): Promise<void> {
  const [updated] = await ctx.sql<{ before: string | null }[]>`
    with old as (
      select customer_id, profile_picture from customer
      where customer_id = ${customer_id} and status <> 'deleted' for update)
    update customer c set profile_picture = ${sha256} from old where c.customer_id = old.customer_id
    returning old.profile_picture as before`
  const previousSha256 = updated ? updated.before : sha256
  if (previousSha256) await deletePictureIfUnused(ctx, previousSha256)
  if (!updated) throw new ApiError('session_expired', 'This account no longer exists.')
}

/**
 * Deletes a picture unless another member uses the same one. If that fails, it is reported to the operator; the call
 * does not fail.
 */
export async function deletePictureIfUnused(
  { sql, log, deletePicture }: Omit<MembershipContext, 'storage'>,
  sha256: string,
): Promise<void> {
  if (await isPictureInUse(sql, sha256)) return
  await deletePicture(sha256).catch((error) => log.error(error, 'Could not delete an unused profile picture'))
}

/** Returns whether a member or a song uses exactly this picture. */
async function isPictureInUse(sql: Sql, sha256: string): Promise<boolean> {
  const [used] = await sql`
    select 1 where exists (select 1 from customer where profile_picture = ${sha256})
      or exists (select 1 from artwork where sha256 = decode(${sha256}, 'hex'))`
  return used !== undefined
}

function toPictureError(error: unknown): ApiError {
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT')
    return new ApiError('too_many_files', `You can upload up to ${MAX_PICTURES} pictures.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new ApiError('too_large', `The picture is too large. The limit is ${MAX_PICTURE_BYTES / 1024 / 1024} MB.`)
  }
  return new ApiError('invalid_request', 'The upload was incomplete. Upload the picture again.')
}

/** Returns the bytes of the first file. Reads the whole request, so that too many files are noticed. */
async function readFirstFile(request: FastifyRequest): Promise<Buffer> {
  const files: Buffer[] = []
  const limits = { files: MAX_PICTURES, fileSize: MAX_PICTURE_BYTES, fields: 10, fieldSize: 1000 }
  try {
    for await (const file of request.files({ limits })) {
      const bytes = await file.toBuffer()
      if (FILE_FIELD.test(file.fieldname)) files.push(bytes)
    }
  } catch (error) {
    throw toPictureError(error)
  }
  const [first] = files
  if (!first || first.length === 0) throw new ApiError('file_required', 'Choose a picture first.')
  return first
}
