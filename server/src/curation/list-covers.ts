import { curation } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { type GeneratedKind, type ListCover, listCoverHash, storedImage } from '../catalogue/images.ts'
import type { CoverText } from '../catalogue/pictures.ts'
import { insertPicture } from '../media/media-repository.ts'
import type { Sql } from '../platform/db.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import { redraw, squarePicture } from '../platform/redrawn-pictures.ts'
import { isVisible } from './visibility.ts'

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

type CoverFields = Omit<ListCover, 'artwork'>

/** Returns the text of the generated cover of a list that members can see. */
export async function findListCover(sql: Sql, of: GeneratedKind, id: number): Promise<CoverText | undefined> {
  if (of !== 'list' && of !== 'top20') return undefined
  const [list] = await {
    list: sql<CoverFields[]>`
      select title, cover_seed from curated_list where curated_list_id = ${id} and ${isVisible(sql)}`,
    top20: sql<CoverFields[]>`select title, cover_seed from top20 where top20_track_id = ${id} and ${isVisible(sql)}`,
  }[of]
  return list && { title: list.title, seed: list.cover_seed, hashed: listCoverHash(list) }
}
