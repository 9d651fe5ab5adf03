import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { catalogue } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isShown } from '../catalogue/showing.ts'
import { escapeHtml } from '../platform/html.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'

/** A sitemap has at most so many addresses (https://www.sitemaps.org/protocol.html). Songs are divided by their numbers. */
const ADDRESSES_A_FILE = 50_000
/** Each is some hundred kB, compressed; search engines read them one after the other. */
const FILES_KEPT = 40
const KEPT_MS = 3_600_000

/** For search engines alone: nothing of one person, and nothing that has no end. */
const ROBOTS = [
  ...['api', 'files', 'bundles', 'exports', 'feeds', 'account', 'subscription', 'support', 'tickets', 'ticket'],
  ...['uploads', 'staff', 'crate', 'favourite-songs', 'recentPlayed', 'searches', 'search', 'download-rescue'],
].map((path) => `Disallow: /${path}/`)

type Tools = Pick<World, 'sql' | 'settings' | 'config' | 'now'>
type Address = { path: string; changed_at: Date | null }

/** GET /robots.txt, /sitemap.xml and the files it names: what of the pool search engines may read. */
export function serveSitemap(app: FastifyInstance, world: Tools): void {
  const { config, settings } = world
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
  const kept = keepFiles(world)
  app.get('/sitemap.xml', options, async (request, reply) => {
    refusePrivate(world)
    return send(request, reply, await kept('index', () => writeIndex(world)))
  })
  app.get('/sitemap/:file', options, async (request, reply) => {
    refusePrivate(world)
    const { file } = request.params as { file: string }
    const part = /^songs-(\d{1,9})\.xml$/.exec(file)?.[1]
    if (part === undefined && file !== 'pages.xml') throw noSitemap()
    const write = async () => {
      const addresses = part === undefined ? await pageAddresses(world) : await songAddresses(world, Number(part))
      if (addresses.length === 0) throw noSitemap()
      return writeAddresses(config.publicUrl, addresses)
    }
    return send(request, reply, await kept(file, write))
  })
}

function refusePrivate({ settings }: Tools): void {
  if (!settings.publicBrowsing) throw noSitemap()
}

const noSitemap = () => new Refusal('unknown_page', 'Sitemap not found. Start at /sitemap.xml.')

/** Keeps files compressed for an hour, and no longer than the settings stay as they are. */
function keepFiles(world: Tools) {
  const kept = new Map<string, { bytes: Promise<Buffer>; until: number; edition: number }>()
  return (name: string, write: () => Promise<string>): Promise<Buffer> => {
    const { edition } = world.settings
    const now_ms = world.now().getTime()
    const found = kept.get(name)
    if (found && found.until > now_ms && found.edition === edition) return found.bytes
    const bytes = write().then((text) => promisify(gzip)(text))
    kept.delete(name)
    kept.set(name, { bytes, until: now_ms + KEPT_MS, edition })
    bytes.catch(() => kept.get(name)?.bytes === bytes && kept.delete(name))
    const [oldest] = kept.keys()
    if (kept.size > FILES_KEPT && oldest !== undefined) kept.delete(oldest)
    return bytes
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, zipped: Buffer) {
  const takesGzip = String(request.headers['accept-encoding'] ?? '').includes('gzip')
  reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', 'public, max-age=3600')
    .header('vary', 'accept-encoding')
  return takesGzip ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(await promisify(gunzip)(zipped))
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const locOf = (publicUrl: string, path: string) => `<loc>${escapeHtml(`${publicUrl}${path}`)}</loc>`

const writeAddresses = (publicUrl: string, addresses: readonly Address[]): string => {
  const urls = addresses.map(({ path, changed_at }) => {
    const changed = changed_at ? `<lastmod>${changed_at.toISOString().slice(0, 10)}</lastmod>` : ''
    return `<url>${locOf(publicUrl, path)}${changed}</url>`
  })
  return `${HEAD}<urlset ${SCHEMA}>\n${urls.join('\n')}\n</urlset>\n`
}

/** Kuts are left out where an admin has left them out of the site. */
const listedSongs = ({ sql, settings }: Tools) => sql`
  status = 'published' and song_section_id <> ${settings.hidden.has('kuts') ? catalogue.SECTIONS.kuts : 0}`

async function writeIndex(world: Tools): Promise<string> {
  const parts = await world.sql<{ part: number }[]>`
    select distinct (entity_id / ${ADDRESSES_A_FILE})::int as part from song where ${listedSongs(world)} order by 1`
  const files = ['pages.xml', ...parts.map(({ part }) => `songs-${part}.xml`)]
  const maps = files.map((file) => `<sitemap>${locOf(world.config.publicUrl, `/sitemap/${file}`)}</sitemap>`)
  return `${HEAD}<sitemapindex ${SCHEMA}>\n${maps.join('\n')}\n</sitemapindex>\n`
}

const songAddresses = (world: Tools, part: number): Promise<Address[]> => world.sql<Address[]>`
  select '/song/' || entity_id as path, coalesce(changed_at, created_at) as changed_at from song
  where entity_id >= ${part * ADDRESSES_A_FILE}::bigint and entity_id < ${(part + 1) * ADDRESSES_A_FILE}::bigint
    and ${listedSongs(world)} order by entity_id`

/** Screens of a part of the site, by the name under which an admin may leave it out. */
const SCREENS = [
  ['', '/'],
  ['charts', '/charts'],
  ['new_releases', '/newRelease'],
  ['', '/genres/index'],
  ['spotlights', '/spotlight/index'],
  ['top20', '/top20/tracks'],
  ['', '/subscription/plans'],
  ['careers', '/career/listing'],
] as const

/** The lists of the pool and the pages staff have written; genres have a page once they have songs. */
async function pageAddresses({ sql, settings: { hidden } }: Tools): Promise<Address[]> {
  const screens = SCREENS.filter(([section]) => section === '' || !hidden.has(section))
  const lists = await sql<Address[]>`
    select * from (
      select '/genres/view/' || genre_id as path, null::timestamptz as changed_at from genre g
      where exists (select 1 from genre_counter c where c.genre_id = g.genre_id and c.song_section_id = 1 and c.songs > 0)
        and (g.kind = 'genre' or ${!hidden.has('moods')})
      union all
      select '/spotlight/view/' || curated_list_id, changed_at from curated_list
      where ${isShown(sql)} and ${!hidden.has('spotlights')}
      union all
      select '/top20/songs/' || top20_track_id, changed_at from top20 where ${isShown(sql)} and ${!hidden.has('top20')}
      union all
      select '/' || slug, updated_at from page where slug <> 'careers') lists
    order by path limit ${ADDRESSES_A_FILE - SCREENS.length}`
  return [...screens.map(([, path]) => ({ path, changed_at: null })), ...lists]
}
