import { parsePrice } from '@dubplate/contract'
import * as z from 'zod/mini'
import type { StoreConfig } from '../platform/store-config.ts'
import { ExternalFetchError, fetchExternal } from './external-fetch.ts'

/** A product of a Shopify store. */

export type StoreProduct = {
  external_id: string
  title: string
  url: string
  price_minor: number | null
  currency: string | null
  /** URL of its picture; undefined if it has none that may be fetched. */
  picture: URL | undefined
}

/** The store's products could not be read; the message says why, as a sentence for staff. */
export class StoreError extends Error {}

const MAX_PRODUCTS = 50
const STORE_TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024
/** Twice the displayed size. */
const PICTURE_PIXELS = 800

/** Storefront API (https://shopify.dev/docs/api/storefront), best-selling products first. */
const QUERY = `query Offer {
  shop { primaryDomain { host } }
  products(first: ${MAX_PRODUCTS}, sortKey: BEST_SELLING, query: "available_for_sale:true") {
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

const responseSchema = z.object({
  shop: z.object({ primaryDomain: z.object({ host: z.string() }) }),
  products: z.object({ nodes: z.array(product).check(z.maxLength(MAX_PRODUCTS)) }),
})
const errors = z.object({ errors: z.array(z.object({ message: z.string() })).check(z.minLength(1)) })

/** Returns what the store sells now, in its order. Throws StoreError. */
export async function fetchProducts(store: StoreConfig): Promise<StoreProduct[]> {
  const { shop, products } = parseResponse(await queryStore(store))
  const hosts = ['cdn.shopify.com', new URL(store.origin).host, shop.primaryDomain.host]
  const seen = new Set<string>()
  return products.nodes.flatMap((one) => {
    const title = one.title.replace(/\s+/g, ' ').trim().slice(0, 120)
    if (!one.availableForSale || title === '' || seen.has(one.id)) return []
    seen.add(one.id)
    return [
      {
        external_id: one.id,
        title,
        url: productUrl(store, one),
        ...readPrice(one.priceRange.minVariantPrice),
        picture: parsePictureUrl(store, one.featuredImage?.url, hosts),
      },
    ]
  })
}

async function queryStore({ origin, token, version, allowsPrivate }: StoreConfig): Promise<unknown> {
  const { status, bytes } = await fetchExternal(new URL(`${origin}/api/${version}/graphql.json`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-storefront-access-token': token,
    },
    body: JSON.stringify({ query: QUERY }),
    within_ms: STORE_TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    allowsPrivate,
  }).catch((error) => {
    throw error instanceof ExternalFetchError ? new StoreError(`Shopify ${error.message}.`) : error
  })
  if (status !== 200) throw new StoreError(describeStatus(status))
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new StoreError('Shopify returned invalid JSON.')
  }
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403) return `Shopify rejected SHOPIFY_TOKEN (${status}).`
  if (status === 404) return 'No Storefront API found at SHOPIFY_STORE (404).'
  if (status === 402 || status === 423) return `The Shopify store is closed (${status}).`
  if (status === 429 || status === 430) return `Shopify rate limit reached (${status}).`
  if (status >= 300 && status < 400) {
    return `Shopify redirects to another domain (${status}). Set SHOPIFY_STORE to that domain.`
  }
  return `Shopify responded with an error (${status}).`
}

function parseResponse(payload: unknown): z.output<typeof responseSchema> {
  const failed = errors.safeParse(payload)
  if (failed.success) {
    throw new StoreError(
      `Shopify returned an error: ${failed.data.errors[0]?.message.replace(/\s+/g, ' ').slice(0, 300)}`,
    )
  }
  const parsed = responseSchema.safeParse((payload as { data?: unknown } | null)?.data)
  if (!parsed.success) throw new StoreError('Shopify returned an unexpected product list.')
  return parsed.data
}

const MAX_URL_LENGTH = 2000

/** Returns its page in the store, also if the store has no URL for it because it is not in the online store channel. */
function productUrl({ origin }: StoreConfig, { onlineStoreUrl, handle }: z.output<typeof product>): string {
  const named = onlineStoreUrl !== null && URL.canParse(onlineStoreUrl) ? new URL(onlineStoreUrl) : undefined
  if (named?.protocol === 'https:' && named.href.length <= MAX_URL_LENGTH) return named.href
  return `${origin}/products/${encodeURIComponent(handle)}`
}

/** Returns no price instead of an approximate one. */
function readPrice({ amount, currencyCode }: { amount: string; currencyCode: string }) {
  const price_minor = /^[A-Z]{3}$/.test(currencyCode) ? parsePrice(amount, currencyCode) : undefined
  return price_minor === undefined ? { price_minor: null, currency: null } : { price_minor, currency: currencyCode }
}

/** Only pictures of the store or of Shopify's own hosts are fetched. */
function parsePictureUrl(
  { allowsPrivate }: StoreConfig,
  address: string | undefined,
  hosts: string[],
): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowsPrivate) return undefined
  return hosts.includes(url.host) ? url : undefined
}
