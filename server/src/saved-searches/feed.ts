import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { songsOf } from '../catalogue/songs.ts'
import { setRetryAfter, toApiError } from '../platform/error-replies.ts'
import { findAsTyped, readSearchEnvironment } from '../search/saved-search-query.ts'
import { renderFeed } from './feed-text.ts'
import { parseFeedToken, unknownFeedError } from './feed-url.ts'
import { parseSavedSearch } from './new-songs.ts'
import { canSignIn, type SavedSearchRow, savedSearchColumns, searchUrl } from './saved-search-rows.ts'

/** The most songs in a feed. */
const MAX_FEED_SONGS = 50

/**
 * GET /feeds/search/…: the newest songs of a saved search, as RSS. The URL is the only authentication; there is no
 * session.
 */
export function serveFeeds(app: FastifyInstance, ctx: AppContext): void {
  const options = {
    // Feed services fetch for many people from one address.
    config: { rateLimit: { max: 120, timeWindow: '1 minute' } },
    errorHandler: sendPlainError,
  }
  app.get('/feeds/search/:signed', options, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { text, changedAt } = await readFeed(ctx, signed)
    return sendIfChanged(request, reply, text, changedAt)
  })
}

/** Feed readers display an error as it is, so it is plain text. */
function sendPlainError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const apiError = toApiError(error, request.log)
  setRetryAfter(apiError, reply)
  return reply
    .code(apiError.status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${apiError.message}\n`)
}

/** Throws `unknown_search`. A search that no longer works has an empty feed with the reason. */
async function readFeed(ctx: AppContext, signed: string): Promise<{ text: string; changedAt: Date }> {
  const { sql, config, settings } = ctx
  const feed = parseFeedToken(ctx, signed)
  const [savedSearch] = await sql<(SavedSearchRow & { created_at: Date })[]>`
    select ${savedSearchColumns(sql)}, s.created_at from saved_search s join customer c using (customer_id)
    where saved_search_id = ${feed.saved_search_id} and feed_version = ${feed.feed_version} and ${canSignIn(sql)}`
  if (!savedSearch) throw unknownFeedError()
  const { params, problem } = parseSavedSearch(savedSearch, await readSearchEnvironment(sql))
  const ids = params ? await findAsTyped(sql, params, { limit: MAX_FEED_SONGS }) : []
  const songs = await songsOf(sql, ids, settings.downloadLimit)
  const dates = [savedSearch.created_at, ...songs.map(({ created_at }) => new Date(created_at))]
  const changedAt = new Date(Math.max(...dates.map((date) => date.getTime())))
  const text = await renderFeed(settings.emailSender, {
    name: savedSearch.name,
    problem,
    songs,
    changedAt,
    address: `${config.publicUrl}${searchUrl(savedSearch.query)}`,
    selfUrl: `${config.publicUrl}/feeds/search/${signed}`,
  })
  return { text, changedAt }
}

/**
 * Sends 304 to a reader that has the current feed (RFC 9110, 13.1.2 and 13.1.3: the ETag takes precedence over the
 * date).
 */
function sendIfChanged(request: FastifyRequest, reply: FastifyReply, text: string, changedAt: Date) {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  reply
    .header('etag', etag)
    .header('last-modified', changedAt.toUTCString())
    .header('cache-control', 'private, max-age=300')
    .header('x-robots-tag', 'noindex')
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers
  const isKnown = known
    ? known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    : Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since ?? '')
  if (isKnown) return reply.code(304).send()
  return reply.type('application/rss+xml; charset=utf-8').send(text)
}
