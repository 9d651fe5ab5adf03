import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { StoreConfig } from '../platform/store-config.ts'
import type { World } from '../world.ts'
import { fetchOutside } from './outside.ts'
import { dropProductPictures, keepPicture, LARGEST_PICTURE_BYTES } from './product-pictures.ts'
import { readOffer, type StoreProduct, StoreTrouble } from './store.ts'

/** 1 product picture, and all of a visit's: what is not here by then comes with the next. */
const PICTURE_WITHIN_MS = 10_000
const PICTURES_WITHIN_MS = 12_000

/**
 * Asks the store for its products and takes them over; where it cannot, the list stays as it was and the visit says why.
 * Where no store is set any more, what came from one goes.
 */
export async function refreshStore(world: World): Promise<void> {
  const { store } = world.config
  if (!store) return forgetStore(world)
  const { trouble } = await visitStore(world, store)
  if (trouble) world.log.warn({ trouble }, 'Shopify sync was incomplete')
}

/**
 * The same at once. Refuses `store_not_configured`, and `store_unavailable` with what was the trouble; where only pictures are missing, the visit
 * says so.
 */
export async function refreshStoreNow(world: World): Promise<void> {
  const { store } = world.config
  if (!store)
    throw new Refusal('store_not_configured', 'No Shopify store is configured. Set SHOPIFY_STORE and SHOPIFY_TOKEN.')
  const { isAway, trouble } = await visitStore(world, store)
  if (isAway) throw new Refusal('store_unavailable', trouble)
}

/** Answers whether the store said nothing, and what was the trouble; '' where all went well. */
async function visitStore(world: World, store: StoreConfig): Promise<{ isAway: boolean; trouble: string }> {
  let offer: StoreProduct[]
  try {
    offer = await readOffer(store)
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error
    await noteTrouble(world.sql, error.message)
    return { isAway: true, trouble: error.message }
  }
  const left = await world.sql.begin((sql) => takeOver(sql, offer))
  const fetched = await fetchPictures(world, store, offer)
  await dropProductPictures(world, [...left, ...fetched.left])
  if (fetched.missing === 0) return { isAway: false, trouble: '' }
  const trouble = `${fetched.missing === 1 ? '1 product picture' : `${fetched.missing} product pictures`} couldn’t be downloaded.`
  await noteTrouble(world.sql, trouble)
  return { isAway: false, trouble }
}

const noteTrouble = async (sql: Sql, trouble: string): Promise<void> => {
  await sql`
    insert into store_visit (source, tried_at, trouble) values ('shopify', now(), ${trouble})
    on conflict (source) do update set tried_at = now(), trouble = excluded.trouble`
}

/** Puts the store's products in place of those it had, in the caller's transaction. Answers pictures that are let go of. */
async function takeOver(sql: Sql, offer: readonly StoreProduct[]): Promise<string[]> {
  // First, so that of two visits at once one waits for the other here.
  await sql`
    insert into store_visit (source, tried_at, refreshed_at) values ('shopify', now(), now())
    on conflict (source) do update set tried_at = now(), refreshed_at = now(), trouble = ''`
  const ids = offer.map((product) => product.outside_id)
  const gone = await sql<{ picture: string | null }[]>`
    delete from merchandise where source = 'shopify' and outside_id <> all(${ids})
    returning encode(picture_sha256, 'hex') as picture`
  await sql`
    insert into merchandise (source, outside_id, title, url, price_minor, currency, position)
    select 'shopify', id, title, url, price, currency, n
    from unnest(${ids}::text[], ${offer.map((product) => product.title)}::text[], ${offer.map((product) => product.url)}::text[],
      ${offer.map((product) => product.price_minor)}::int[], ${offer.map((product) => product.currency)}::text[])
      with ordinality offered (id, title, url, price, currency, n)
    on conflict (outside_id) do update set title = excluded.title, url = excluded.url, price_minor = excluded.price_minor,
      currency = excluded.currency, position = excluded.position`
  const bare = offer.filter((product) => !product.picture).map((product) => product.outside_id)
  const bared = await sql<{ picture: string | null }[]>`
    with bare as (
      select product_id, picture_sha256 from merchandise where outside_id = any(${bare}) and picture_from is not null)
    update merchandise m set picture_sha256 = null, picture_from = null from bare where m.product_id = bare.product_id
    returning encode(bare.picture_sha256, 'hex') as picture`
  return [...gone, ...bared].flatMap(({ picture }) => picture ?? [])
}

/** Fetches pictures that are not here yet, each once: a visitor’s browser asks nobody but us for them. */
async function fetchPictures(world: World, store: StoreConfig, offer: readonly StoreProduct[]) {
  const kept = await world.sql<{ outside_id: string; picture_from: string | null }[]>`
    select outside_id, picture_from from merchandise where source = 'shopify'`
  const from = new Map(kept.map((row) => [row.outside_id, row.picture_from]))
  const ends = Date.now() + PICTURES_WITHIN_MS
  const left: string[] = []
  let missing = 0
  for (const { outside_id, picture } of offer) {
    if (!picture || from.get(outside_id) === picture.href) continue
    try {
      const sha256 = await fetchPicture(world, store, picture, ends - Date.now())
      left.push(...(await showPicture(world.sql, { outside_id, sha256, from: picture.href })))
    } catch (error) {
      missing += 1
      world.log.warn({ err: error, picture: picture.href }, 'Could not download a product picture')
    }
  }
  return { left, missing }
}

async function fetchPicture(world: World, { isNearby }: StoreConfig, address: URL, left_ms: number): Promise<string> {
  if (left_ms <= 0) throw new StoreTrouble('The sync ran out of time.')
  const { status, bytes } = await fetchOutside(address, {
    within_ms: Math.min(PICTURE_WITHIN_MS, left_ms),
    mostBytes: LARGEST_PICTURE_BYTES,
    isNearby,
  })
  if (status !== 200) throw new StoreTrouble(`Shopify responded with ${status}.`)
  return keepPicture(world, bytes)
}

/** Answers the picture that is let go of: the one before, or this one where the product is gone meanwhile. */
async function showPicture(
  sql: Sql,
  { outside_id, sha256, from }: { outside_id: string; sha256: string; from: string },
): Promise<string[]> {
  const [shown] = await sql<{ before: string | null }[]>`
    with old as (select product_id, picture_sha256 from merchandise where outside_id = ${outside_id} for update)
    update merchandise m set picture_sha256 = decode(${sha256}, 'hex'), picture_from = ${from}
    from old where m.product_id = old.product_id returning encode(old.picture_sha256, 'hex') as before`
  if (!shown) return [sha256]
  return shown.before && shown.before !== sha256 ? [shown.before] : []
}

async function forgetStore(world: World): Promise<void> {
  const gone = await world.sql<{ picture: string | null }[]>`
    delete from merchandise where source = 'shopify' returning encode(picture_sha256, 'hex') as picture`
  await world.sql`delete from store_visit where source = 'shopify'`
  await dropProductPictures(
    world,
    gone.map((row) => row.picture),
  )
}
