import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { addShareTags } from './share-tags.ts'

const PUBLIC_URL = 'https://pool.example'
const PAGE = `<html><head>
    <meta
      name="description"
      content="A record pool for working DJs."
    />
    <title>Dubplate</title>
  </head><body></body></html>`

let pool: TestPool
let song: Awaited<ReturnType<typeof aSong>>
let listId: number
beforeAll(async () => {
  pool = await openTestPool({ config: { publicUrl: PUBLIC_URL } })
  const { sql } = pool.ctx
  song = await aSong(pool.ctx, {
    title: 'Tom & "Jerry" <live>',
    artist: 'Mara Voss',
    versions: ['Original', 'Intro Clean'],
    seconds: 3,
  })
  await sql`update song set min_bpm = 124, max_bpm = 124, song_key = 'Am' where entity_id = ${song.entity_id}`
  const [list] = await sql<{ curated_list_id: number }[]>`
    insert into curated_list (title, created_by, published_at) values ('Peak time tools', 'Mara Voss', now())
    returning curated_list_id`
  listId = list?.curated_list_id ?? 0
  await sql`insert into curated_list_song (curated_list_id, position, entity_id) values (${listId}, 1, ${song.entity_id})`
})
afterAll(() => pool.close())

/** The content of every meta element, by its property or name. */
async function readTags(path: string, { ctx } = pool): Promise<Record<string, string>> {
  const page = await addShareTags(ctx, PAGE, path)
  const tags = [...page.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)]
  return Object.fromEntries(tags.map(([, name = '', content = '']) => [name, content]))
}

const get = (url: string, { app } = pool) => app.inject({ url })
const oembed = (path: string, more = '') => get(`/oembed?url=${encodeURIComponent(`${PUBLIC_URL}${path}`)}${more}`)

test('the tags of a song carry its cover, tempo, key, versions and 30-second clip', async () => {
  const tags = await readTags(`/song/${song.entity_id}`)
  expect(tags).toMatchObject({
    'og:site_name': 'Dubplate',
    'og:type': 'music.song',
    'og:title': 'Tom &#38; &#34;Jerry&#34; &#60;live&#62; by Mara Voss',
    'og:description': '124 BPM · 8A · Original, Intro Clean',
    'og:url': `${PUBLIC_URL}/song/${song.entity_id}`,
    'og:audio:type': 'audio/mpeg',
    'music:duration': '3',
    'twitter:card': 'player',
    'twitter:player': `${PUBLIC_URL}/embed/song/${song.entity_id}`,
  })
  expect(tags['og:image']).toMatch(/^https:\/\/pool\.example\/images\/.+\/640\.webp$/)
  const clip = await get(new URL(tags['og:audio'] ?? '').pathname)
  expect([clip.statusCode, clip.headers['content-type']]).toEqual([200, 'audio/mpeg'])
  expect(clip.rawPayload.length).toBeGreaterThan(1000)
})

test('title and description of the page are those of the song', async () => {
  const page = await addShareTags(pool.ctx, PAGE, `/song/${song.entity_id}`)
  expect(page).toContain('<title>Tom &#38; &#34;Jerry&#34; &#60;live&#62; by Mara Voss · Dubplate</title>')
  expect(page).toMatch(/name="description"\s+content="124 BPM · 8A/)
  expect(page).not.toContain('<live>')
})

test('the tags of a spotlight name its curator and number of songs', async () => {
  expect(await readTags(`/spotlight/view/${listId}`)).toMatchObject({
    'og:type': 'music.playlist',
    'og:title': 'Peak time tools',
    'og:description': 'Curated by Mara Voss · 1 song',
  })
})

test('the tags of a list carry its own description, and its player the facts', async () => {
  const { sql } = pool.ctx
  await sql`update curated_list set description = 'Big drums & clean intros.' where curated_list_id = ${listId}`
  const path = `/spotlight/view/${listId}`
  const tags = await readTags(path)
  const embed = (await get(`/embed${path}`)).body
  await sql`update curated_list set description = '' where curated_list_id = ${listId}`
  expect(tags).toMatchObject({
    'og:description': 'Big drums &#38; clean intros.',
    'twitter:description': 'Big drums &#38; clean intros.',
  })
  expect(embed).toContain('Curated by Mara Voss · 1 song')
})

test('the tags of an artist or label name its songs, and its player plays them', async () => {
  const label = await aSong(pool.ctx, { artist: 'AC/DC', label: 'Édition №1', title: 'Thunder' })
  expect(await readTags('/artist/mara%20voss')).toMatchObject({
    'og:type': 'music.playlist',
    'og:title': 'Mara Voss',
    'og:description': 'Artist · 1 song',
    'og:url': `${PUBLIC_URL}/artist/mara%20voss`,
    'twitter:player': `${PUBLIC_URL}/embed/artist/mara%20voss`,
  })
  expect(await readTags('/artist/AC%2FDC')).toMatchObject({ 'og:title': 'AC/DC' })
  const path = `/label/${encodeURIComponent('edition №1')}`
  expect(await readTags(path)).toMatchObject({ 'og:title': 'Édition №1', 'og:description': 'Label · 1 song' })
  expect(JSON.parse((await oembed(path)).body)).toMatchObject({ title: 'Édition №1', height: 164 })
  expect((await get(`/embed${path}`)).body).toContain(label.title)
})

test('only public playlists can be shared', async () => {
  const { sql } = pool.ctx
  const { customer_id } = await aMember(pool.ctx)
  const [playlist] = await sql<{ playlist_id: number }[]>`
    insert into playlist (customer_id, title, folded_title, public) values (${customer_id}, 'Warm-up', 'warm-up', false) returning playlist_id`
  const path = `/playlist/${playlist?.playlist_id}`
  expect(await readTags(path)).toMatchObject({ 'og:type': 'website', 'og:title': 'Dubplate' })
  expect((await oembed(path)).statusCode).toBe(404)
  await sql`update playlist set public = true where playlist_id = ${playlist?.playlist_id ?? 0}`
  expect(await readTags(path)).toMatchObject({ 'og:title': 'Warm-up', 'og:description': 'Playlist · 0 songs' })
  await sql`update playlist set description = 'Slow and deep.' where playlist_id = ${playlist?.playlist_id ?? 0}`
  expect(await readTags(path)).toMatchObject({ 'og:description': 'Slow and deep.' })
})

test.each([
  '/',
  '/song/999999',
  '/song/12x',
  '/account/security',
  '/top20/songs/999999',
  '/artist/Nobody',
  '/label/%E0%A4%A',
  '/label/%20',
])('the page %s carries the name and logo of the pool only', async (path) => {
  const tags = await readTags(path)
  expect(tags).toEqual({
    'og:site_name': 'Dubplate',
    'og:type': 'website',
    'og:title': 'Dubplate',
    'og:image': `${PUBLIC_URL}/icon-512.png`,
    'twitter:card': 'summary',
  })
})

test('sections that an admin has hidden cannot be shared', async () => {
  const { ctx } = pool
  const kut = await aSong(ctx, { song_section_id: 2 })
  const hiding = {
    ctx: { ...ctx, settings: { ...ctx.settings, hidden: new Set(['kuts', 'spotlights']) } },
  } as unknown as TestPool
  expect((await readTags(`/song/${kut.entity_id}`))['og:type']).toBe('music.song')
  expect((await readTags(`/song/${kut.entity_id}`, hiding))['og:type']).toBe('website')
  expect((await readTags(`/spotlight/view/${listId}`, hiding))['og:type']).toBe('website')
})

test('without TLS the player card, which needs it, is left out', async () => {
  const plain = { ctx: { ...pool.ctx, config: { ...pool.ctx.config, publicUrl: 'http://pool.example' } } } as TestPool
  const tags = await readTags(`/song/${song.entity_id}`, plain)
  expect([tags['twitter:card'], tags['twitter:player']]).toEqual(['summary', undefined])
})

test('oEmbed describes the embedded player within the size that the site allows', async () => {
  const { statusCode, headers, body } = await oembed(`/song/${song.entity_id}?from=mail`, '&maxwidth=320')
  expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=3600'])
  const reply = JSON.parse(body)
  expect(reply).toMatchObject({
    version: '1.0',
    type: 'rich',
    title: 'Tom & "Jerry" <live> by Mara Voss',
    author_name: 'Mara Voss',
    provider_name: 'Dubplate',
    width: 320,
    height: 120,
  })
  expect(reply.html).toContain(`src="${PUBLIC_URL}/embed/song/${song.entity_id}" width="320"`)
})

test.each([
  ['another site', `url=${encodeURIComponent('https://other.example/song/1')}`],
  ['no page', 'url=nonsense'],
  ['nothing', ''],
])('oEmbed refuses the URL of %s', async (_, query) => {
  const response = await get(`/oembed?${query}`)
  expect([response.statusCode, response.json().code]).toEqual([404, 'unknown_page'])
})

test('every site may frame the embedded player, which plays only clips', async () => {
  const { statusCode, headers, body } = await get(`/embed/song/${song.entity_id}`)
  expect(statusCode).toBe(200)
  expect(headers['x-frame-options']).toBeUndefined()
  expect(headers['content-security-policy']).toContain('frame-ancestors *')
  expect(body).toMatch(/data-clip="\/previews\/[^"?]+\.mp3"/)
  expect(body).toContain('Tom &#38; &#34;Jerry&#34; &#60;live&#62;')
  expect(body).not.toContain('<live>')
})

test('an embedded page of a song that is gone says so and links to the pool', async () => {
  const { statusCode, body } = await get('/embed/song/999999')
  expect(statusCode).toBe(404)
  expect(body).toContain('This music isn’t available here.')
  expect(body).toContain(`href="${PUBLIC_URL}/"`)
})

test('a members-only pool shares its name and logo only', async () => {
  const closed = await openTestPool({ config: { publicUrl: PUBLIC_URL }, settings: { publicBrowsing: false } })
  const { entity_id } = await aSong(closed.ctx, { title: 'Secret' })
  expect(await readTags(`/song/${entity_id}`, closed)).toMatchObject({ 'og:title': 'Dubplate', 'og:type': 'website' })
  expect((await get(`/embed/song/${entity_id}`, closed)).body).not.toContain('Secret')
  const url = encodeURIComponent(`${PUBLIC_URL}/song/${entity_id}`)
  expect((await get(`/oembed?url=${url}`, closed)).statusCode).toBe(404)
  await closed.close()
})

test('a page is served without tags, and the fault is logged, while the database fails', async () => {
  const warn = vi.fn()
  const broken = { ...pool.ctx, log: { warn } as never, sql: (() => Promise.reject(new Error('down'))) as never }
  const page = await addShareTags(broken, PAGE, `/spotlight/view/${listId}`)
  expect(page).toContain('<meta property="og:title" content="Dubplate">')
  expect(warn).toHaveBeenCalledOnce()
})
