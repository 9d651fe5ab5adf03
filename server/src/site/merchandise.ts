import { formatPrice, type site } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { generatedImage, storedImage } from '../catalogue/images.ts'
import type { Config } from '../platform/config.ts'
import type { Sql } from '../platform/db.ts'
import { listDemoMembers } from './demo-members.ts'

export type ProductPictureFields = {
  product_id: number
  title: string
  image_src: string | null
  /** SHA-256 of the stored picture, in hex. */
  picture: string | null
}

type ProductRow = ProductPictureFields & { url: string; price_minor: number | null; currency: string | null }

/** Returns the URL of a product's picture, or of the generated one. */
export const toProductImage = ({ product_id, title, image_src, picture }: ProductPictureFields): string => {
  if (picture) return storedImage(picture)
  return image_src ?? generatedImage('product', product_id, title)
}

/** The store's products first, in its order; then staff's own, in theirs. */
export const productOrder = (sql: Sql) => sql`order by source = 'staff', position, product_id`
export const availabilityCondition = (sql: Sql, store: Config['store']) =>
  sql`(source = 'staff' or ${store !== undefined})`

/** Returns the merchandise on sale. It only reads our own table, so that the store cannot delay a page. */
export async function listProducts(sql: Sql, store: Config['store']): Promise<site.Product[]> {
  const rows = await sql<ProductRow[]>`
    select product_id, title, image_src, encode(picture_sha256, 'hex') as picture, url, price_minor, currency
    from merchandise where is_published and ${availabilityCondition(sql, store)} ${productOrder(sql)}`
  return rows.map((row) => ({
    id: row.product_id,
    title: row.title,
    image: { src: toProductImage(row) },
    url: row.url,
    price: row.price_minor === null || row.currency === null ? '' : formatPrice(row.price_minor, row.currency),
  }))
}

/** The demo's store. */
const DEMO_STORE = 'https://store.example/'

/**
 * Returns the URL of the operator's store, as set or derived from where its products are fetched; the demo has its own.
 * '' if there is none.
 */
export async function storeUrl(
  sql: Sql,
  { config, settings }: Pick<AppContext, 'config' | 'settings'>,
): Promise<string> {
  if (settings.storeUrl !== '') return settings.storeUrl
  if (config.store) return `${config.store.origin}/`
  const members = await listDemoMembers(sql)
  return members.length > 0 ? DEMO_STORE : ''
}
