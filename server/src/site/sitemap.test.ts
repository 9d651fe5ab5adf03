import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { publicUrl: 'https://pool.example' } })
})
afterAll(() => pool.close())

const get = (url: string, headers: Record<string, string> = {}) => pool.app.inject({ url, headers })
const readLocations = (body: string) =>
  [...body.matchAll(/<loc>https:\/\/pool\.example([^<]*)<\/loc>/g)].map(([, at]) => at)

/** Advances the clock past the hour for which files are cached. */
let hours = 0
const oneHourLater = () => {
  const at = new Date(Date.now() + ++hours * 3_600_001)
  pool.ctx.now = () => at
}

test('a public pool lists its songs and lists in sitemaps of at most 50,000 URLs', async () => {
  const { ctx } = pool
  const soul = await aGenre(ctx, 'Soul')
  const empty = await aGenre(ctx, 'Empty')
  const song = await aSong(ctx, { genres: [soul] })
  const kut = await aSong(ctx, { song_section_id: 2 })
  const draft = await aSong(ctx)
  await ctx.sql`update song set status = 'draft' where entity_id = ${draft.entity_id}`
  await ctx.sql`
    insert into song (entity_id, title, artist, song_identity) overriding system value values (50000, 'Far', 'Far', 'far')`
  const index = await get('/sitemap.xml')
  expect(index.headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(index.headers['cache-control']).toBe('public, max-age=3600')
  expect(readLocations(index.body)).toEqual(['/sitemap/pages.xml', '/sitemap/songs-0.xml', '/sitemap/songs-1.xml'])
  const songs = await get('/sitemap/songs-0.xml', { 'accept-encoding': 'gzip' })
  expect(songs.headers['content-encoding']).toBe('gzip')
  const listed = gunzipSync(songs.rawPayload).toString()
  expect(readLocations(listed)).toEqual([`/song/${song.entity_id}`, `/song/${kut.entity_id}`])
  expect(listed).toMatch(/<lastmod>\d{4}-\d\d-\d\d<\/lastmod>/)
  expect(readLocations((await get('/sitemap/songs-1.xml')).body)).toEqual(['/song/50000'])
  const pages = readLocations((await get('/sitemap/pages.xml')).body)
  const paths = ['/', '/newRelease', '/subscription/plans', '/dj-software/traktor', `/genres/view/${soul}`]
  expect(pages).toEqual(expect.arrayContaining(paths))
  expect(pages).not.toContain(`/genres/view/${empty}`)
})

test('caches a sitemap for an hour', async () => {
  oneHourLater()
  const before = (await get('/sitemap/songs-0.xml')).body
  await aSong(pool.ctx)
  expect((await get('/sitemap/songs-0.xml')).body).toBe(before)
  oneHourLater()
  expect(readLocations((await get('/sitemap/songs-0.xml')).body)).toHaveLength(readLocations(before).length + 1)
})

test.each(['/sitemap/songs-9.xml', '/sitemap/songs--1.xml', '/sitemap/other.xml'])('%s does not exist', async (url) => {
  const response = await get(url)
  expect([response.statusCode, response.json().code]).toEqual([404, 'unknown_page'])
})

test('robots.txt excludes personal pages and names the sitemap', async () => {
  const { body, headers } = await get('/robots.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toMatch(/^User-agent: \*\n/)
  expect(body).toContain('\nDisallow: /account/\n')
  expect(body).toMatch(/\nSitemap: https:\/\/pool\.example\/sitemap\.xml\n$/)
})

test('a members-only pool has no sitemap and excludes robots', async () => {
  const closed = await openTestPool({ settings: { publicBrowsing: false } })
  for (const url of ['/sitemap.xml', '/sitemap/pages.xml'])
    expect((await closed.app.inject({ url })).statusCode).toBe(404)
  expect((await closed.app.inject({ url: '/robots.txt' })).body).toBe('User-agent: *\nDisallow: /\n')
  await closed.close()
})
