import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { insertPicture } from '../media/media-repository.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import { redraw, squarePicture } from '../platform/redrawn-pictures.ts'

/** The largest displayed size of a tile. */
const SIDE_PIXELS = 640
const FORM_LIMITS = { maxBytes: 10 * 1024 * 1024, numbers: ['genre_id'] } as const

/**
 * Saves the picture of a form (`genre_id`, `picture`) as a square. Throws `invalid_request`, `file_required`,
 * `too_large` or `invalid_image`.
 */
export async function receiveGenrePicture(
  { sql, storage }: Pick<AppContext, 'sql' | 'storage'>,
  request: FastifyRequest,
): Promise<{ genre_id: number; artwork_id: number }> {
  const { bytes, numbers } = await readPictureForm(request, FORM_LIMITS)
  const { data } = await redraw(bytes, (picture) => squarePicture(SIDE_PIXELS)(picture.flatten({ background: '#000' })))
  const { sha256 } = await storage.putBytes('images', data)
  return { ...numbers, artwork_id: await insertPicture(sql, { sha256, width: SIDE_PIXELS, height: SIDE_PIXELS }) }
}

/** Sets the picture of a genre, or removes it (null). Part of the caller's transaction. Throws `unknown_genre`. */
export async function setGenrePicture(sql: Sql, genreId: number, artworkId: number | null): Promise<void> {
  const updated = await sql`update genre set artwork_id = ${artworkId} where genre_id = ${genreId} returning 1`
  if (updated.length === 0) throw new ApiError('unknown_genre', 'This genre no longer exists.')
}
