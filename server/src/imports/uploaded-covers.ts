import { createHash } from 'node:crypto'
import path from 'node:path'
import { corrections } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { renderCover } from '../catalogue/song-covers.ts'
import { lockContent, type StoredPicture } from '../media/media-repository.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import { MIN_SIDE } from './cover.ts'
import { type IncomingFile, rejectUnannounced } from './import-runs.ts'

/** Folder covers sent by a browser: they are stored until their import ends. */

type StorageContext = Pick<AppContext, 'sql' | 'storage'>

const COVER_FORM = { maxBytes: corrections.MAX_COVER_BYTES, numbers: ['import_run_id', 'import_file'] } as const
/**
 * Uploaded covers are stored separately from the pool's own, possibly identical, pictures, so that each can be deleted
 * alone.
 */
const SENT_SUFFIX = '.sent'

type Cover = StoredPicture & { uploaded_sha256: string }

/**
 * Stores the picture of a form (`import_run_id`, `import_file`, `picture`) for the folder of an announced file,
 * replacing an earlier one. Throws `unknown_import`, `import_finished`, `unexpected_file`, `invalid_request`,
 * `file_required`, `too_large`, `invalid_image` and `image_too_small`.
 */
export async function receiveFolderCover(ctx: StorageContext, request: FastifyRequest): Promise<void> {
  const { bytes, numbers } = await readPictureForm(request, COVER_FORM)
  // Checked before the expensive rendering.
  await rejectUnannounced(ctx.sql, numbers)
  const { data, info } = await renderCover(bytes)
  if (Math.min(info.width, info.height) < MIN_SIDE)
    throw new ApiError('image_too_small', `The cover must be at least ${MIN_SIDE} × ${MIN_SIDE} pixels.`)
  const { width, height } = info
  const before = await recordCover(ctx, numbers, { data, width, height, uploaded_sha256: hashOf(bytes) })
  if (before) await releaseCover(ctx, before)
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Returns the folder's earlier picture if it was a different one. The update locks the import, as every change to it
 * does.
 */
const recordCover = (
  { sql: pool, storage }: StorageContext,
  incoming: IncomingFile,
  { data, width, height, uploaded_sha256 }: Omit<Cover, 'sha256'> & { data: Buffer },
): Promise<string | undefined> =>
  pool.begin(async (sql) => {
    const sha256 = hashOf(data)
    await lockContent(sql, sha256)
    const { import_run_id } = incoming
    await sql`update import_run set updated_at = now() where import_run_id = ${import_run_id}`
    const folder = path.dirname(await rejectUnannounced(sql, incoming))
    const [before] = await sql<{ sha256: string }[]>`
      select encode(picture_sha256, 'hex') as sha256 from import_cover
      where import_run_id = ${import_run_id} and folder = ${folder}`
    await sql`
      insert into import_cover (import_run_id, folder, uploaded_sha256, picture_sha256, width, height)
      values (${import_run_id}, ${folder}, decode(${uploaded_sha256}, 'hex'), decode(${sha256}, 'hex'), ${width}, ${height})
      on conflict (import_run_id, folder) do update set uploaded_sha256 = excluded.uploaded_sha256,
        picture_sha256 = excluded.picture_sha256, width = excluded.width, height = excluded.height`
    await storage.putBytes('images', data, SENT_SUFFIX)
    return before?.sha256 === sha256 ? undefined : before?.sha256
  })

/** Returns the SHA-256 of the covers sent for the folders of these files, by folder. */
export async function listSentCovers(sql: Sql, runId: number, files: readonly string[]): Promise<Map<string, string>> {
  const sent = await sql<{ folder: string; sha256: string }[]>`
    select folder, encode(uploaded_sha256, 'hex') as sha256 from import_cover
    where import_run_id = ${runId} and folder = any(${files.map((file) => path.dirname(file))})`
  return new Map(sent.map(({ folder, sha256 }) => [folder, sha256]))
}

/** Returns a function that finds the cover sent for a file's folder, and copies it to the pool’s pictures. */
export const createFolderCovers =
  ({ sql, storage }: StorageContext, runId: number) =>
  async (file: string): Promise<StoredPicture | undefined> => {
    const [cover] = await sql<StoredPicture[]>`
      select encode(picture_sha256, 'hex') as sha256, width, height from import_cover
      where import_run_id = ${runId} and folder = ${path.dirname(file)}`
    if (cover) await storage.copyAs({ kind: 'images', sha256: cover.sha256, ending: SENT_SUFFIX }, 'images')
    return cover
  }

export async function listStoredCovers(sql: Sql, runId: number): Promise<string[]> {
  const storedCovers = await sql<{ sha256: string }[]>`
    select distinct encode(picture_sha256, 'hex') as sha256 from import_cover where import_run_id = ${runId}`
  return storedCovers.map(({ sha256 }) => sha256)
}

/** Deletes a picture that no import uses any more, after removing it from the import `excluding`. */
export async function releaseCover(
  { sql: pool, storage }: StorageContext,
  sha256: string,
  excluding?: { of: number },
): Promise<void> {
  const picture = Buffer.from(sha256, 'hex')
  await pool.begin(async (sql) => {
    await lockContent(sql, sha256)
    await sql`delete from import_cover where import_run_id = ${excluding?.of ?? null} and picture_sha256 = ${picture}`
    const stillReferenced = await sql`select 1 from import_cover where picture_sha256 = ${picture} limit 1`
    if (stillReferenced.length === 0) await storage.remove('images', sha256, SENT_SUFFIX)
  })
}
