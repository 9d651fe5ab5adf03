import type { site } from '@dubplate/contract'
import { generatedImage } from '../catalogue/images.ts'
import type { Sql } from '../platform/db.ts'

type ProductRow = {
  product_id: number
  title: string
  image_src: string | null
  url: string
  price_minor: number | null
  currency: string | null
}

/** The merchandise on sale, in the operator's order; without a picture of its own it has a drawn one. */
export async function listProducts(sql: Sql): Promise<site.Product[]> {
  const rows = await sql<ProductRow[]>`
    select product_id, title, image_src, url, price_minor, currency from merchandise
    where on_sale order by position, product_id`
  return rows.map(({ product_id, title, image_src, url, price_minor, currency }) => ({
    id: product_id,
    title,
    image: { src: image_src ?? generatedImage('product', product_id, title) },
    url,
    price: price_minor === null ? '' : `${twoDecimals(price_minor)} ${currency}`,
  }))
}

/** 2400 → `24.00`. */
const twoDecimals = (hundredths: number): string =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
