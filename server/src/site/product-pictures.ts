import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { GeneratedKind } from '../catalogue/images.ts'
import { type CoverText, deletePicture } from '../catalogue/pictures.ts'
import { deletePictureIfUnused } from '../membership/member-pictures.ts'
import type { Sql } from '../platform/db.ts'
import { readPictureForm } from '../platform/picture-form.ts'
import { fitWithin, redraw } from '../platform/redrawn-pictures.ts'
import { lockOwnProduct } from './own-products.ts'

const SIDE_PIXELS = 800
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024
const FORM = { maxBytes: MAX_PICTURE_BYTES, numbers: ['product_id'] } as const

/**
 * Re-encodes a picture as WebP, at most 800 pixels wide and high, and stores it. Returns its SHA-256 in hex. Throws
 * `invalid_image`.
 */
export async function storePicture({ storage }: Pick<AppContext, 'storage'>, bytes: Buffer): Promise<string> {
  const { data } = await redraw(bytes, (picture) => fitWithin(SIDE_PIXELS)(picture).webp({ quality: 84 }))
  const { sha256 } = await storage.putBytes('images', data)
  return sha256
}

/** Deletes pictures that no product, member or song uses any more. */
export async function deleteProductPictures(ctx: AppContext, pictures: readonly (string | null)[]): Promise<void> {
  for (const sha256 of new Set(pictures)) {
    if (sha256 === null || (await isProductPictureInUse(ctx.sql, sha256))) continue
    await deletePictureIfUnused({ ...ctx, deletePicture: (one) => deletePicture(ctx, one) }, sha256)
  }
}

async function isProductPictureInUse(sql: Sql, sha256: string): Promise<boolean> {
  const [stillUsed] = await sql`select 1 from merchandise where picture_sha256 = decode(${sha256}, 'hex') limit 1`
  return stillUsed !== undefined
}

/**
 * Sets the picture of one of staff's own products from this form, together with another change in the same transaction.
 * Returns its id. Throws `unknown_product`, `foreign_resource`, `file_required`, `too_large` and `invalid_image`.
 */
export async function receiveProductPicture(
  ctx: AppContext,
  request: FastifyRequest,
  updateProduct: (sql: Sql, productId: number) => Promise<void>,
): Promise<number> {
  const { bytes, numbers } = await readPictureForm(request, FORM)
  const productId = numbers.product_id
  // Checked before the work of re-encoding.
  await ctx.sql.begin((sql) => lockOwnProduct(sql, productId))
  const sha256 = await storePicture(ctx, bytes)
  const before = await ctx.sql.begin(async (sql) => {
    const lockedProduct = await lockOwnProduct(sql, productId)
    await sql`update merchandise set picture_sha256 = decode(${sha256}, 'hex') where product_id = ${productId}`
    await updateProduct(sql, productId)
    return lockedProduct.picture
  })
  if (before !== sha256) await deleteProductPictures(ctx, [before])
  return productId
}

/** Returns the text of the generated cover of a product without a picture. */
export async function findProductCover(sql: Sql, of: GeneratedKind, id: number): Promise<CoverText | undefined> {
  if (of !== 'product') return undefined
  const [product] = await sql<{ title: string }[]>`
    select title from merchandise where product_id = ${id} and image_src is null`
  return product && { title: product.title, seed: 0, hashed: product.title }
}
