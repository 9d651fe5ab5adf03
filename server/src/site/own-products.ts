import type { merchandise, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Config } from '../platform/config.ts'
import type { Sql } from '../platform/db.ts'
import { availabilityCondition, type ProductPictureFields, productOrder, toProductImage } from './merchandise.ts'

/** Merchandise, as staff manage it. */

type ProductRow = Omit<merchandise.StaffProduct, 'image'> & ProductPictureFields

const columns = (sql: Sql) => sql`
  product_id, title, image_src, encode(picture_sha256, 'hex') as picture, url, price_minor, currency, is_published, source`

const show = (row: ProductRow): merchandise.StaffProduct => ({ ...row, image: toProductImage(row) })

/** Returns all merchandise in its order, and the result of the last store refresh. */
export async function listAllProducts(
  sql: Sql,
  store: Config['store'],
): Promise<ReplyOf<typeof merchandise.getProducts>> {
  const [rows, refreshState] = await Promise.all([
    sql<
      ProductRow[]
    >`select ${columns(sql)} from merchandise where ${availabilityCondition(sql, store)} ${productOrder(sql)}`,
    getRefreshState(sql),
  ])
  return { products: rows.map(show), store: store ? { name: new URL(store.origin).host, ...refreshState } : null }
}

async function getRefreshState(sql: Sql) {
  const [refreshState] = await sql<{ attempted_at: Date; refreshed_at: Date | null; last_error: string }[]>`
    select attempted_at, refreshed_at, last_error from store_sync where source = 'shopify'`
  return {
    refreshed_at: refreshState?.refreshed_at?.toISOString() ?? null,
    attempted_at: refreshState?.attempted_at.toISOString() ?? null,
    last_error: refreshState?.last_error ?? '',
  }
}

export async function getProduct(sql: Sql, productId: number): Promise<merchandise.StaffProduct> {
  const [row] = await sql<ProductRow[]>`select ${columns(sql)} from merchandise where product_id = ${productId}`
  if (!row) throw unknownProductError()
  return show(row)
}

const unknownProductError = () => new ApiError('unknown_product', 'This product no longer exists.')

/** Locks one of staff's own products for the caller's transaction. Throws `unknown_product` and `foreign_resource`. */
export async function lockOwnProduct(sql: Sql, productId: number): Promise<{ picture: string | null }> {
  const [row] = await sql<{ source: string; picture: string | null }[]>`
    select source, encode(picture_sha256, 'hex') as picture from merchandise where product_id = ${productId} for update`
  if (!row) throw unknownProductError()
  if (row.source !== 'staff')
    throw new ApiError('foreign_resource', 'This product is managed in Shopify. Change it there.')
  return { picture: row.picture }
}

/** Saves one of staff's own products, in the caller's transaction, and returns its id; a new one is last. */
export async function saveProduct(
  sql: Sql,
  { product_id, title, url, price_minor, currency, is_published }: ParsedInputOf<typeof merchandise.saveProduct>,
): Promise<number> {
  if (product_id === undefined) {
    const [added] = await sql<{ product_id: number }[]>`
      insert into merchandise (title, url, price_minor, currency, is_published, position)
      select ${title}, ${url}, ${price_minor}, ${currency}, ${is_published}, coalesce(max(position), 0) + 1
      from merchandise where source = 'staff' returning product_id`
    if (!added) throw new Error('Product insert returned no id')
    return added.product_id
  }
  await lockOwnProduct(sql, product_id)
  await sql`
    update merchandise set title = ${title}, url = ${url}, price_minor = ${price_minor}, currency = ${currency},
      is_published = ${is_published}
    where product_id = ${product_id}`
  return product_id
}

/** Deletes one of staff's own products, in the caller's transaction, and returns its picture. */
export async function removeProduct(sql: Sql, productId: number): Promise<{ picture: string | null }> {
  const lockedProduct = await lockOwnProduct(sql, productId)
  await sql`delete from merchandise where product_id = ${productId}`
  return lockedProduct
}

/**
 * Orders staff's own products; products not listed follow; the store's products keep the store's order. Throws
 * `unknown_product`.
 */
export async function orderProducts(sql: Sql, productIds: readonly number[]): Promise<void> {
  const orderedIds = [...new Set(productIds)]
  const known = await sql`select 1 from merchandise where product_id = any(${orderedIds}::bigint[])`
  if (known.length < orderedIds.length) throw unknownProductError()
  await sql`
    update merchandise m set position = placed.n from (
      select product_id, row_number() over (order by w.n, position, product_id) as n
      from merchandise left join unnest(${orderedIds}::bigint[]) with ordinality w (product_id, n) using (product_id)
      where source = 'staff') placed
    where m.product_id = placed.product_id`
}
