import { site } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  await pool.ctx.sql`
    insert into announcement (page_name, message, published_at, ended_at) values
      ('mp3_home', 'now', now(), null), ('mp3_home', 'over', now() - interval '2 days', now() - interval '1 day'),
      ('mp3_home', 'to come', now() + interval '1 day', null), ('mp3_chart', 'elsewhere', now(), null)`
})
afterAll(() => pool.close())

const listAnnouncementsOn = async (token?: string) =>
  (await pool.ask(site.getAnnouncements, { page_name: 'mp3_home' }, token)).announcements

test('a page has its own announcements, from their start to their end', async () => {
  expect((await listAnnouncementsOn()).map((one) => one.message)).toEqual(['now'])
})

test('an announcement hidden by one member stays visible to others', async () => {
  const [mine, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const [announcement] = await listAnnouncementsOn(mine.token)
  await pool.ask(site.hideAnnouncement, { message_id: announcement?.message_id ?? 0 }, mine.token)
  expect(await listAnnouncementsOn(mine.token)).toEqual([])
  expect(await listAnnouncementsOn(other.token)).toEqual([announcement])
  expect(await listAnnouncementsOn()).toEqual([announcement])
})

test('an announcement that does not exist cannot be hidden', async () => {
  const hidden = pool.ask(site.hideAnnouncement, { message_id: 999_999 })
  expect(await errorOf(hidden)).toMatchObject({ status: 404, code: 'unknown_announcement' })
})

test('a pool without the demo lists no demo members', async () => {
  expect((await pool.ask(site.getPool, {})).demo_members).toEqual([])
})

const news = async (page = 1, token?: string) => pool.ask(site.getNews, { page }, token)
const listMessages = async (token?: string) => (await news(1, token)).announcements.map((one) => one.message)

test('the news lists current announcements of every page, newest first, including hidden ones', async () => {
  const { sql } = pool.ctx
  await sql`
    insert into announcement (page_name, message, published_at) values ('mp3_latest', 'last week', now() - interval '7 days')`
  expect((await listMessages()).at(-1)).toBe('last week')
  expect((await listMessages()).slice().sort()).toEqual(['elsewhere', 'last week', 'now'])
  const { token } = await aMember(pool.ctx)
  const [announcement] = await listAnnouncementsOn(token)
  await pool.ask(site.hideAnnouncement, { message_id: announcement?.message_id ?? 0 }, token)
  expect(await listAnnouncementsOn(token)).toEqual([])
  expect(await listMessages(token)).toContain('now')
})

test('the news is in pages of 24, each item with its page and date', async () => {
  await pool.ctx.sql`
    insert into announcement (page_name, message, published_at)
    select 'mp3_chart', 'old ' || n, timestamptz '2020-01-31T12:00:00Z' - n * interval '1 day' from generate_series(1, 30) n`
  const first = await news()
  const second = await news(2)
  expect(first.announcements).toHaveLength(24)
  expect(second.pagination).toEqual({ page: 2, perPageLimit: 24, totalCount: 33 })
  expect(second.announcements.at(-1)).toMatchObject({
    message: 'old 30',
    page_name: 'mp3_chart',
    published_at: '2020-01-01T12:00:00.000Z',
  })
  expect((await news(3)).announcements).toEqual([])
})

const products = async (from = pool) => from.ask(site.getProducts, {})

test('lists the merchandise on sale in order, with formatted prices', async () => {
  await pool.ctx.sql`
    insert into merchandise (title, image_src, url, price_minor, currency, position, is_published) values
      ('Bag', 'https://cdn.example/bag.webp', 'https://store.example/bag', 2400, 'EUR', 2, true),
      ('Sticker', null, 'https://store.example/sticker', 5, 'USD', 1, true),
      ('Poster', '/images/poster.webp', '/poster', 123456, 'GBP', 3, true),
      ('Gift', null, 'http://store.example/', null, null, 4, true),
      ('Sold out', null, 'https://store.example/gone', 100, 'EUR', 0, false)`
  const reply = await products()
  expect(reply.products.map(({ title, price }) => [title, price])).toEqual([
    ['Sticker', '0.05 USD'],
    ['Bag', '24.00 EUR'],
    ['Poster', '1234.56 GBP'],
    ['Gift', ''],
  ])
  expect(reply.products[1]).toMatchObject({
    image: { src: 'https://cdn.example/bag.webp' },
    url: 'https://store.example/bag',
  })
  expect(reply.store_url).toBe('')
})

test('a product without a picture has a generated one while it is on sale', async () => {
  const [product] = (await products()).products
  const picture = () => pool.app.inject({ method: 'GET', url: product?.image.src ?? '' })
  expect(await picture()).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/webp' } })
  const unknown = product?.image.src.replace(/-[0-9a-f]{8}/, '-00000000') ?? ''
  expect((await pool.app.inject({ method: 'GET', url: unknown })).statusCode).toBe(404)
})

test('a product links to the web or to a path of the site, nothing else', async () => {
  const { sql } = pool.ctx
  const sell = (url: string, image: string) =>
    sql`insert into merchandise (title, url, image_src) values ('X', ${url}, ${image})`
  for (const good of ['https://store.example/a?b=c#d', 'http://[::1]:80/', '/', '/images/a.webp'])
    await sell(good, good)
  const bad = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    ' /x',
    'x',
    '',
    'https://',
    'https://a b',
    'ftp://x',
  ]
  for (const one of bad) {
    await expect(sell(one, '/'), one).rejects.toThrow(/check constraint/)
    await expect(sell('/', one), one).rejects.toThrow(/check constraint/)
  }
  await expect(sql`insert into merchandise (title, url, price_minor) values ('X', '/', 5)`).rejects.toThrow(/check/)
})

test('the store is the one the operator has set; the demo has its own', async () => {
  const own = await openTestPool({ settings: { storeUrl: 'https://shop.example/' } })
  const demo = await openTestPool()
  try {
    expect((await products(own)).store_url).toBe('https://shop.example/')
    const { customer_id } = await aMember(demo.ctx, { email: 'dj@demo.test' })
    await demo.ctx.sql`update customer set demo = true where customer_id = ${customer_id}`
    expect((await products(demo)).store_url).toBe('https://store.example/')
  } finally {
    await Promise.all([own.close(), demo.close()])
  }
})
