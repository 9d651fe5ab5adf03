import * as z from 'zod/mini'

/** A store at Shopify, whose products are shown as the pool's merchandise. */
export type StoreConfig = {
  /** Where it is asked, and sells: `https://shop.myshopify.com`. */
  origin: string
  /** The public access token of its Storefront API. */
  token: string
  version: string
  /** Whether it may be a machine of one's own, by plain HTTP: for trying things out, never set by the environment. */
  allowsPrivate: boolean
}

/** A setting about the store is wrong; the message names it. */
export class StoreConfigError extends Error {}

/** Of the Storefront API (https://shopify.dev/docs/api/usage/versioning). One that is no longer there is answered by the oldest that is. */
const API_VERSION = '2026-07'

/** Settings of the environment about the store. */
export const storeEnvironment = {
  SHOPIFY_STORE: z.optional(z.string()),
  SHOPIFY_TOKEN: z.optional(z.string()),
  SHOPIFY_VERSION: z._default(z.string().check(z.regex(/^(20\d\d-(01|04|07|10)|unstable)$/)), API_VERSION),
}

export const STORE_EXPECTED_VALUES = {
  SHOPIFY_VERSION: `a Shopify API version, such as ${API_VERSION}`,
}

type RawSettings = { SHOPIFY_STORE?: string | undefined; SHOPIFY_TOKEN?: string | undefined; SHOPIFY_VERSION: string }

/** The name of a host on the internet, with or without `https://` before it. */
const STORE = /^(?:https:\/\/)?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9])\/?$/i

/** Tokens that let somebody in behind the counter begin so; the public one of the Storefront API is bare letters and digits. */
const PUBLIC_TOKEN = /^(?!shp[a-z]+_)[\w-]{8,200}$/

/** The store that the environment names; undefined where it names none. Throws StoreConfigError. */
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
  // What was given is not repeated: it may be a secret that belongs elsewhere.
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
