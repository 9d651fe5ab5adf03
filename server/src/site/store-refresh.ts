import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { StoreConfig } from '../platform/store-config.ts'
import { fetchExternal } from './external-fetch.ts'
import { deleteProductPictures, MAX_PICTURE_BYTES, storePicture } from './product-pictures.ts'
import { fetchProducts, StoreError, type StoreProduct } from './store.ts'

/** Time limits for one picture and for all pictures of a refresh; the rest is fetched by the next refresh. */
const PICTURE_TIMEOUT_MS = 10_000
const PICTURES_TIMEOUT_MS = 12_000

/**
 * Fetches the store's products and saves them; if that fails, the list does not change and the error is recorded. If no
 * store is set any more, its products are removed.
 */
export async function refreshStore(ctx: AppContext): Promise<void> {
  const { store } = ctx.config
  if (!store) return disconnectStore(ctx)
  const { problem } = await refreshFromStore(ctx, store)
  if (problem) ctx.log.warn({ problem }, 'Shopify sync was incomplete')
}

/**
 * Refreshes immediately. Throws `store_not_configured`, and `store_unavailable` with the reason; if only pictures
 * failed, the result says so.
 */
export async function refreshStoreNow(ctx: AppContext): Promise<void> {
  const { store } = ctx.config
  if (!store)
    throw new ApiError('store_not_configured', 'No Shopify store is configured. Set SHOPIFY_STORE and SHOPIFY_TOKEN.')
  const { isUnavailable, problem } = await refreshFromStore(ctx, store)
  if (isUnavailable) throw new ApiError('store_unavailable', problem)
}

/** Returns whether the store failed, and the problem; '' if there was none. */
async function refreshFromStore(
  ctx: AppContext,
  store: StoreConfig,
): Promise<{ isUnavailable: boolean; problem: string }> {
  let storeProducts: StoreProduct[]
  try {
    storeProducts = await fetchProducts(store)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    await recordProblem(ctx.sql, error.message)
    return { isUnavailable: true, problem: error.message }
  }
  const unusedPictures = await ctx.sql.begin((sql) => saveStoreProducts(sql, storeProducts))
  const fetched = await fetchPictures(ctx, store, storeProducts)
  await deleteProductPictures(ctx, [...unusedPictures, ...fetched.left])
  if (fetched.missing === 0) return { isUnavailable: false, problem: '' }
  const problem = `${fetched.missing === 1 ? '1 product picture' : `${fetched.missing} product pictures`} couldn’t be downloaded.`
  await recordProblem(ctx.sql, problem)
  return { isUnavailable: false, problem }
}

const recordProblem = async (sql: Sql, problem: string): Promise<void> => {
  await sql`
    insert into store_sync (source, attempted_at, last_error) values ('shopify', now(), ${problem})
    on conflict (source) do update set attempted_at = now(), last_error = excluded.last_error`
}

/** Replaces the store's products, in the caller's transaction. Returns pictures that are no longer used. */
async function saveStoreProducts(sql: Sql, storeProducts: readonly StoreProduct[]): Promise<string[]> {
  // First, so that of two simultaneous refreshes one waits for the other here.
  await sql`
    insert into store_sync (source, attempted_at, refreshed_at) values ('shopify', now(), now())
    on conflict (source) do update set attempted_at = now(), refreshed_at = now(), last_error = ''`
  const ids = storeProducts.map((product) => product.external_id)
  const removed = await sql<{ picture: string | null }[]>`
    delete from merchandise where source = 'shopify' and external_id <> all(${ids})
    returning encode(picture_sha256, 'hex') as picture`
  await sql`
    insert into merchandise (source, external_id, title, url, price_minor, currency, position)
    select 'shopify', id, title, url, price, currency, n
    from unnest(${ids}::text[], ${storeProducts.map((product) => product.title)}::text[], ${storeProducts.map((product) => product.url)}::text[],
      ${storeProducts.map((product) => product.price_minor)}::int[], ${storeProducts.map((product) => product.currency)}::text[])
      with ordinality offered (id, title, url, price, currency, n)
    on conflict (external_id) do update set title = excluded.title, url = excluded.url, price_minor = excluded.price_minor,
      currency = excluded.currency, position = excluded.position`
  const productsWithoutPicture = storeProducts
    .filter((product) => !product.picture)
    .map((product) => product.external_id)
  const removedPictures = await sql<{ picture: string | null }[]>`
    with bare as (
      select product_id, picture_sha256 from merchandise where external_id = any(${productsWithoutPicture}) and picture_source is not null)
    update merchandise m set picture_sha256 = null, picture_source = null from bare where m.product_id = bare.product_id
    returning encode(bare.picture_sha256, 'hex') as picture`
  return [...removed, ...removedPictures].flatMap(({ picture }) => picture ?? [])
}

/** Downloads new pictures, each once, so that a visitor’s browser requests none from other hosts. */
async function fetchPictures(ctx: AppContext, store: StoreConfig, storeProducts: readonly StoreProduct[]) {
  const keptPictures = await ctx.sql<{ external_id: string; picture_source: string | null }[]>`
    select external_id, picture_source from merchandise where source = 'shopify'`
  const from = new Map(keptPictures.map((row) => [row.external_id, row.picture_source]))
  const deadline = Date.now() + PICTURES_TIMEOUT_MS
  const unusedPictures: string[] = []
  let missing = 0
  for (const { external_id, picture } of storeProducts) {
    if (!picture || from.get(external_id) === picture.href) continue
    try {
      const sha256 = await fetchPicture(ctx, store, picture, deadline - Date.now())
      unusedPictures.push(...(await showPicture(ctx.sql, { external_id, sha256, from: picture.href })))
    } catch (error) {
      missing += 1
      ctx.log.warn({ err: error, picture: picture.href }, 'Could not download a product picture')
    }
  }
  return { left: unusedPictures, missing }
}

async function fetchPicture(
  ctx: AppContext,
  { allowsPrivate }: StoreConfig,
  address: URL,
  left_ms: number,
): Promise<string> {
  if (left_ms <= 0) throw new StoreError('The sync ran out of time.')
  const { status, bytes } = await fetchExternal(address, {
    within_ms: Math.min(PICTURE_TIMEOUT_MS, left_ms),
    maxBytes: MAX_PICTURE_BYTES,
    allowsPrivate,
  })
  if (status !== 200) throw new StoreError(`Shopify responded with ${status}.`)
  return storePicture(ctx, bytes)
}

/**
 * Sets a product's picture; returns the unused one: the previous picture, or this one if the product was deleted in the
 * meantime.
 */
async function showPicture(
  sql: Sql,
  { external_id, sha256, from }: { external_id: string; sha256: string; from: string },
): Promise<string[]> {
  const [previous] = await sql<{ before: string | null }[]>`
    with old as (select product_id, picture_sha256 from merchandise where external_id = ${external_id} for update)
    update merchandise m set picture_sha256 = decode(${sha256}, 'hex'), picture_source = ${from}
    from old where m.product_id = old.product_id returning encode(old.picture_sha256, 'hex') as before`
  if (!previous) return [sha256]
  return previous.before && previous.before !== sha256 ? [previous.before] : []
}

async function disconnectStore(ctx: AppContext): Promise<void> {
  const removed = await ctx.sql<{ picture: string | null }[]>`
    delete from merchandise where source = 'shopify' returning encode(picture_sha256, 'hex') as picture`
  await ctx.sql`delete from store_sync where source = 'shopify'`
  await deleteProductPictures(
    ctx,
    removed.map((row) => row.picture),
  )
}
