import type { FastifyRequest } from 'fastify'
import { forgetPicture } from '../catalogue/pictures.ts'
import { dropPicture } from '../membership/pictures-of-members.ts'
import type { Sql } from '../platform/db.ts'
import { drawAnew, within } from '../platform/drawn-pictures.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import type { World } from '../world.ts'
import { holdOwnProduct } from './own-products.ts'

const SIDE_PIXELS = 800
export const LARGEST_PICTURE_BYTES = 10 * 1024 * 1024
const FORM = { mostBytes: LARGEST_PICTURE_BYTES, numbers: ['product_id'] } as const

/**
 * A picture drawn anew as WebP, at most 800 pixels wide and high, and kept in the store. Answers with its SHA-256 in hex.
 * Refuses `invalid_image`.
 */
export async function keepPicture({ storage }: Pick<World, 'storage'>, bytes: Buffer): Promise<string> {
  const { data } = await drawAnew(bytes, (picture) => within(SIDE_PIXELS)(picture).webp({ quality: 84 }))
  const { sha256 } = await storage.keepBytes('images', data)
  return sha256
}

/** Throws pictures away that no product, member or song has any more. */
export async function dropProductPictures(world: World, pictures: readonly (string | null)[]): Promise<void> {
  for (const sha256 of new Set(pictures)) {
    if (sha256 === null || (await isProductPicture(world.sql, sha256))) continue
    await dropPicture({ ...world, forgetPicture: (one) => forgetPicture(world, one) }, sha256)
  }
}

async function isProductPicture(sql: Sql, sha256: string): Promise<boolean> {
  const [shown] = await sql`select 1 from merchandise where picture_sha256 = decode(${sha256}, 'hex') limit 1`
  return shown !== undefined
}

/**
 * Gives a product of staff's own the picture of this form, and whatever else is to be done in the same transaction. Answers
 * its id. Refuses `unknown_product`, `foreign_resource`, `file_required`, `too_large` and `invalid_image`.
 */
export async function receiveProductPicture(
  world: World,
  request: FastifyRequest,
  also: (sql: Sql, productId: number) => Promise<void>,
): Promise<number> {
  const { bytes, numbers } = await readPictureForm(request, FORM)
  const productId = numbers.product_id
  // Before the work of drawing it.
  await world.sql.begin((sql) => holdOwnProduct(sql, productId))
  const sha256 = await keepPicture(world, bytes)
  const before = await world.sql.begin(async (sql) => {
    const held = await holdOwnProduct(sql, productId)
    await sql`update merchandise set picture_sha256 = decode(${sha256}, 'hex') where product_id = ${productId}`
    await also(sql, productId)
    return held.picture
  })
  if (before !== sha256) await dropProductPictures(world, [before])
  return productId
}
