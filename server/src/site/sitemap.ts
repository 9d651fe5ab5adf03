import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { catalogue, SOFTWARE } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { isVisible } from '../curation/visibility.ts'
import { ApiError } from '../platform/api-error.ts'
import { escapeHtml } from '../platform/html.ts'

/** The most URLs in one sitemap (https://www.sitemaps.org/protocol.html). Songs are divided by their ids. */
const MAX_URLS_PER_FILE = 50_000
/** Each is some hundred kB, compressed; search engines read them one after the other. */
const MAX_CACHED_FILES = 40
const CACHE_TTL_MS = 3_600_000

/** Rules for search engines: no personal pages, and no unlimited lists. */
const ROBOTS = [
  ...['api', 'files', 'bundles', 'exports', 'feeds', 'account', 'subscription', 'support', 'tickets', 'ticket'],
  ...['uploads', 'staff', 'crate', 'favourite-songs', 'recentPlayed', 'searches', 'search', 'download-rescue'],
].map((path) => `Disallow: /${path}/`)

type SitemapContext = Pick<AppContext, 'sql' | 'settings' | 'config' | 'now'>
type SitemapEntry = { path: string; changed_at: Date | null }

/** GET /robots.txt, /sitemap.xml and the files it names: what search engines may index. */
export function serveSitemap(app: FastifyInstance, ctx: SitemapContext): void {
  const { config, settings } = ctx
  app.get('/robots.txt', async (_request, reply) => {
    const lines = settings.publicBrowsing
      ? ['User-agent: *', ...ROBOTS, '', `Sitemap: ${config.publicUrl}/sitemap.xml`]
      : ['User-agent: *', 'Disallow: /']
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(`${lines.join('\n')}\n`)
  })
  const options = { config: { rateLimit: { max: 120, timeWindow: '1 minute' } } }
  const cache = createFileCache(ctx)
  app.get('/sitemap.xml', options, async (request, reply) => {
    rejectPrivate(ctx)
    return send(request, reply, await cache('index', () => renderIndex(ctx)))
  })
  app.get('/sitemap/:file', options, async (request, reply) => {
    rejectPrivate(ctx)
    const { file } = request.params as { file: string }
    const part = /^songs-(\d{1,9})\.xml$/.exec(file)?.[1]
    if (part === undefined && file !== 'pages.xml') throw unknownPageError()
    const render = async () => {
      const addresses = part === undefined ? await listPageEntries(ctx) : await listSongEntries(ctx, Number(part))
      if (addresses.length === 0) throw unknownPageError()
      return renderUrlSet(config.publicUrl, addresses)
    }
    return send(request, reply, await cache(file, render))
  })
}

function rejectPrivate({ settings }: SitemapContext): void {
  if (!settings.publicBrowsing) throw unknownPageError()
}

const unknownPageError = () => new ApiError('unknown_page', 'Sitemap not found. Start at /sitemap.xml.')

/** Caches compressed files for an hour, or until the settings change. */
function createFileCache(ctx: SitemapContext) {
  const cache = new Map<string, { bytes: Promise<Buffer>; until: number; edition: number }>()
  return (name: string, render: () => Promise<string>): Promise<Buffer> => {
    const { edition } = ctx.settings
    const now_ms = ctx.now().getTime()
    const cachedFile = cache.get(name)
    if (cachedFile && cachedFile.until > now_ms && cachedFile.edition === edition) return cachedFile.bytes
    const bytes = render().then((text) => promisify(gzip)(text))
    cache.delete(name)
    cache.set(name, { bytes, until: now_ms + CACHE_TTL_MS, edition })
    bytes.catch(() => cache.get(name)?.bytes === bytes && cache.delete(name))
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED_FILES && oldest !== undefined) cache.delete(oldest)
    return bytes
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, gzipped: Buffer) {
  const acceptsGzip = String(request.headers['accept-encoding'] ?? '').includes('gzip')
  reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', 'public, max-age=3600')
    .header('vary', 'accept-encoding')
  return acceptsGzip
    ? reply.header('content-encoding', 'gzip').send(gzipped)
    : reply.send(await promisify(gunzip)(gzipped))
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const locElement = (publicUrl: string, path: string) => `<loc>${escapeHtml(`${publicUrl}${path}`)}</loc>`

const renderUrlSet = (publicUrl: string, addresses: readonly SitemapEntry[]): string => {
  const urls = addresses.map(({ path, changed_at }) => {
    const changed = changed_at ? `<lastmod>${changed_at.toISOString().slice(0, 10)}</lastmod>` : ''
    return `<url>${locElement(publicUrl, path)}${changed}</url>`
  })
  return `${HEAD}<urlset ${SCHEMA}>\n${urls.join('\n')}\n</urlset>\n`
}

/** Kuts are left out if an admin has hidden them. */
const publishedSongs = ({ sql, settings }: SitemapContext) => sql`
  status = 'published' and song_section_id <> ${settings.hidden.has('kuts') ? catalogue.SECTIONS.kuts : 0}`

async function renderIndex(ctx: SitemapContext): Promise<string> {
  const parts = await ctx.sql<{ part: number }[]>`
    select distinct (entity_id / ${MAX_URLS_PER_FILE})::int as part from song where ${publishedSongs(ctx)} order by 1`
  const files = ['pages.xml', ...parts.map(({ part }) => `songs-${part}.xml`)]
  const maps = files.map((file) => `<sitemap>${locElement(ctx.config.publicUrl, `/sitemap/${file}`)}</sitemap>`)
  return `${HEAD}<sitemapindex ${SCHEMA}>\n${maps.join('\n')}\n</sitemapindex>\n`
}

const listSongEntries = (ctx: SitemapContext, part: number): Promise<SitemapEntry[]> => ctx.sql<SitemapEntry[]>`
  select '/song/' || entity_id as path, coalesce(changed_at, created_at) as changed_at from song
  where entity_id >= ${part * MAX_URLS_PER_FILE}::bigint and entity_id < ${(part + 1) * MAX_URLS_PER_FILE}::bigint
    and ${publishedSongs(ctx)} order by entity_id`

/** Pages of a section of the site, by the name under which an admin can hide it. */
const PUBLIC_ROUTES = [
  ['', '/'],
  ['charts', '/charts'],
  ['new_releases', '/newRelease'],
  ['', '/genres/index'],
  ['spotlights', '/spotlight/index'],
  ['top20', '/top20/tracks'],
  ['', '/subscription/plans'],
  ['careers', '/career/listing'],
  ['', '/dj-software'],
  ...SOFTWARE.map((software) => ['', `/dj-software/${software}`] as const),
] as const

/** The pool's lists and the pages staff have written; a genre has a page once it has songs. */
async function listPageEntries({ sql, settings: { hidden } }: SitemapContext): Promise<SitemapEntry[]> {
  const publicRoutes = PUBLIC_ROUTES.filter(([section]) => section === '' || !hidden.has(section))
  const lists = await sql<SitemapEntry[]>`
    select * from (
      select '/genres/view/' || genre_id as path, null::timestamptz as changed_at from genre g
      where exists (select 1 from genre_counter c where c.genre_id = g.genre_id and c.song_section_id = 1 and c.songs > 0)
        and (g.kind = 'genre' or ${!hidden.has('moods')})
      union all
      select '/spotlight/view/' || curated_list_id, changed_at from curated_list
      where ${isVisible(sql)} and ${!hidden.has('spotlights')}
      union all
      select '/top20/songs/' || top20_track_id, changed_at from top20 where ${isVisible(sql)} and ${!hidden.has('top20')}
      union all
      select '/' || slug, updated_at from page where slug <> 'careers') lists
    order by path limit ${MAX_URLS_PER_FILE - PUBLIC_ROUTES.length}`
  return [...publicRoutes.map(([, path]) => ({ path, changed_at: null })), ...lists]
}
