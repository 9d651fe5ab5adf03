import { corrections } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { insertPicture } from '../media/media-repository.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import { type DrawnPicture, fitWithin, redraw } from '../platform/redrawn-pictures.ts'

const MAX_SIDE = 1000
const FORM = { maxBytes: corrections.MAX_COVER_BYTES, numbers: ['entity_id', 'revision'] } as const

/** Renders a picture as a cover: JPEG, at most 1000 pixels wide and high. Throws `invalid_image`. */
export const renderCover = (bytes: Buffer): Promise<DrawnPicture> =>
  redraw(bytes, (picture) => fitWithin(MAX_SIDE)(picture).flatten({ background: '#000' }).jpeg({ quality: 88 }))

export type CoverChange = { entity_id: number; revision: number; artwork_id: number }

/**
 * Saves the picture of a form (`entity_id`, `revision`, `picture`) as a cover. Throws `invalid_request`,
 * `file_required`, `too_large` or `invalid_image`.
 */
export async function receiveCover(
  { storage, sql }: Pick<AppContext, 'storage' | 'sql'>,
  request: FastifyRequest,
): Promise<CoverChange> {
  const { bytes, numbers } = await readPictureForm(request, FORM)
  const { data, info } = await renderCover(bytes)
  const { sha256 } = await storage.putBytes('images', data)
  return { ...numbers, artwork_id: await insertPicture(sql, { sha256, width: info.width, height: info.height }) }
}
