import { merchandise, site } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { listProducts } from './merchandise.ts'

let pool: TestPool
let staff: { customer_id: number; token: string }
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
})
afterAll(() => pool.close())
beforeEach(() => pool.ctx.sql`delete from merchandise`)

const save = async (input: object = {}) => {
  const rawInput = { title: 'Bag', url: 'https://store.example/bag', ...input }
  return (await pool.ask(merchandise.saveProduct, rawInput, staff.token)).product
}
const list = async () => (await pool.ask(merchandise.getProducts, {}, staff.token)).products
const listOnSale = () => listProducts(pool.ctx.sql, undefined)
const order = (product_ids: number[]) => pool.ask(merchandise.orderProducts, { product_ids }, staff.token)
const remove = (product_id: number) => pool.ask(merchandise.removeProduct, { product_id }, staff.token)

async function sendPicture(product_id: number | undefined, bytes: Buffer | Buffer[] | undefined, token = staff.token) {
  const form = new FormData()
  if (product_id !== undefined) form.append('product_id', String(product_id))
  for (const one of [bytes ?? []].flat()) form.append('picture', new Blob([new Uint8Array(one)]), 'x.png')
  const response = await pool.app.inject({
    method: 'POST',
    url: `/api/${merchandise.uploadProductPicture.path}`,
    payload: form as never,
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: `10.9.0.${Math.floor(Math.random() * 250)}`,
  })
  return {
    status: response.statusCode,
    ...response.json<{ code?: string; message?: string; data: { product: merchandise.StaffProduct } }>(),
  }
}
const aPicture = (width: number, height: number, background = '#c33') =>
  sharp({ create: { width, height, channels: 3, background } })
    .withExif({ IFD0: { Artist: 'Someone' } })
    .png()
    .toBuffer()
const extractHash = ({ image }: { image: string }) => /^\/images\/([0-9a-f]{64})\//.exec(image)?.[1] ?? ''

test('staff manage their own products: a new one is last, a changed one keeps its position', async () => {
  const bag = await save({ price_minor: 6900, currency: 'EUR' })
  const cap = await save({ title: 'Cap', is_published: false })
  await save({ title: 'Gift' })
  expect((await list()).map(({ title, source }) => [title, source])).toEqual([
    ...[
      ['Bag', 'staff'],
      ['Cap', 'staff'],
      ['Gift', 'staff'],
    ],
  ])
  expect((await listOnSale()).map(({ title, price }) => [title, price])).toEqual([
    ['Bag', '69.00 EUR'],
    ['Gift', ''],
  ])
  await save({ product_id: cap.product_id, title: 'Cap, red', price_minor: 2200, currency: 'JPY', is_published: true })
  expect((await listOnSale()).map(({ title, price }) => [title, price])).toEqual([
    ...[
      ['Bag', '69.00 EUR'],
      ['Cap, red', '2200 JPY'],
      ['Gift', ''],
    ],
  ])
  expect(await save({ product_id: bag.product_id })).toMatchObject({ price_minor: null, currency: null })
  expect(await errorOf(save({ product_id: 999_999 }))).toMatchObject({ code: 'unknown_product', status: 404 })
  expect((await pool.ask(merchandise.getProducts, {}, staff.token)).store).toBeNull()
})

test('staff set the order; products not listed come last, and unknown ids are rejected', async () => {
  const ids: number[] = []
  for (const title of ['a', 'b', 'c', 'd']) ids.push((await save({ title })).product_id)
  const [a, b, c, d] = ids as [number, number, number, number]
  await order([d, b, d])
  expect((await list()).map(({ title }) => title).join('')).toBe('dbac')
  expect(await errorOf(order([a, 999_999]))).toMatchObject({ code: 'unknown_product' })
  await order([c, b, a, d])
  expect((await listOnSale()).map(({ title }) => title).join('')).toBe('cbad')
})

test('a product links to the web or to a path of the site, nothing else', async () => {
  for (const url of ['javascript:alert(1)', '//evil.example', '/\\evil.example', 'ftp://x', 'store.example'])
    expect(await errorOf(save({ url })), url).toMatchObject({ code: 'invalid_request' })
  expect(await errorOf(save({ price_minor: 100 }))).toMatchObject({ message: 'Enter a currency for the price.' })
})

test('a product without a picture has a generated one, also before it is on sale', async () => {
  const { image } = await save({ is_published: false })
  expect(await pool.app.inject(image)).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/webp' } })
})

test('re-encodes a picture, at most 800 pixels wide and high, and serves it from the site', async () => {
  const { product_id } = await save()
  const { status, data } = await sendPicture(product_id, await aPicture(1000, 2000))
  expect(status).toBe(200)
  expect((await pool.app.inject(data.product.image)).headers['content-type']).toBe('image/webp')
  const kept = await pool.ctx.storage.readAll('images', extractHash(data.product))
  const { width, height, format, exif } = await sharp(kept).metadata()
  expect({ width, height, format, exif }).toEqual({ width: 400, height: 800, format: 'webp', exif: undefined })
  expect((await listOnSale())[0]?.image.src).toBe(data.product.image)
  const small = await sendPicture(product_id, await aPicture(30, 20))
  expect(
    await sharp(await pool.ctx.storage.readAll('images', extractHash(small.data.product))).metadata(),
  ).toMatchObject({
    ...{ width: 30, height: 20 },
  })
})

test('deletes the previous picture, and that of a deleted product, from storage', async () => {
  const { product_id } = await save()
  const isStored = (sha256: string) => pool.ctx.storage.has('images', sha256)
  const first = extractHash((await sendPicture(product_id, await aPicture(40, 40))).data.product)
  const second = extractHash((await sendPicture(product_id, await aPicture(40, 40, '#3c3'))).data.product)
  expect([await isStored(first), await isStored(second)]).toEqual([false, true])
  const same = extractHash((await sendPicture(product_id, await aPicture(40, 40, '#3c3'))).data.product)
  expect([same, await isStored(second)]).toEqual([second, true])
  await remove(product_id)
  expect(await isStored(second)).toBe(false)
  expect(await errorOf(remove(product_id))).toMatchObject({ code: 'unknown_product' })
})

test('rejects a file that is not a picture, and changes nothing', async () => {
  const { product_id, image } = await save()
  const picture = await aPicture(10, 10)
  const code = async (...sent: Parameters<typeof sendPicture>) => {
    const { status, code } = await sendPicture(...sent)
    return [status, code]
  }
  expect(await code(product_id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([
    422,
    'invalid_image',
  ])
  expect(await code(product_id, picture.subarray(0, 40))).toEqual([422, 'invalid_image'])
  expect(await code(product_id, undefined)).toEqual([422, 'file_required'])
  expect(await code(product_id, Buffer.alloc(10 * 1024 * 1024 + 1))).toEqual([413, 'too_large'])
  expect(await code(undefined, picture)).toEqual([400, 'invalid_request'])
  expect((await sendPicture(product_id, [picture, picture])).message).toBe('Upload one picture.')
  expect(await code(999_999, picture)).toEqual([404, 'unknown_product'])
  expect((await list())[0]?.image).toBe(image)
  const { token } = await aMember(pool.ctx)
  expect(await code(product_id, picture, token)).toEqual([404, 'unknown_endpoint'])
})

test('a refresh without a store is an error', async () => {
  const refreshing = pool.ask(merchandise.refreshStore, {}, staff.token)
  expect(await errorOf(refreshing)).toMatchObject({ code: 'store_not_configured', status: 422 })
})

test('every change is in the audit log', async () => {
  const { sql } = pool.ctx
  await sql`delete from audit`
  const { product_id } = await save()
  await save({ product_id, title: 'Bag, black' })
  await sendPicture(product_id, await aPicture(10, 10))
  await order([product_id])
  await remove(product_id)
  await remove(product_id).catch(() => {})
  const auditEntries = await sql`select action, subject, staff_id from audit order by audit_id`
  expect(auditEntries.map(({ action, subject }) => `${action}: ${subject}`)).toEqual([
    `product created: product ${product_id}`,
    `product updated: product ${product_id}`,
    `product picture updated: product ${product_id}`,
    'products reordered: merchandise',
    `product deleted: product ${product_id}`,
  ])
  expect(auditEntries.every(({ staff_id }) => staff_id === staff.customer_id)).toBe(true)
})

test('the page gets the same list from the endpoint', async () => {
  await save()
  expect((await pool.ask(site.getProducts, {})).products).toMatchObject([{ title: 'Bag', price: '' }])
})
