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
  /** Of the picture in our store, in hex. */
  picture: string | null
}

type ProductRow = ProductPictureFields & { url: string; price_minor: number | null; currency: string | null }

/** A product's own picture, or the one that is drawn. */
export const toProductImage = ({ product_id, title, image_src, picture }: ProductPictureFields): string => {
  if (picture) return storedImage(picture)
  return image_src ?? generatedImage('product', product_id, title)
}

/** What the store has first, in its order, as long as there is a store; then staff's own, in theirs. */
export const productOrder = (sql: Sql) => sql`order by source = 'staff', position, product_id`
export const availabilityCondition = (sql: Sql, store: Config['store']) =>
  sql`(source = 'staff' or ${store !== undefined})`

/** The merchandise on sale. It reads our own table alone, so that no store holds a page up. */
export async function listProducts(sql: Sql, store: Config['store']): Promise<site.Product[]> {
  const rows = await sql<ProductRow[]>`
    select product_id, title, image_src, encode(picture_sha256, 'hex') as picture, url, price_minor, currency
    from merchandise where on_sale and ${availabilityCondition(sql, store)} ${productOrder(sql)}`
  return rows.map((row) => ({
    id: row.product_id,
    title: row.title,
    image: { src: toProductImage(row) },
    url: row.url,
    price: row.price_minor === null || row.currency === null ? '' : formatPrice(row.price_minor, row.currency),
  }))
}

/** The store the demo's merchandise is sold in. */
const DEMO_STORE = 'https://store.example/'

/** The store the operator has set, by its address or by what its products are fetched from; the demo has one of its own. '' where there is none. */
export async function storeUrl(
  sql: Sql,
  { config, settings }: Pick<AppContext, 'config' | 'settings'>,
): Promise<string> {
  if (settings.storeUrl !== '') return settings.storeUrl
  if (config.store) return `${config.store.origin}/`
  const members = await listDemoMembers(sql)
  return members.length > 0 ? DEMO_STORE : ''
}
