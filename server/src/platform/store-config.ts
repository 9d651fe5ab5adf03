import * as z from 'zod/mini'

/** A Shopify store, whose products are shown as the pool's merchandise. */
export type StoreConfig = {
  /** Its URL, for requests and for links: `https://shop.myshopify.com`. */
  origin: string
  /** The public access token of its Storefront API. */
  token: string
  version: string
  /** Allows a host in a private network, by plain HTTP: for tests, never set by the environment. */
  allowsPrivate: boolean
}

/** An invalid store setting; the message names it. */
export class StoreConfigError extends Error {}

/**
 * Version of the Storefront API (https://shopify.dev/docs/api/usage/versioning). Shopify serves requests for a removed
 * version with the oldest available one.
 */
const API_VERSION = '2026-07'

/** Environment settings for the store. */
export const storeEnvironment = {
  SHOPIFY_STORE: z.optional(z.string()),
  SHOPIFY_TOKEN: z.optional(z.string()),
  SHOPIFY_VERSION: z._default(z.string().check(z.regex(/^(20\d\d-(01|04|07|10)|unstable)$/)), API_VERSION),
}

export const STORE_EXPECTED_VALUES = {
  SHOPIFY_VERSION: `a Shopify API version, such as ${API_VERSION}`,
}

type RawSettings = { SHOPIFY_STORE?: string | undefined; SHOPIFY_TOKEN?: string | undefined; SHOPIFY_VERSION: string }

/** An internet host name, with or without `https://`. */
const STORE = /^(?:https:\/\/)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])\/?$/i

/** Private tokens have such a prefix; the public one of the Storefront API consists of letters and digits. */
const PUBLIC_TOKEN = /^(?!shp[a-z]+_)[\w-]{8,200}$/

/** Returns the configured store; undefined if there is none. Throws StoreConfigError. */
export function readStore({ SHOPIFY_STORE, SHOPIFY_TOKEN, SHOPIFY_VERSION }: RawSettings): StoreConfig | undefined {
  if (SHOPIFY_STORE === undefined && SHOPIFY_TOKEN === undefined) return undefined
  if (SHOPIFY_STORE === undefined) {
    throw new StoreConfigError('SHOPIFY_TOKEN also requires SHOPIFY_STORE. Set both or neither.')
  }
  const host = STORE.exec(SHOPIFY_STORE)?.[1]
  if (!host) {
    throw new StoreConfigError(
      `Invalid SHOPIFY_STORE="${SHOPIFY_STORE}": expected the store’s domain, such as shop.myshopify.com.`,
    )
  }
  if (SHOPIFY_TOKEN === undefined) {
    throw new StoreConfigError('SHOPIFY_STORE also requires SHOPIFY_TOKEN. Set both or neither.')
  }
  // The value is not repeated: it may be a secret.
  if (!PUBLIC_TOKEN.test(SHOPIFY_TOKEN)) {
    throw new StoreConfigError(
      'Invalid SHOPIFY_TOKEN: use the public access token of the Storefront API, not an Admin API token.',
    )
  }
  return {
    origin: `https://${host.toLowerCase()}`,
    token: SHOPIFY_TOKEN,
    version: SHOPIFY_VERSION,
    allowsPrivate: false,
  }
}
