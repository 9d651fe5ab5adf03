import { corrections } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import { shelvePicture } from '../audio/shelf.ts'
import { type Drawn, drawAnew, within } from '../platform/drawn-pictures.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import type { World } from '../world.ts'

const LARGEST_SIDE = 1000
const FORM = { mostBytes: corrections.LARGEST_COVER_BYTES, numbers: ['entity_id', 'revision'] } as const

/** A picture as covers are kept: JPEG, at most 1000 pixels wide and high. Refuses `invalid_image`. */
export const drawCover = (bytes: Buffer): Promise<Drawn> =>
  drawAnew(bytes, (picture) => within(LARGEST_SIDE)(picture).flatten({ background: '#000' }).jpeg({ quality: 88 }))

export type SentCover = { entity_id: number; revision: number; artwork_id: number }

/**
 * Keeps the picture of a form (`entity_id`, `revision`, `picture`) as covers are kept, as JPEG. Refuses `invalid_request`,
 * `file_required`, `too_large`, `invalid_image`.
 */
export async function receiveCover(
  { storage, sql }: Pick<World, 'storage' | 'sql'>,
  request: FastifyRequest,
): Promise<SentCover> {
  const { bytes, numbers } = await readPictureForm(request, FORM)
  const { data, info } = await drawCover(bytes)
  const { sha256 } = await storage.keepBytes('images', data)
  return { ...numbers, artwork_id: await shelvePicture(sql, { sha256, width: info.width, height: info.height }) }
}
