import { merchandise, site } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aShopifyProduct, startShopify, type TestStore } from '../../test/shopify.ts'
import { makeApp } from '../app.ts'
import { listProducts } from './merchandise.ts'
import { refreshStore } from './store-refresh.ts'

let store: TestStore
let pool: TestPool
let staff: string
beforeAll(async () => {
  store = await startShopify()
  pool = await openTestPool({ config: { store: store.config }, usesUniqueAddresses: true })
  staff = (await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })).token
})
afterAll(async () => {
  await pool.close()
  await store.close()
})
beforeEach(async () => {
  store.overrideReply = undefined
  store.products = []
  store.pictures.clear()
  await pool.ctx.sql`delete from merchandise`
  await pool.ctx.sql`delete from store_sync`
  store.fetched.splice(0)
})

const refresh = () => refreshStore(pool.ctx)
const products = () => listProducts(pool.ctx.sql, pool.ctx.config.store)
const readStoreState = async () => (await pool.ask(merchandise.getProducts, {}, staff)).store
const aPicture = (width: number, height: number, colour = '#c33') =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .withExif({ IFD0: { Artist: 'Someone', Copyright: 'somewhere' } })
    .jpeg()
    .toBuffer()

test('lists the store’s products in its order, before staff’s own, with their prices', async () => {
  await pool.ctx.sql`
    insert into merchandise (title, url, price_minor, currency, position) values ('Our own', 'https://own.example/', 100, 'EUR', 1)`
  store.products = [
    aShopifyProduct({ title: ' Slip  mats ', price: ['24.0', 'EUR'] }),
    aShopifyProduct({ title: 'Cap', price: ['2400.0', 'JPY'], onlineStoreUrl: null, handle: 'cap & co' }),
    aShopifyProduct({ title: 'Bag', price: ['6.5', 'KWD'] }),
    aShopifyProduct({ title: 'Too fine', price: ['1.005', 'EUR'] }),
    aShopifyProduct({ title: 'Sold out', availableForSale: false }),
  ]
  await refresh()
  const shownProducts = await products()
  expect(shownProducts.map(({ title, price }) => [title, price])).toEqual([
    ['Slip mats', '24.00 EUR'],
    ['Cap', '2400 JPY'],
    ['Bag', '6.500 KWD'],
    ['Too fine', ''],
    ['Our own', '1.00 EUR'],
  ])
  expect(shownProducts[0]?.url).toBe(store.products[0]?.onlineStoreUrl)
  expect(shownProducts[1]?.url).toBe(store.address('/products/cap%20%26%20co'))
  expect(await readStoreState()).toMatchObject({ last_error: '', refreshed_at: expect.any(String) })
})

test('a second refresh updates changed products, keeps their ids, and removes missing ones', async () => {
  const [kept, deletedProduct] = [aShopifyProduct({ title: 'Kept' }), aShopifyProduct()]
  store.products = [kept, deletedProduct]
  await refresh()
  const [before] = await products()
  store.products = [aShopifyProduct({ title: 'New' }), { ...kept, title: 'Kept, in red' }]
  await refresh()
  expect((await products()).map(({ title }) => title)).toEqual(['New', 'Kept, in red'])
  expect((await products())[1]?.id).toBe(before?.id)
})

test('downloads pictures once, resizes them, removes their metadata and serves them from the site', async () => {
  store.pictures.set('/cdn/bag.jpg', await aPicture(1600, 1200))
  store.products = [aShopifyProduct({ featuredImage: { url: store.address('/cdn/bag.jpg') } })]
  await refresh()
  await refresh()
  expect(store.fetched).toEqual(['/cdn/bag.jpg'])
  const [product] = await products()
  expect(product?.image.src).toMatch(/^\/images\/[0-9a-f]{64}\/320\.webp$/)
  expect((await pool.app.inject(product?.image.src ?? '')).headers['content-type']).toBe('image/webp')
  const kept = await pool.ctx.storage.readAll('images', product?.image.src.split('/')[2] ?? '')
  const { width, height, format, exif } = await sharp(kept).metadata()
  expect({ width, height, format, exif }).toEqual({ width: 800, height: 600, format: 'webp', exif: undefined })
})

test('downloads a changed picture again and deletes the previous one', async () => {
  const pictureHash = async () => (await products())[0]?.image.src.split('/')[2] ?? ''
  const product = aShopifyProduct()
  const at = (path: string) => ({ ...product, featuredImage: { url: store.address(path) } })
  store.pictures.set('/cdn/a.jpg', await aPicture(20, 20))
  store.pictures.set('/cdn/b.jpg', await aPicture(20, 20, '#3c3'))
  store.products = [at('/cdn/a.jpg')]
  await refresh()
  const first = await pictureHash()
  store.products = [at('/cdn/b.jpg')]
  await refresh()
  const second = await pictureHash()
  expect(second).not.toBe(first)
  expect(await pool.ctx.storage.has('images', first)).toBe(false)
  store.products = [product]
  await refresh()
  expect(await pool.ctx.storage.has('images', second)).toBe(false)
  expect((await products())[0]?.image.src).toMatch(/^\/images\/product-/)
})

test('keeps a picture shared by two products until neither uses it', async () => {
  store.pictures.set('/cdn/a.jpg', await aPicture(20, 20, '#00f'))
  const both = [1, 2].map(() => aShopifyProduct({ featuredImage: { url: store.address('/cdn/a.jpg') } }))
  store.products = both
  await refresh()
  const pictureHash = (await products())[0]?.image.src.split('/')[2] ?? ''
  store.products = both.slice(1)
  await refresh()
  expect(await pool.ctx.storage.has('images', pictureHash)).toBe(true)
  store.products = []
  await refresh()
  expect(await pool.ctx.storage.has('images', pictureHash)).toBe(false)
})

test('a picture that is invalid, missing, too large or on another host leaves the product with a generated one', async () => {
  store.pictures.set('/cdn/svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  store.pictures.set('/cdn/large', Buffer.alloc(11 * 1024 * 1024))
  store.pictures.set('/cdn/fine.jpg', await aPicture(20, 20))
  const urls = [
    ...[store.address('/cdn/svg'), store.address('/cdn/gone'), store.address('/cdn/large')],
    ...['https://pictures.example/a.jpg', 'file:///etc/passwd', 'not an address'],
    store.address('/cdn/fine.jpg'),
  ]
  store.products = urls.map((url) => aShopifyProduct({ featuredImage: { url } }))
  await refresh()
  const shownProducts = await products()
  expect(shownProducts).toHaveLength(7)
  expect(shownProducts.filter(({ image }) => !image.src.startsWith('/images/product-'))).toHaveLength(1)
  expect(await readStoreState()).toMatchObject({ last_error: '3 product pictures couldn’t be downloaded.' })
  expect(store.fetched).toHaveLength(4)
})

test.each<[string, TestStore['overrideReply'], string]>([
  ['refuses the token', (_, to) => to.writeHead(401).end(), 'Shopify rejected SHOPIFY_TOKEN (401).'],
  ['does not know the URL', (_, to) => to.writeHead(404).end(), 'No Storefront API found at SHOPIFY_STORE (404).'],
  ['is broken', (_, to) => to.writeHead(502).end(), 'Shopify responded with an error (502).'],
  [
    'sends on',
    (_, to) => to.writeHead(301, { location: 'https://x.example/' }).end(),
    'Set SHOPIFY_STORE to that domain.',
  ],
  ['says no JSON', (_, to) => to.end('<html>'), 'Shopify returned invalid JSON.'],
  ['says null', (_, to) => to.end('null'), 'Shopify returned an unexpected product list.'],
  ['returns other data', (_, to) => to.end('{"data":{"products":{}}}'), 'Shopify returned an unexpected product list.'],
  [
    'says why not',
    (_, to) => to.end('{"errors":[{"message":"Access denied\\nfor products"}]}'),
    'Access denied for products',
  ],
  ['returns too much', (_, to) => to.end(Buffer.alloc(3 * 1024 * 1024)), 'Shopify returned more than 2 MB.'],
  ['hangs up', (from) => from.socket.destroy(), 'Shopify could not be reached (ECONNRESET).'],
])('a store that %s leaves the list unchanged and reports the problem', async (_, failure, problem) => {
  store.products = [aShopifyProduct({ title: 'Still here' })]
  await refresh()
  const before = await readStoreState()
  store.overrideReply = failure
  await refresh()
  expect((await products()).map(({ title }) => title)).toEqual(['Still here'])
  const after = await readStoreState()
  expect(after?.last_error).toContain(problem)
  expect(after?.refreshed_at).toBe(before?.refreshed_at)
  expect(Date.parse(after?.attempted_at ?? '')).toBeGreaterThan(Date.parse(before?.attempted_at ?? ''))
  expect(await errorOf(pool.ask(merchandise.refreshStore, {}, staff))).toMatchObject({
    code: 'store_unavailable',
    status: 503,
  })
})

test('a store that hangs does not delay a page', async () => {
  await pool.ctx.sql`insert into merchandise (title, url) values ('Ours', 'https://own.example/')`
  store.overrideReply = () => {}
  let away = true
  const refreshing = refresh().finally(() => {
    away = false
  })
  await expect.poll(() => store.visits).toBeGreaterThan(0)
  // A separate app, which has no cached reply.
  const app = await makeApp(pool.ctx)
  const { data } = (await app.inject('/api/common/shopify-products.json')).json()
  expect(data.products).toMatchObject([{ title: 'Ours' }])
  expect(away).toBe(true)
  await app.close()
  await store.close()
  await refreshing
  store = await restartStore()
})

/** The same store, restarted at another address. */
async function restartStore(): Promise<TestStore> {
  const again = await startShopify()
  pool.ctx.config.store = again.config
  return again
}

test('staff can request a refresh', async () => {
  store.products = [aShopifyProduct({ title: 'Fresh' })]
  await pool.ask(merchandise.refreshStore, {}, staff)
  expect((await products()).map(({ title }) => title)).toEqual(['Fresh'])
})

test('two refreshes at once leave one list', async () => {
  store.products = Array.from({ length: 50 }, () => aShopifyProduct())
  await Promise.all([refresh(), refresh(), refresh()])
  expect((await products()).map(({ title }) => title)).toEqual(store.products.map(({ title }) => title))
})

test('the store’s products cannot be changed here', async () => {
  store.products = [aShopifyProduct()]
  await refresh()
  const [product] = (await pool.ask(merchandise.getProducts, {}, staff)).products
  expect(product?.source).toBe('shopify')
  const product_id = product?.product_id ?? 0
  const change = pool.ask(merchandise.saveProduct, { product_id, title: 'Ours', url: '/x' }, staff)
  expect(await errorOf(change)).toMatchObject({ code: 'foreign_resource', status: 409 })
  expect(await errorOf(pool.ask(merchandise.removeProduct, { product_id }, staff))).toMatchObject({
    code: 'foreign_resource',
  })
})

test('links to the store’s URL unless STORE_URL overrides it', async () => {
  expect((await pool.ask(site.getProducts, {})).store_url).toBe(`${store.config.origin}/`)
})

test('without a store its products disappear from the page at once and from the database with the next refresh', async () => {
  store.products = [aShopifyProduct()]
  await refresh()
  const ctx = { ...pool.ctx, config: { ...pool.ctx.config, store: undefined } }
  const app = await makeApp(ctx)
  const { data } = (await app.inject('/api/common/shopify-products.json')).json()
  expect(data).toEqual({ products: [], store_url: '' })
  await app.close()
  await refreshStore(ctx)
  expect(await pool.ctx.sql`select 1 from merchandise`).toHaveLength(0)
})
