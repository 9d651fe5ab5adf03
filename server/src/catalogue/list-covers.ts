import { curation } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { insertPicture } from '../media/media-repository.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import { redraw, squarePicture } from '../platform/redrawn-pictures.ts'
import { storedImage } from './images.ts'

/** The largest displayed size of a cover. */
const SIDE_PIXELS = 640
const FORM_LIMITS = { maxBytes: curation.MAX_COVER_MB * 1024 * 1024, numbers: [] }

/**
 * Saves the picture of this form as the cover of a list. Its URL is secret until a list with it is published. Throws
 * `file_required`, `too_large` or `invalid_image`.
 */
export async function receiveCover({ sql, storage }: AppContext, request: FastifyRequest) {
  const { bytes } = await readPictureForm(request, FORM_LIMITS)
  const { data } = await redraw(bytes, squarePicture(SIDE_PIXELS))
  const { sha256 } = await storage.putBytes('images', data)
  const artwork_id = await insertPicture(sql, { sha256, width: SIDE_PIXELS, height: SIDE_PIXELS })
  return { artwork_id, image: storedImage(sha256) }
}
