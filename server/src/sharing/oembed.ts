import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { escapeHtml } from '../platform/html.ts'
import { EMBED_WIDTH, embedHeight, embedPath } from './embed-address.ts'
import { largeImage } from './share-tags.ts'
import { findSharedItem, type SharedItem } from './shared-item.ts'

const CACHE_SECONDS = 3600
const THUMBNAIL_PIXELS = 640
const MIN_WIDTH = 240

/**
 * GET /oembed?url=…: how other sites embed the page at this URL (https://oembed.com). Only JSON; `maxwidth` and
 * `maxheight` limit the size. Throws `unknown_page` for URLs of other sites and pages that cannot be embedded.
 */
export function serveOembed(app: FastifyInstance, ctx: AppContext): void {
  const options = { config: { rateLimit: { max: 120, timeWindow: '1 minute' } } }
  app.get('/oembed', options, async (request, reply) => {
    const { url, format = 'json', maxwidth, maxheight } = request.query as Record<string, string | undefined>
    if (format !== 'json') throw new ApiError('invalid_request', 'Only format=json is supported.')
    const path = pathOf(url, ctx.config.publicUrl)
    const item = path === undefined ? undefined : await findSharedItem(ctx, path)
    if (!item) {
      throw new ApiError(
        'unknown_page',
        'Nothing to embed at this URL. Send the URL of a song, spotlight, top 20, artist, label or public playlist as url.',
      )
    }
    const size = { width: limit(EMBED_WIDTH, maxwidth, MIN_WIDTH), height: limit(embedHeight(item), maxheight, 0) }
    return reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`).send(describe(ctx, item, size))
  })
}

/** The path of a URL of this pool, without its query; undefined for all other URLs. */
function pathOf(url: string | undefined, publicUrl: string): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin === new URL(publicUrl).origin ? pathname : undefined
}

const limit = (size: number, most: string | undefined, least: number): number =>
  most && /^\d{1,5}$/.test(most) ? Math.max(least, Math.min(size, Number(most))) : size

function describe(
  { config, settings }: AppContext,
  item: SharedItem,
  { width, height }: { width: number; height: number },
) {
  const absolute = (path: string) => new URL(path, config.publicUrl).href
  const source = escapeHtml(absolute(embedPath(item.path)))
  return {
    version: '1.0',
    type: 'rich',
    title: item.title,
    ...(item.author ? { author_name: item.author } : {}),
    provider_name: settings.poolName,
    provider_url: config.publicUrl,
    cache_age: CACHE_SECONDS,
    thumbnail_url: absolute(largeImage(item.image)),
    thumbnail_width: THUMBNAIL_PIXELS,
    thumbnail_height: THUMBNAIL_PIXELS,
    html: `<iframe src="${source}" width="${width}" height="${height}" title="${escapeHtml(item.title)}" loading="lazy" style="border:0;border-radius:12px"></iframe>`,
    width,
    height,
  }
}
