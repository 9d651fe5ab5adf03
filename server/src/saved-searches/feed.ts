import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { findAsTyped, readSearchEnvironment } from '../catalogue/saved-search-query.ts'
import { songsOf, theseSongs } from '../catalogue/songs.ts'
import { refusalFor, setRetryAfter } from '../platform/serve.ts'
import { renderFeed } from './feed-text.ts'
import { parseFeedToken, unknownFeedError } from './feed-url.ts'
import { parseSavedSearch } from './new-songs.ts'
import { canSignIn, type SavedSearchRow, savedSearchColumns, searchUrl } from './saved-search-rows.ts'

/** The newest songs a feed holds. */
const MAX_FEED_SONGS = 50

/** GET /feeds/search/…: the newest songs a saved search finds, as RSS. Its address alone lets in; there is no session. */
export function serveFeeds(app: FastifyInstance, ctx: AppContext): void {
  const options = {
    // Readers of many people fetch from one place.
    config: { rateLimit: { max: 120, timeWindow: '1 minute' } },
    errorHandler: sendPlainError,
  }
  app.get('/feeds/search/:signed', options, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { text, changedAt } = await readFeed(ctx, signed)
    return sendIfChanged(request, reply, text, changedAt)
  })
}

/** Feed readers show what they get as it is. */
function sendPlainError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const apiError = refusalFor(error, request.log)
  setRetryAfter(apiError, reply)
  return reply
    .code(apiError.status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${apiError.message}\n`)
}

/** Refuses `unknown_search`. A search that cannot be asked any more has an empty feed, which says so. */
async function readFeed(ctx: AppContext, signed: string): Promise<{ text: string; changedAt: Date }> {
  const { sql, config, settings } = ctx
  const feed = parseFeedToken(ctx, signed)
  const [savedSearch] = await sql<(SavedSearchRow & { created_at: Date })[]>`
    select ${savedSearchColumns(sql)}, s.created_at from saved_search s join customer c using (customer_id)
    where saved_search_id = ${feed.saved_search_id} and feed_version = ${feed.feed_version} and ${canSignIn(sql)}`
  if (!savedSearch) throw unknownFeedError()
  const { params, problem } = parseSavedSearch(savedSearch, await readSearchEnvironment(sql))
  const ids = params ? await findAsTyped(sql, params, { limit: MAX_FEED_SONGS }) : []
  const songs = ids.length > 0 ? await songsOf(sql, theseSongs(sql, ids), settings.downloadLimit) : []
  const dates = [savedSearch.created_at, ...songs.map(({ created_at }) => new Date(created_at))]
  const changedAt = new Date(Math.max(...dates.map((date) => date.getTime())))
  const text = renderFeed(settings.emailSender, {
    name: savedSearch.name,
    problem,
    songs,
    changedAt,
    address: `${config.publicUrl}${searchUrl(savedSearch.query)}`,
    selfUrl: `${config.publicUrl}/feeds/search/${signed}`,
  })
  return { text, changedAt }
}

/** A reader that has it already is told so (RFC 9110, 13.1.2 and 13.1.3: the tag counts before the date). */
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
