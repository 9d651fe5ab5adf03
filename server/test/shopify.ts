import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { StoreConfig } from '../src/platform/store-config.ts'

export type ShopifyProduct = {
  id: string
  title: string
  handle: string
  availableForSale: boolean
  onlineStoreUrl: string | null
  featuredImage: { url: string } | null
  priceRange: { minVariantPrice: { amount: string; currencyCode: string } }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A store with the required part of the Storefront API, and pictures. */
export type TestStore = {
  config: StoreConfig
  /** Its products, in order. */
  products: ShopifyProduct[]
  /** Pictures by path: `/cdn/bag.png`. */
  pictures: Map<string, Buffer>
  /** The paths of the downloaded pictures, in order. */
  fetched: string[]
  /** How often its products were requested. */
  visits: number
  /** Sent instead of its products unless undefined. */
  overrideReply: Answer | undefined
  address(path: string): string
  close(): Promise<void>
}

const TOKEN = '0123456789abcdef0123456789abcdef'

export async function startShopify(): Promise<TestStore> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store: TestStore = {
    config: { origin, token: TOKEN, version: '2026-07', allowsPrivate: true },
    products: [],
    pictures: new Map(),
    fetched: [],
    visits: 0,
    overrideReply: undefined,
    address: (path) => `${origin}${path}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (request.method === 'GET') {
      store.fetched.push(path)
      const picture = store.pictures.get(path)
      return void response.writeHead(picture ? 200 : 404).end(picture)
    }
    store.visits += 1
    if (store.overrideReply) return store.overrideReply(request, response)
    if (path !== '/api/2026-07/graphql.json') return void response.writeHead(404).end()
    if (request.headers['x-shopify-storefront-access-token'] !== TOKEN) return void response.writeHead(401).end()
    const { query } = (await json(request)) as { query: string }
    response.setHeader('content-type', 'application/json')
    if (!/products\(first: 50/.test(query)) return void response.end('{"errors":[{"message":"What?"}]}')
    const data = { shop: { primaryDomain: { host: new URL(origin).host } }, products: { nodes: store.products } }
    response.end(JSON.stringify({ data }))
  }
  return store
}

let made = 0

export function aShopifyProduct(
  overrides: Partial<ShopifyProduct> & { price?: [string, string] } = {},
): ShopifyProduct {
  const { price = ['24.0', 'EUR'], ...options } = overrides
  const n = ++made
  return {
    id: `gid://shopify/Product/${n}`,
    title: `Product ${n}`,
    handle: `product-${n}`,
    availableForSale: true,
    onlineStoreUrl: `https://shop.example/products/product-${n}`,
    featuredImage: null,
    priceRange: { minVariantPrice: { amount: price[0], currencyCode: price[1] } },
    ...options,
  }
}
