import { priceOf } from '@dubplate/contract'
import * as z from 'zod/mini'
import type { StoreConfig } from '../platform/store-config.ts'
import { fetchOutside, OutsideTrouble } from './outside.ts'

/** What a store at Shopify has on offer. */

export type StoreProduct = {
  outside_id: string
  title: string
  url: string
  price_minor: number | null
  currency: string | null
  /** Where its picture lies; undefined where it has none that may be fetched. */
  picture: URL | undefined
}

/** The store did not say what it has; the message says why, in a sentence for staff. */
export class StoreTrouble extends Error {}

const PRODUCTS = 50
export const STORE_WITHIN_MS = 10_000
const MOST_BYTES = 2 * 1024 * 1024
/** As large as a picture is shown, twice. */
const PICTURE_PIXELS = 800

/** Of the Storefront API (https://shopify.dev/docs/api/storefront), the best-selling first. */
const QUERY = `query Offer {
  shop { primaryDomain { host } }
  products(first: ${PRODUCTS}, sortKey: BEST_SELLING, query: "available_for_sale:true") {
    nodes {
      id title handle availableForSale onlineStoreUrl
      featuredImage { url(transform: { maxWidth: ${PICTURE_PIXELS}, maxHeight: ${PICTURE_PIXELS} }) }
      priceRange { minVariantPrice { amount currencyCode } }
    }
  }
}`

const product = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  title: z.string(),
  handle: z.string(),
  availableForSale: z.boolean(),
  onlineStoreUrl: z.nullable(z.string()),
  featuredImage: z.nullable(z.object({ url: z.string() })),
  priceRange: z.object({ minVariantPrice: z.object({ amount: z.string(), currencyCode: z.string() }) }),
})

const answer = z.object({
  shop: z.object({ primaryDomain: z.object({ host: z.string() }) }),
  products: z.object({ nodes: z.array(product).check(z.maxLength(PRODUCTS)) }),
})
const errors = z.object({ errors: z.array(z.object({ message: z.string() })).check(z.minLength(1)) })

/** What the store sells now, in its order. Throws StoreTrouble. */
export async function readOffer(store: StoreConfig): Promise<StoreProduct[]> {
  const { shop, products } = parseAnswer(await askStore(store))
  const hosts = ['cdn.shopify.com', new URL(store.origin).host, shop.primaryDomain.host]
  const seen = new Set<string>()
  return products.nodes.flatMap((one) => {
    const title = one.title.replace(/\s+/g, ' ').trim().slice(0, 120)
    if (!one.availableForSale || title === '' || seen.has(one.id)) return []
    seen.add(one.id)
    return [
      {
        outside_id: one.id,
        title,
        url: pageOf(store, one),
        ...priced(one.priceRange.minVariantPrice),
        picture: pictureOf(store, one.featuredImage?.url, hosts),
      },
    ]
  })
}

async function askStore({ origin, token, version, isNearby }: StoreConfig): Promise<unknown> {
  const { status, bytes } = await fetchOutside(new URL(`${origin}/api/${version}/graphql.json`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-storefront-access-token': token,
    },
    body: JSON.stringify({ query: QUERY }),
    within_ms: STORE_WITHIN_MS,
    mostBytes: MOST_BYTES,
    isNearby,
  }).catch((error) => {
    throw error instanceof OutsideTrouble ? new StoreTrouble(`Shopify ${error.message}.`) : error
  })
  if (status !== 200) throw new StoreTrouble(refusalInWords(status))
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new StoreTrouble('Shopify returned invalid JSON.')
  }
}

function refusalInWords(status: number): string {
  if (status === 401 || status === 403) return `Shopify rejected SHOPIFY_TOKEN (${status}).`
  if (status === 404) return 'No Storefront API found at SHOPIFY_STORE (404).'
  if (status === 402 || status === 423) return `The Shopify store is closed (${status}).`
  if (status === 429 || status === 430) return `Shopify rate limit reached (${status}).`
  if (status >= 300 && status < 400) {
    return `Shopify redirects to another domain (${status}). Set SHOPIFY_STORE to that domain.`
  }
  return `Shopify responded with an error (${status}).`
}

function parseAnswer(given: unknown): z.output<typeof answer> {
  const failed = errors.safeParse(given)
  if (failed.success) {
    throw new StoreTrouble(
      `Shopify returned an error: ${failed.data.errors[0]?.message.replace(/\s+/g, ' ').slice(0, 300)}`,
    )
  }
  const read = answer.safeParse((given as { data?: unknown } | null)?.data)
  if (!read.success) throw new StoreTrouble('Shopify returned an unexpected product list.')
  return read.data
}

const LONGEST_ADDRESS = 2000

/** Its page in the store, also where the store names none because it is not sold in the shop's own window. */
function pageOf({ origin }: StoreConfig, { onlineStoreUrl, handle }: z.output<typeof product>): string {
  const named = onlineStoreUrl !== null && URL.canParse(onlineStoreUrl) ? new URL(onlineStoreUrl) : undefined
  if (named?.protocol === 'https:' && named.href.length <= LONGEST_ADDRESS) return named.href
  return `${origin}/products/${encodeURIComponent(handle)}`
}

/** No price is shown rather than one that is nearly right. */
function priced({ amount, currencyCode }: { amount: string; currencyCode: string }) {
  const price_minor = /^[A-Z]{3}$/.test(currencyCode) ? priceOf(amount, currencyCode) : undefined
  return price_minor === undefined ? { price_minor: null, currency: null } : { price_minor, currency: currencyCode }
}

/** Only what lies at the store or at Shopify's own is fetched. */
function pictureOf({ isNearby }: StoreConfig, address: string | undefined, hosts: string[]): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'https:' && !isNearby) return undefined
  return hosts.includes(url.host) ? url : undefined
}
