import { type InputOf, savedSearches } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { xml2js } from 'xml-js'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Query = InputOf<typeof savedSearches.saveSearch>['query']

const save = async ({ token }: Member, query: Query, name = 'A feed') =>
  (await pool.ask(savedSearches.saveSearch, { name, query }, token)).search
const fetchFeed = (feed_url: string, headers: Record<string, string> = {}) =>
  pool.app.inject({ url: new URL(feed_url).pathname, headers })

type FeedElement = { _text?: string; _cdata?: string | string[]; _attributes?: Record<string, string> }
type FeedItem = Record<'title' | 'link' | 'guid' | 'description' | 'pubDate', FeedElement>
const elementText = ({ _text, _cdata }: FeedElement) => _text ?? [_cdata ?? ''].flat().join('')

/** Parses a feed as a reader does. */
function parseFeed(xml: string) {
  const { rss } = xml2js(xml, { compact: true }) as unknown as {
    rss: { channel: Record<string, FeedElement> & { item?: FeedItem | FeedItem[] } }
  }
  const { item = [], ...channel } = rss.channel
  return { channel, items: [item].flat() as FeedItem[] }
}

test('a feed has the matching songs, newest first, with their visible details and no music', async () => {
  const genre = await aGenre(pool.ctx, 'Afro House')
  const member = await aMember(pool.ctx)
  await aSong(pool.ctx, { title: 'Zephyr One', artist: 'Wind', created_at: new Date('2026-01-02T03:04:05Z') })
  const song = await aSong(pool.ctx, {
    ...{ title: 'Zephyr Two', artist: 'Wind', min_bpm: 98, max_bpm: 124, song_key: 'Am', genres: [genre] },
    ...{ versions: ['Clean', 'Intro Dirty'], created_at: new Date('2026-02-02T03:04:05Z') },
  })
  const { feed_url } = await save(member, { searchTerm: 'zephyr' }, 'Winds')
  const response = await fetchFeed(feed_url)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/rss+xml; charset=utf-8',
    'cache-control': expect.stringContaining('private'),
  })
  const { channel, items } = parseFeed(response.body)
  expect(elementText(channel.title as FeedElement)).toBe('Winds · Dubplate')
  expect(elementText(channel.link as FeedElement)).toBe(`${pool.ctx.config.publicUrl}/search/result/zephyr`)
  expect(items.map(({ title }) => elementText(title))).toEqual(['Wind – Zephyr Two', 'Wind – Zephyr One'])
  const [first] = items
  expect(
    first && [
      elementText(first.link),
      elementText(first.guid),
      elementText(first.description),
      elementText(first.pubDate),
    ],
  ).toEqual([
    `${pool.ctx.config.publicUrl}/song/${song.entity_id}`,
    `song ${song.entity_id}`,
    '98–124 BPM · 8A (Am) · Afro House · Intro Dirty, Clean',
    'Mon, 02 Feb 2026 03:04:05 GMT',
  ])
  expect(response.body).not.toMatch(/enclosure|\.mp3|previews/)
})

test('preserves titles with XML characters, HTML characters and invalid ones removed', async () => {
  const member = await aMember(pool.ctx)
  const title = 'Tricky <b>&]]> "x" \u0007bell & <![CDATA[ &amp; 🎧'
  await aSong(pool.ctx, { title, artist: '<script>alert(1)</script>', versions: ['<i>Clean</i> & Co'] })
  const { feed_url } = await save(member, { searchTerm: 'tricky' }, 'Mine <& ]]>')
  const { channel, items } = parseFeed((await fetchFeed(feed_url)).body)
  expect(elementText(channel.title as FeedElement)).toBe('Mine <& ]]> · Dubplate')
  expect(items).toHaveLength(1)
  expect(elementText(items[0]?.title ?? {})).toBe(`<script>alert(1)</script> – ${title.replace('\u0007', '')}`)
  expect(elementText(items[0]?.description ?? {})).toContain('&lt;i&gt;Clean&lt;/i&gt; &amp; Co')
})

test('returns 304 to a reader that has the current feed, by ETag or by date', async () => {
  const member = await aMember(pool.ctx)
  await aSong(pool.ctx, { title: 'Pebble One', artist: 'Shore' })
  const { feed_url } = await save(member, { searchTerm: 'pebble' })
  const { headers, body } = await fetchFeed(feed_url)
  const { etag, 'last-modified': date } = headers as Record<string, string>
  const status = async (known: Record<string, string>) => (await fetchFeed(feed_url, known)).statusCode
  expect(await status({ 'if-none-match': etag ?? '' })).toBe(304)
  expect(await status({ 'if-none-match': `"other", W/${etag}` })).toBe(304)
  expect(await status({ 'if-modified-since': date ?? '' })).toBe(304)
  expect(await status({ 'if-none-match': '"other"', 'if-modified-since': date ?? '' })).toBe(200)
  expect(await status({ 'if-modified-since': 'yesterday' })).toBe(200)
  expect((await fetchFeed(feed_url)).body).toBe(body)
  await aSong(pool.ctx, { title: 'Pebble Two', artist: 'Shore', created_at: new Date(Date.now() + 2000) })
  expect(await status({ 'if-none-match': etag ?? '' })).toBe(200)
  expect(await status({ 'if-modified-since': date ?? '' })).toBe(200)
})

test('a feed knows its member: it leaves out songs they downloaded if the search says so', async () => {
  const member = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx, { title: 'Copper', artist: 'Wire' })
  const { feed_url } = await save(member, { searchTerm: 'copper not:downloaded' })
  expect(parseFeed((await fetchFeed(feed_url)).body).items).toHaveLength(1)
  await pool.ctx.sql`
    insert into download_grant (customer_id, song_version_id, allowed, used)
    values (${member.customer_id}, ${versionIds[0] ?? 0}, 2, 1)`
  expect(parseFeed((await fetchFeed(feed_url)).body).items).toHaveLength(0)
})

test('a feed link ends when it is renewed, when the search is deleted, and while its member has no access', async () => {
  const { sql } = pool.ctx
  const member = await aMember(pool.ctx)
  await aSong(pool.ctx, { title: 'Saffron', artist: 'Field' })
  const { feed_url: old, saved_search_id } = await save(member, { searchTerm: 'saffron' })
  const { search } = await pool.ask(savedSearches.changeSearch, { saved_search_id, new_feed: true }, member.token)
  const ended = await fetchFeed(old)
  expect([ended.statusCode, ended.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
  expect(ended.body).toContain('This feed URL no longer works.')
  const status = async () => (await fetchFeed(search.feed_url)).statusCode
  expect(await status()).toBe(200)
  await sql`update customer set status = 'suspended' where customer_id = ${member.customer_id}`
  expect(await status()).toBe(404)
  await sql`update customer set status = 'active' where customer_id = ${member.customer_id}`
  await sql`update dj_application set state = 'pending' where customer_id = ${member.customer_id}`
  expect(await status()).toBe(404)
  await sql`update dj_application set state = 'approved' where customer_id = ${member.customer_id}`
  expect(await status()).toBe(200)
  await pool.ask(savedSearches.removeSearch, { saved_search_id }, member.token)
  expect(await status()).toBe(404)
})

test('a made-up or changed link gets the same 404', async () => {
  const member = await aMember(pool.ctx)
  const { feed_url, saved_search_id } = await save(member, { searchTerm: 'midnight' })
  const other = feed_url.replace(`/${saved_search_id}.1.`, `/${saved_search_id + 1}.1.`)
  expect(other).not.toBe(feed_url)
  const invalidUrls = ['x', '1.1.99999999999.abc', `${new URL(feed_url).pathname.split('/').at(-1)}x`, '%00']
  for (const url of [other, ...invalidUrls.map((signed) => `http://pool.test/feeds/search/${signed}`)]) {
    const response = await fetchFeed(url)
    expect([response.statusCode, response.body.includes('This feed URL no longer works.')], url).toEqual([404, true])
  }
})

test('a search that no longer works has an empty feed with the reason', async () => {
  const member = await aMember(pool.ctx)
  const gone = await aGenre(pool.ctx, 'Gone Genre')
  const { feed_url } = await save(member, { genre_id: gone })
  await pool.ctx.sql`delete from genre where genre_id = ${gone}`
  const { channel, items } = parseFeed((await fetchFeed(feed_url)).body)
  expect(items).toEqual([])
  expect(elementText(channel.description as FeedElement)).toBe('The genre in this search no longer exists.')
})

test('a feed has up to fifty songs and is rate-limited', async () => {
  const member = await aMember(pool.ctx)
  const { sql } = pool.ctx
  await sql`insert into song (title, artist, song_identity) select 'Swarm ' || n, 'Bees', 'swarm ' || n from generate_series(1, 60) n`
  await sql`
    insert into song_search (entity_id, tsv) select entity_id, array_to_tsvector('{swarm,#s1}'::text[])
    from song where artist = 'Bees'`
  await sql`insert into search_word (word, df) values ('swarm', 60) on conflict do nothing`
  const { feed_url } = await save(member, { searchTerm: 'swarm' })
  expect(parseFeed((await fetchFeed(feed_url)).body).items).toHaveLength(50)
  const tries = await Promise.all(Array.from({ length: 130 }, () => fetchFeed(feed_url)))
  const refused = tries.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.body).toContain('Too many requests')
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
})
